package balance

// Status is the state of a decision (row DEC-06). A pure calculation yields the first five; the others need history.
type Status string

const (
	RebalanceRecommended Status = "rebalance_recommended"
	RepairRecommended    Status = "repair_recommended"
	NoneNeeded           Status = "none_needed"
	AtLimit              Status = "at_limit"
	Paused               Status = "paused"
)

// Proposal is the outcome of one calculation: moves with reasons, or the reason for no moves.
type Proposal struct {
	// ID is a hash of the base placement and the moves: the same moves on the same placement have the same ID.
	ID      string `json:"id"`
	Status  Status `json:"status"`
	Message string `json:"message"`
	Moves   []Move `json:"moves"`

	Before Report  `json:"before"`
	After  Report  `json:"after"`
	Limits []Limit `json:"limits"`

	TopicSpread TopicSpread `json:"topicSpread"`
	// Notes are further sentences that a reviewer should read, such as the use of the 10% allowance.
	Notes []string `json:"notes,omitempty"`
}

// TopicSpread names the topics that one broker leads too much of (row PLAN-11).
type TopicSpread struct {
	Concentrated []ConcentratedTopic `json:"concentrated,omitempty"`
}

// ConcentratedTopic is a topic of which one broker leads more partitions than the cap.
type ConcentratedTopic struct {
	Topic      string `json:"topic"`
	Broker     int32  `json:"broker"`
	Leaders    int    `json:"leaders"`    // partitions of the topic that the broker leads now
	After      int    `json:"after"`      // the same after the plan
	Partitions int    `json:"partitions"` // partitions of the topic
	Cap        int    `json:"cap"`        // the most that one broker should lead
	// Limit says what keeps the topic over its cap after the plan; "" where nothing does.
	Limit Cause `json:"limit,omitempty"`
}

// CopyBytes returns the bytes that the whole plan copies between brokers.
func (p *Proposal) CopyBytes() int64 {
	var n int64
	for i := range p.Moves {
		n += p.Moves[i].CopyBytes
	}
	return n
}

// LeaderChanges returns how many partitions change their leader.
func (p *Proposal) LeaderChanges() int {
	n := 0
	for i := range p.Moves {
		if p.Moves[i].FromLeader != p.Moves[i].ToLeader {
			n++
		}
	}
	return n
}
