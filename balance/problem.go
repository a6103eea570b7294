package balance

import (
	"math"
	"slices"

	"github.com/kafka-pilot/pilot/internal/dense"
	"github.com/kafka-pilot/pilot/internal/search"
)

// tripped lists the broker and load pairs beyond the act line, in the order of the brokers.
func (g *ground) tripped(r *Report) []tripped {
	var list []tripped
	for i := range r.Brokers {
		for m := range r.Brokers[i].Loads {
			if d := &r.Brokers[i].Loads[m]; d.Distance > g.actLine() {
				list = append(list, tripped{r.Brokers[i].Broker, Metric(m), *d})
			}
		}
	}
	return list
}

type tripped struct {
	broker int32
	load   Metric
	at     Distance
}

// actLine is the distance beyond which a broker starts a plan. The margin keeps a broker that is exactly on the line
// from tripping by the last bit of a sum.
func (g *ground) actLine() float64 { return 2*g.policy.Threshold + 1e-9 }

// released says what a search may ignore: causes of limits are found by planning again with one thing released.
type released struct {
	loads    [NumMetrics]bool
	cooldown bool
	racks    bool
	floors   bool
	wider    bool // the 10% allowance: brokers may end up to the act line
	counts   bool // a small count fix: whoever is beyond the act line ends within it, the others stay where they are
}

// problem turns the reading into what the search works on.
func (g *ground) problem(before *Report, free released) *search.Problem {
	p := &search.Problem{Model: g.model(free), Cells: g.cells(before, free)}
	p.RackAware = g.racked && !free.racks
	if p.RackAware {
		t := g.quotaTable()
		p.QuotaLow, p.QuotaHigh = t.low, t.high
	}
	p.KeepTopics = g.policy.HoldTopicCaps
	p.LeadersOnly = len(g.tripped(before)) == 0 // a concentrated topic alone is put right without copying (row PLAN-11)
	if len(g.policy.Gates) > 0 {
		p.Allow = g.gate
	}
	p.Refine = len(p.At) <= refineMost
	if len(p.At) <= restartMost {
		p.Restarts = 3
	}
	return p
}

// Up to so many replicas a search is refined, and begun several times: both cost little there and find what is better.
const (
	refineMost  = 12_000
	restartMost = 10_000
)

// gate asks every gate of the policy.
func (g *ground) gate(q int32, brokers []int32) bool {
	to := make([]int32, len(brokers))
	for i, b := range brokers {
		to[i] = g.c.Brokers[b].ID
	}
	for _, gate := range g.policy.Gates {
		if gate.Allow(&g.c.Partitions[q], to) != nil {
			return false
		}
	}
	return true
}

// model returns the reading as flat arrays, which are made once, with what is released.
func (g *ground) model(free released) *dense.Model {
	if g.flat == nil {
		g.flat = g.flatten()
	}
	m := *g.flat
	if free.racks {
		m.Racks, m.Rack = 1, make([]int32, len(g.c.Brokers))
	}
	if free.cooldown {
		m.Fixed = make([]bool, len(g.c.Partitions))
		for i := range m.Fixed {
			m.Fixed[i] = g.fixed(&g.c.Partitions[i], free)
		}
	}
	return &m
}

// fixed reports whether optional balancing leaves a partition alone: it moved a short while ago, moves now, is not
// measured, or has no leader or replicas out of sync, which a repair comes before.
func (g *ground) fixed(p *Partition, free released) bool {
	if p.Moving != nil || p.Unmeasured || len(p.ISR) < len(p.Replicas) || !slices.Contains(p.Replicas, p.Leader) {
		return true
	}
	return p.Cooldown && !free.cooldown
}

// finest bounds what all partitions carry together, in model units: sums of it stay exact.
const finest = 1e15

// inboundWeight is small beside the weights of the loads: inbound replication ranks changes that help a load, and
// starts none.
const inboundWeight = 0.25

