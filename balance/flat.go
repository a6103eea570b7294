package balance

import (
	"math"
	"slices"

	"github.com/kafka-pilot/pilot/internal/dense"
)

// flatten writes the reading down as flat arrays.
func (g *ground) flatten() *dense.Model {
	slots := 0
	for i := range g.c.Partitions {
		slots += len(g.c.Partitions[i].Replicas)
	}
	n := len(g.c.Partitions)
	m := &dense.Model{
		Brokers: len(g.c.Brokers), Racks: len(g.racks),
		Rack: make([]int32, len(g.c.Brokers)), Receives: make([]bool, len(g.c.Brokers)), RackBrokers: make([]int32, len(g.racks)),
		First: make([]int32, 1, n+1), At: make([]int32, 0, slots), Size: make([]int64, 0, slots), CanLead: make([]bool, 0, slots),
		Lead: make([]int32, n), Copy: make([]int64, n), Use: make([][4]int64, n), Fixed: make([]bool, n),
		Topic: g.spread.of, Topics: g.spread.topics,
	}
	for r, n := range g.racks {
		m.RackBrokers[r] = int32(n)
	}
	for i := range g.c.Brokers {
		m.Rack[i] = int32(g.rack[i])
		m.Receives[i] = g.c.Brokers[i].State == Active
	}
	scales := g.scales()
	for i := range g.c.Partitions {
		g.append(m, i, &scales)
	}
	return m
}

// append writes one partition down. One that nothing leads counts as led by its first replica and stays as it is.
func (g *ground) append(m *dense.Model, i int, scales *Load) {
	p := &g.c.Partitions[i]
	first := int32(len(m.At))
	m.Lead[i] = first
	for k, b := range p.Replicas {
		m.At = append(m.At, int32(g.index.find(b)))
		m.Size = append(m.Size, p.ReplicaSize(k))
		m.CanLead = append(m.CanLead, slices.Contains(p.ISR, b))
		if b == p.Leader {
			m.Lead[i] = first + int32(k)
		}
	}
	m.First = append(m.First, int32(len(m.At)))
	m.Copy[i] = p.LeaderSize()
	for k, rate := range [4]float64{p.ProduceMessages, p.ProduceBytes, p.ConsumeMessages, p.ConsumeBytes} {
		m.Use[i][k] = int64(math.Round(rate * scales[dense.Rates+k]))
	}
	m.Fixed[i] = g.fixed(p, released{})
}
