package balance

import (
	"fmt"
	"strconv"
	"time"
)

// Cluster is one reading of a Kafka cluster. It is read-only once made: nothing in this module changes a Cluster
// that it was given. Brokers are sorted by ID, Topics by name, Partitions by topic and ID; Sort brings a hand-made
// one into that order and Validate says what is wrong with it.
type Cluster struct {
	TakenAt    time.Time
	Brokers    []Broker
	Topics     []Topic // a topic that is left out has the defaults of Topic's fields
	Partitions []Partition
}

// BrokerState says whether a broker may carry load.
type BrokerState uint8

const (
	// Active brokers lead, receive and have a fair share.
	Active BrokerState = iota
	// Maintenance marks a broker that is drained on purpose: it receives nothing, leads nothing and has no share.
	Maintenance
	// Unavailable marks a broker that is down and not in maintenance: balancing pauses until it is back or drained.
	Unavailable
)

var brokerStates = [...]string{"active", "maintenance", "unavailable"}

// String returns "active", "maintenance" or "unavailable".
func (s BrokerState) String() string {
	if int(s) < len(brokerStates) {
		return brokerStates[s]
	}
	return fmt.Sprintf("state(%d)", uint8(s))
}

// MarshalText writes the name of the state.
func (s BrokerState) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a state by name; an empty text is Active.
func (s *BrokerState) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*s = Active
		return nil
	}
	for i, name := range brokerStates {
		if name == string(text) {
			*s = BrokerState(i)
			return nil
		}
	}
	return fmt.Errorf("unknown broker state %q: use active, maintenance or unavailable", text)
}

// Broker is one broker of the cluster.
type Broker struct {
	ID    int32
	Host  string // the advertised host, without the port
	Rack  string // broker.rack; "" is unknown
	State BrokerState
}

// Topic holds what a decision needs to know of a topic beyond its partitions.
type Topic struct {
	Name         string
	ID           string // Kafka's topic UUID; "" is unknown. History is kept by it, since a name can be created again
	Compacted    bool   // cleanup.policy contains compact
	SegmentBytes int64  // segment.bytes
	MinISR       int32  // effective min.insync.replicas; 0 is unknown
	Internal     bool   // Kafka's own topics, such as __consumer_offsets
}

// TopicPartition names a partition.
type TopicPartition struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
}

// String returns "topic-partition", the name of the partition's directory on a broker.
func (tp TopicPartition) String() string { return tp.Topic + "-" + strconv.Itoa(int(tp.Partition)) }

// Compare orders by topic, then by partition.
func (tp TopicPartition) Compare(o TopicPartition) int {
	switch {
	case tp.Topic < o.Topic:
		return -1
	case tp.Topic > o.Topic:
		return 1
	}
	return int(tp.Partition) - int(o.Partition)
}

// Partition is one partition: where it is, how large it is and how much it is used. Rates and sizes that balancing
// reads are means over about 30 minutes (row BAL-09).
type Partition struct {
	Topic    string
	ID       int32
	Leader   int32   // -1 is none
	Replicas []int32 // target order, without those being removed; the first is the preferred leader
	ISR      []int32 // in-sync replicas

	SizeBytes    int64   // bytes of a replica, where ReplicaBytes does not say otherwise
	ReplicaBytes []int64 // bytes per replica in the order of Replicas; nil means SizeBytes each

	ProduceMessages float64 // messages per second
	ProduceBytes    float64 // bytes per second
	ConsumeMessages float64 // messages per second
	ConsumeBytes    float64 // bytes per second

	Moving     *Change // the reassignment in flight, nil when there is none
	Cooldown   bool    // moved less than 30 minutes ago: optional balancing leaves it alone
	Unmeasured bool    // its size or rates are not known: optional balancing leaves it alone
}

// Change is a reassignment in flight, as the controller lists it.
type Change struct {
	Adding   []int32
	Removing []int32
}

// Name returns the partition's topic and number.
func (p *Partition) Name() TopicPartition { return TopicPartition{p.Topic, p.ID} }

// ReplicaSize returns the bytes of the i-th replica.
func (p *Partition) ReplicaSize(i int) int64 {
	if i < len(p.ReplicaBytes) {
		return p.ReplicaBytes[i]
	}
	return p.SizeBytes
}

// LeaderSize returns the bytes of the leader's replica, which is what a new replica copies. Without a leader it is
// the largest replica.
func (p *Partition) LeaderSize() int64 {
	var most int64
	for i, b := range p.Replicas {
		n := p.ReplicaSize(i)
		if b == p.Leader {
			return n
		}
		most = max(most, n)
	}
	return most
}
