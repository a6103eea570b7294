package search

import "github.com/kafka-pilot/pilot/internal/dense"

// state is a placement in the making.
type state struct {
	*Problem
	at        []int32   // slot → broker
	lead      []int32   // partition → slot
	part      []int32   // slot → partition
	load      []int64   // broker × dense.Loads + load
	cost      []int64   // the penalty of each cell at its load
	hosted    [][]int32 // broker → slots, in an order that only changes of this broker touch
	pos       []int32   // slot → index in hosted
	seed      uint64
	evaluated int64
	effort    int64
	ring      []int32 // scratch: brokers of one partition
	racks     []int32 // scratch: replicas of one partition per rack
	before    []int32 // scratch: the same before a change
}

func newState(p *Problem, seed uint64) *state {
	s := &state{
		Problem: p, seed: seed, effort: p.Effort,
		at:     append([]int32(nil), p.At...),
		lead:   append([]int32(nil), p.Lead...),
		part:   make([]int32, len(p.At)),
		pos:    make([]int32, len(p.At)),
		load:   make([]int64, p.Brokers*dense.Loads),
		cost:   make([]int64, p.Brokers*dense.Loads),
		hosted: make([][]int32, p.Brokers),
		racks:  make([]int32, p.Racks),
		before: make([]int32, p.Racks),
	}
	if s.effort == 0 {
		s.effort = 500_000 + 10_000*min(int64(len(p.At)), 3_000)
	}
	count := make([]int, p.Brokers)
	for _, b := range p.At {
		count[b]++
	}
	for k := range s.cost {
		s.cost[k] = s.Cells[k].penalty(0)
	}
	for b, n := range count {
		s.hosted[b] = make([]int32, 0, n+n/8)
	}
	for q := int32(0); q < int32(p.Partitions()); q++ {
		first, end := p.Slots(q)
		for i := first; i < end; i++ {
			s.part[i] = q
			s.host(i, p.At[i])
			s.add(p.At[i], s.replica(i, p.Size[i]), 1)
		}
	}
	return s
}

// replica returns what slot i adds to the broker that hosts it with the given number of bytes.
func (s *state) replica(i int32, bytes int64) dense.Vector {
	q := s.part[i]
	if s.lead[q] == i {
		u := &s.Use[q]
		return dense.Vector{1, 0, bytes, u[0], u[1], u[2], u[3]}
	}
	return dense.Vector{0, 1, bytes}
}

// size returns the bytes of slot i on broker b: its own at home, a copy of the leader's elsewhere.
func (s *state) size(i, b int32) int64 {
	if s.At[i] == b {
		return s.Size[i]
	}
	return s.Copy[s.part[i]]
}

func (s *state) add(b int32, d dense.Vector, sign int64) {
	base := int(b) * dense.Loads
	for m := range d {
		if d[m] != 0 {
			s.load[base+m] += sign * d[m]
			s.cost[base+m] = s.Cells[base+m].penalty(s.load[base+m])
		}
	}
}

func (s *state) host(i, b int32) {
	s.at[i] = b
	s.pos[i] = int32(len(s.hosted[b]))
	s.hosted[b] = append(s.hosted[b], i)
}

func (s *state) unhost(i int32) {
	list := s.hosted[s.at[i]]
	last := list[len(list)-1]
	list[s.pos[i]] = last
	s.pos[last] = s.pos[i]
	s.hosted[s.at[i]] = list[:len(list)-1]
}

// give makes slot i the leader of its partition.
func (s *state) give(i int32) {
	q := s.part[i]
	d := s.Leadership(q)
	s.add(s.at[s.lead[q]], d, -1)
	s.add(s.at[i], d, 1)
	s.lead[q] = i
}

// place moves slot i to broker b, with the leadership if it has it.
func (s *state) place(i, b int32) {
	a := s.at[i]
	s.add(a, s.replica(i, s.size(i, a)), -1)
	s.add(b, s.replica(i, s.size(i, b)), 1)
	s.unhost(i)
	s.host(i, b)
}

func (s *state) brokerPenalty(b int32) int64 {
	var sum int64
	base := int(b) * dense.Loads
	for m := 0; m < dense.Loads; m++ {
		sum += s.cost[base+m]
	}
	return sum
}

func (s *state) score() (sum, worst int64) {
	for _, n := range s.cost {
		sum += n
		worst = max(worst, n)
	}
	return sum, worst
}

// mayLead reports whether slot i may become the leader of its partition.
func (s *state) mayLead(i int32) bool {
	b := s.at[i]
	if !s.Receives[b] {
		return false
	}
	// A replica that is still to be copied is in sync before it is asked to lead.
	return s.CanLead[i] || b != s.At[i]
}

func (s *state) spent() bool { return s.evaluated > s.effort }

// allowed asks the gates about partition q with slot i leading and slot j on broker b; j < 0 changes no broker.
func (s *state) allowed(q, i, j, b int32) bool {
	if s.Allow == nil {
		return true
	}
	on := func(k int32) int32 {
		if k == j {
			return b
		}
		return s.at[k]
	}
	s.ring = append(s.ring[:0], on(i))
	first, end := s.Slots(q)
	for k := first; k < end; k++ {
		if k != i {
			s.ring = append(s.ring, on(k))
		}
	}
	return s.Allow(q, s.ring)
}
