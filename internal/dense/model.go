// Package dense holds a cluster as flat arrays of integers, the form in which the search works on it.
//
// Loads are integers, so that sums do not depend on the order in which they are made and compare the same on every
// processor: counts as they are, disk in bytes, rates in a unit that whoever makes the model chooses for each.
package dense

// Loads is the number of loads in a vector: the seven that are balanced and, last, the inbound replication.
const Loads = 8

// Judged is the number of loads by which brokers are judged: all but the last.
const Judged = 7

// Positions of the loads in a Vector.
const (
	Leaders = iota
	Followers
	Disk
	Rates       // the first of the four rates
	Inbound = 7 // bytes per second written to every replica hosted; no broker is judged by it
)

// Vector holds one integer per load.
type Vector [Loads]int64

// Model is a cluster as flat arrays. Brokers, partitions and racks are numbered from 0. A slot is one replica; the
// slots of partition p are First[p] to First[p+1]-1.
type Model struct {
	Brokers     int
	Racks       int
	Rack        []int32    // broker → rack
	RackBrokers []int32    // rack → brokers that may receive
	Receives    []bool     // broker → may get replicas and leadership
	First       []int32    // partition → first slot; one more element than partitions
	At          []int32    // slot → broker
	Size        []int64    // slot → bytes
	CanLead     []bool     // slot → in sync, so that it may lead
	Lead        []int32    // partition → slot of the leader
	Copy        []int64    // partition → bytes that a new replica copies
	Use         [][4]int64 // partition → the four rates
	Fixed       []bool     // partition → must stay as it is
	Topic       []int32    // partition → topic
	Topics      []Topic
}

// Topic is a run of neighbouring partitions and how many of them one broker should have.
type Topic struct {
	First, End int32 // its partitions are First to End-1
	LeaderCap  int32 // the most that one broker should lead; 0 is no cap
	ReplicaCap int32 // the most replicas that one broker should hold; 0 is no cap
}

// Partitions returns the number of partitions.
func (m *Model) Partitions() int { return len(m.Lead) }

// Slots returns the first slot of partition p and the one after its last.
func (m *Model) Slots(p int32) (int32, int32) { return m.First[p], m.First[p+1] }

// ProducerBytes is the position of the written bytes among the four rates of a partition.
const ProducerBytes = 1

// Leadership returns what moving the leadership of p adds to its new leader and takes from the old one.
func (m *Model) Leadership(p int32) Vector {
	u := &m.Use[p]
	return Vector{1, -1, 0, u[0], u[1], u[2], u[3], 0}
}