// inboundCell is the box of what a broker receives for the replicas it hosts: the mean, give or take the threshold.
func (g *ground) inboundCell(s float64) search.Cell {
	sum := 0.0
	for i := range g.c.Partitions {
		sum += float64(g.c.Partitions[i].ProduceBytes * float64(len(g.c.Partitions[i].Replicas)))
	}
	mean := sum * s / float64(len(g.active))
	if mean <= 0 {
		return search.Cell{HardHigh: math.MaxInt64, High: math.MaxInt64}
	}
	return search.Cell{HardHigh: math.MaxInt64, Low: int64(mean * (1 - g.policy.Threshold)), High: int64(mean * (1 + g.policy.Threshold)),
		Inverse: 1 / mean, Weight: inboundWeight}
}

// scales are the numbers of model units in one unit of each load: one for counts and bytes on disk, for rates a power of
// ten that is as fine as the total allows.
func (g *ground) scales() Load {
	var total, s Load
	for i := range g.c.Partitions {
		for m := range total {
			total[m] += carried(&g.c.Partitions[i], Metric(m))
		}
	}
	for m := range s {
		s[m] = 1
		for m >= dense.Rates && s[m] < 1e9 && total[m]*s[m]*10 <= finest {
			s[m] *= 10
		}
		for m >= dense.Rates && total[m]*s[m] > finest {
			s[m] /= 10
		}
	}
	return s
}

// cells are the boxes of domain rules: the hard interval that no plan leaves, and the target that it aims at.
func (g *ground) cells(before *Report, free released) []search.Cell {
	cells, scales := make([]search.Cell, len(g.c.Brokers)*dense.Loads), g.scales()
	for k := range cells {
		cells[k] = search.Cell{HardLow: 0, HardHigh: math.MaxInt64, Low: 0, High: math.MaxInt64}
	}
	inbound := g.inboundCell(scales[ProducerBytes])
	var trips [NumMetrics]bool
	for _, t := range g.tripped(before) {
		trips[t.load] = true
	}
	for i, b := range g.active {
		for m := 0; m < NumMetrics; m++ {
			if g.live[m] && !free.loads[m] {
				cells[b*dense.Loads+m] = g.cell(b, m, scales[m], before.Brokers[i].Loads[m].Distance, trips[m], free)
			}
		}
		cells[b*dense.Loads+dense.Inbound] = inbound
	}
	for b := range g.c.Brokers {
		if g.c.Brokers[b].State != Active { // may only shrink
			for m := 0; m < NumMetrics; m++ {
				cells[b*dense.Loads+m].HardHigh = 0
			}
		}
	}
	return cells
}

func (g *ground) cell(b, m int, s, start float64, trips bool, free released) search.Cell {
	fair, unit := g.fair[b][m], g.unit[m]
	within := func(d float64) (int64, int64) {
		return int64(math.Ceil((fair*(1-d)-unit)*s - 1e-6)), int64(math.Floor((fair*(1+d)+unit)*s + 1e-6))
	}
	if g.below[m] {
		if free.floors {
			return search.Cell{HardHigh: math.MaxInt64, High: math.MaxInt64}
		}
		equal := g.total[m] / float64(len(g.active))
		low, high := int64(math.Floor((equal-g.floor[m])*s))+1, int64(math.Ceil((equal+g.floor[m])*s))-1
		return search.Cell{HardLow: low, HardHigh: high, Low: low, High: high, Inverse: 1 / (equal * s)}
	}
	guard := math.Max(g.policy.Threshold, start)
	if free.wider {
		guard = math.Max(guard, 2*g.policy.Threshold)
	}
	var c search.Cell
	c.HardLow, c.HardHigh = within(guard)
	c.Low, c.High = c.HardLow, c.HardHigh
	switch {
	case free.counts && start > g.actLine():
		c.Low, c.High = within(2 * g.policy.Threshold)
	case trips && !free.counts:
		c.Low, c.High = within(g.policy.Threshold)
	}
	c.Weight = g.policy.Weights[m]
	if fair > 0 {
		c.Inverse = 1 / (fair * s)
	}
	return c
}
