// Package dense holds a cluster as flat arrays of integers, the form in which the search works on it.
//
// Loads are integers, so that sums do not depend on the order in which they are made and compare the same on every
// processor: counts as they are, disk in bytes, rates in a unit that whoever makes the model chooses for each.
package dense

// Loads is the number of loads in a vector: leaders, followers, disk and four rates.
const Loads = 7

// Positions of the loads in a Vector.
const (
	Leaders = iota
	Followers
	Disk
	Rates // the first of the four rates
)

// Vector holds one integer per load.
type Vector [Loads]int64

// Model is a cluster as flat arrays. Brokers, partitions and racks are numbered from 0. A slot is one replica; the
// slots of partition p are First[p] to First[p+1]-1.
type Model struct {
	Brokers  int
	Racks    int
	Rack     []int32    // broker → rack
	Receives []bool     // broker → may get replicas and leadership
	First    []int32    // partition → first slot; one more element than partitions
	At       []int32    // slot → broker
	Size     []int64    // slot → bytes
	CanLead  []bool     // slot → in sync, so that it may lead
	Lead     []int32    // partition → slot of the leader
	Copy     []int64    // partition → bytes that a new replica copies
	Use      [][4]int64 // partition → the four rates
	Fixed    []bool     // partition → must stay as it is
}

// Partitions returns the number of partitions.
func (m *Model) Partitions() int { return len(m.Lead) }

// Slots returns the first slot of partition p and the one after its last.
func (m *Model) Slots(p int32) (int32, int32) { return m.First[p], m.First[p+1] }

// Leadership returns what moving the leadership of p adds to its new leader and takes from the old one.
func (m *Model) Leadership(p int32) Vector {
	u := &m.Use[p]
	return Vector{1, -1, 0, u[0], u[1], u[2], u[3]}
}
