package scenario

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/kafka-pilot/pilot/balance"
)

const (
	factor = 3
	racks  = 3
)

// maker builds one cluster.
type maker struct {
	Case
	random  *rand.Rand
	cluster *balance.Cluster
	byRack  [racks][]int32 // the brokers that hold something
	holders []int32        // all of them
	next    [racks]int     // where a rack's next replica goes
	weight  []float64      // broker ID → how much of what comes by it keeps
	arena   []int32        // the replica lists, one after the other
}

func (m *maker) brokers() {
	empty := 0
	switch m.Name {
	case New:
		empty = max(1, m.Brokers/10)
	case Refill:
		empty = 1
	}
	m.weight = make([]float64, m.Brokers+1)
	for i := range m.Brokers {
		id, rack := int32(i+1), m.rackOf(i)
		m.cluster.Brokers = append(m.cluster.Brokers, balance.Broker{ID: id, Rack: fmt.Sprintf("r%d", rack)})
		if i < m.Brokers-empty {
			m.byRack[rack] = append(m.byRack[rack], id)
			m.holders = append(m.holders, id)
		}
		m.weight[id] = 1
		if m.Name == Skew || m.Name == Racks {
			m.weight[id] = 0.7 + 0.6*m.random.Float64()
		}
	}
}

// rackOf deals brokers out to racks: in turn, or half of them, a third and the rest.
func (m *maker) rackOf(i int) int {
	if m.Name != Racks {
		return i % racks
	}
	switch {
	case i*2 < m.Brokers:
		return 0
	case i*6 < m.Brokers*5:
		return 1
	}
	return 2
}

func (m *maker) partitions() {
	m.arena = make([]int32, 0, factor*m.Partitions)
	for t := 0; len(m.cluster.Partitions) < m.Partitions; t++ {
		m.topic(fmt.Sprintf("t%06d", t), m.Partitions-len(m.cluster.Partitions))
	}
	if m.Name == Huge {
		m.inflate()
	}
}

// topic makes one topic of at most so many partitions.
func (m *maker) topic(name string, most int) {
	n := min(max(1, int(math.Exp(1.2*m.random.NormFloat64()+3))), most, max(1, m.Partitions/10))
	size := math.Exp(m.random.NormFloat64() + 21)
	rate := math.Exp(m.random.NormFloat64() + 11)
	message, readers := 1000.0, 2.0
	if m.Name == Messages {
		message, readers = math.Exp(1.2*m.random.NormFloat64()+6.5), float64(m.random.IntN(6))
	}
	if m.Name == Even {
		size, rate = 1<<30, 1<<17
	}
	for id := range n {
		within := math.Exp(0.3 * m.random.NormFloat64())
		if m.Name == Even {
			within = 1
		}
		replicas := m.place(len(m.cluster.Partitions))
		m.cluster.Partitions = append(m.cluster.Partitions, balance.Partition{
			Topic: name, ID: int32(id), Leader: replicas[0], Replicas: replicas, ISR: replicas,
			SizeBytes: int64(size * within), ProduceBytes: rate * within, ProduceMessages: rate * within / message,
			ConsumeBytes: readers * rate * within, ConsumeMessages: readers * rate * within / message,
		})
	}
}

// place gives a partition one replica in each rack. Brokers lead in turn, and the brokers of a rack follow in turn; one
// that keeps less than others passes some on within its rack.
func (m *maker) place(n int) []int32 {
	from := len(m.arena)
	leader := m.holders[n%len(m.holders)]
	first := m.rackOf(int(leader) - 1)
	m.arena = append(m.arena, m.pass(leader, first))
	for k := 1; k < factor; k++ {
		rack := (first + k) % racks
		m.arena = append(m.arena, m.pass(m.turn(rack), rack))
	}
	return m.arena[from:len(m.arena):len(m.arena)]
}

func (m *maker) turn(rack int) int32 {
	b := m.byRack[rack][m.next[rack]]
	m.next[rack] = (m.next[rack] + 1) % len(m.byRack[rack])
	return b
}

// pass returns the broker, or another of its rack, the more often the less the broker keeps.
func (m *maker) pass(b int32, rack int) int32 {
	for range 20 {
		if m.random.Float64() < m.weight[b] {
			break
		}
		b = m.byRack[rack][m.random.IntN(len(m.byRack[rack]))]
	}
	return b
}

// inflate makes some partitions a tenth to a half of a broker's share, in size and in traffic.
func (m *maker) inflate() {
	all := m.cluster.Partitions
	var size, rate float64
	for i := range all {
		size += float64(factor * all[i].SizeBytes)
		rate += all[i].ProduceBytes
	}
	size, rate = size/float64(m.Brokers), rate/float64(m.Brokers)
	chosen := m.random.Perm(len(all))[:min(len(all), max(1, m.Brokers/3))]
	slices.Sort(chosen)
	for _, i := range chosen {
		p, part := &all[i], 0.1+0.4*m.random.Float64()
		p.SizeBytes = int64(part * size)
		p.ProduceBytes, p.ConsumeBytes = part*rate, 2*part*rate
		p.ProduceMessages, p.ConsumeMessages = p.ProduceBytes/1000, p.ConsumeBytes/1000
	}
}
