package balance

// MoveKind says what a move is for.
type MoveKind string

const (
	// MoveBalance changes where replicas are, to even a load.
	MoveBalance MoveKind = "balance"
	// MoveLeader changes the leader alone; no data is copied.
	MoveLeader MoveKind = "leader"
	// MoveRepair puts right a lost replica or a broken rack placement.
	MoveRepair MoveKind = "repair"
	// MoveFactor is a repair that changes the replication factor.
	MoveFactor MoveKind = "factor"
	// MoveDrain takes replicas off a broker that enters maintenance.
	MoveDrain MoveKind = "drain"
)

// Move is the change of one partition, with the placement it starts from: a move is never applied to any other.
type Move struct {
	Topic      string   `json:"topic"`
	Partition  int32    `json:"partition"`
	From       []int32  `json:"from"` // the whole replica list, in order
	To         []int32  `json:"to"`   // the whole replica list, in order; the first is the preferred leader
	FromLeader int32    `json:"fromLeader"`
	ToLeader   int32    `json:"toLeader"`
	Kind       MoveKind `json:"kind"`
	Reason     string   `json:"reason"`
	CopyBytes  int64    `json:"copyBytes"` // bytes copied between brokers, estimated from the leader's size
}

// Name returns the partition that moves.
func (m *Move) Name() TopicPartition { return TopicPartition{m.Topic, m.Partition} }
