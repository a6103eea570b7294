package search

import "github.com/kafka-pilot/pilot/internal/dense"

// state is a placement in the making.
type state struct {
	*Problem
	at     []int32   // slot → broker
	lead   []int32   // partition → slot
	part   []int32   // slot → partition
	load   []int64   // broker × dense.Loads + load
	cost   []int64   // the penalty of each cell at its load
	broker []int64   // broker → sum of the penalties of its judged loads
	total  int64     // sum over all brokers
	mean   int64     // bytes of the mean replica, at least 1
	hosted [][]int32 // broker → slots, in an order that only changes of this broker touch
	pos    []int32   // slot → index in hosted
	spread spread

	seed      uint64
	evaluated int64
	effort    int64
	lifted    bool // inside a chain: leaving a hard box costs instead of being refused
	conceding bool // a broker may lead as much of a topic as at the start, cap or not
	log       []change
	logging   bool

	work     worklist
	pool     pool
	joined   joined
	gathered []hosting // scratch
	ring     []int32   // scratch: brokers of one partition
	racks    []int32   // scratch: replicas of one partition per rack
	before   []int32   // scratch: the same before a change
	visited  []int32   // scratch: brokers of one attempt
	loads    []int64   // scratch: their loads before it
}

// change is what undoing needs: the leader slot of a partition, or the broker of a slot, before a change.
type change struct {
	slot   int32
	before int32
	lead   bool
}

// effort is how many changes a search may look at: some thousand for each replica of a small cluster, some dozen for
// each of a large one. It is spent to the end only where brokers cannot be evened.
func (p *Problem) effort() int64 {
	if p.Effort > 0 {
		return p.Effort
	}
	slots := int64(len(p.At))
	return 400_000 + 1_000*min(slots, 10_000) + 30*slots
}

func newState(p *Problem, seed uint64) *state {
	s := &state{
		Problem: p, seed: seed, effort: p.effort(),
		at:     append([]int32(nil), p.At...),
		lead:   append([]int32(nil), p.Lead...),
		part:   make([]int32, len(p.At)),
		pos:    make([]int32, len(p.At)),
		load:   make([]int64, p.Brokers*dense.Loads),
		cost:   make([]int64, p.Brokers*dense.Loads),
		broker: make([]int64, p.Brokers),
		hosted: make([][]int32, p.Brokers),
		racks:  make([]int32, p.Racks),
		before: make([]int32, p.Racks),
	}
	count := make([]int, p.Brokers)
	for _, b := range p.At {
		count[b]++
	}
	for b, n := range count {
		s.hosted[b] = make([]int32, 0, n+n/8)
	}
	s.spread.init(p)
	for q := range int32(p.Partitions()) {
		first, end := p.Slots(q)
		for i := first; i < end; i++ {
			s.part[i] = q
			s.host(i, p.At[i])
			d := s.replica(i, p.Size[i])
			base := int(p.At[i]) * dense.Loads
			for m := range d {
				s.load[base+m] += d[m]
			}
		}
	}
	s.mean = 1
	for _, n := range p.Copy {
		s.mean += n / int64(len(p.Copy))
	}
	s.price()
	return s
}

// price works out every penalty from the loads.
func (s *state) price() {
	s.total = 0
	for b := range s.broker {
		s.broker[b] = 0
		for m := range dense.Loads {
			k := b*dense.Loads + m
			s.cost[k] = s.Cells[k].penalty(s.load[k])
			if m < dense.Judged {
				s.broker[b] += s.cost[k]
			}
		}
		s.total += s.broker[b]
	}
}

// replica returns what slot i adds to the broker that hosts it with the given number of bytes.
func (s *state) replica(i int32, bytes int64) dense.Vector {
	q := s.part[i]
	u := &s.Use[q]
	if s.lead[q] == i {
		return dense.Vector{1, 0, bytes, u[0], u[1], u[2], u[3], u[dense.ProducerBytes]}
	}
	return dense.Vector{0, 1, bytes, 0, 0, 0, 0, u[dense.ProducerBytes]}
}

// size returns the bytes of slot i on broker b: its own at home, a copy of the leader's elsewhere.
func (s *state) size(i, b int32) int64 {
	if s.At[i] == b {
		return s.Size[i]
	}
	return s.Copy[s.part[i]]
}

func (s *state) add(b int32, d *dense.Vector, sign int64) {
	base := int(b) * dense.Loads
	for m := range d {
		if d[m] == 0 {
			continue
		}
		k := base + m
		s.load[k] += sign * d[m]
		n := s.Cells[k].penalty(s.load[k])
		if m < dense.Judged {
			s.broker[b] += n - s.cost[k]
			s.total += n - s.cost[k]
		}
		s.cost[k] = n
	}
	s.work.touch(b)
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
	old := s.lead[q]
	s.add(s.at[old], &d, -1)
	s.add(s.at[i], &d, 1)
	s.spread.lead(s.Topic[q], s.at[old], s.at[i])
	s.lead[q] = i
	if s.logging {
		s.log = append(s.log, change{i, old, true})
	}
}

// place moves slot i to broker b, with the leadership if it has it.
func (s *state) place(i, b int32) {
	a := s.at[i]
	out, in := s.replica(i, s.size(i, a)), s.replica(i, s.size(i, b))
	s.add(a, &out, -1)
	s.add(b, &in, 1)
	s.unhost(i)
	s.host(i, b)
	q := s.part[i]
	s.spread.move(s.Topic[q], a, b)
	if s.lead[q] == i {
		s.spread.lead(s.Topic[q], a, b)
	}
	if s.logging {
		s.log = append(s.log, change{i, a, false})
	}
}

// undo takes back what was logged after the given length of the log.
func (s *state) undo(to int) {
	was := s.logging
	s.logging = false
	for n := len(s.log) - 1; n >= to; n-- {
		if c := s.log[n]; c.lead {
			s.give(c.before)
		} else {
			s.place(c.slot, c.before)
		}
	}
	s.log = s.log[:to]
	s.logging = was
}

func (s *state) score() (sum, worst int64) {
	for k, n := range s.cost {
		if k%dense.Loads < dense.Judged {
			worst = max(worst, n)
		}
	}
	return s.total, worst
}

// mayLead reports whether slot i may become the leader of its partition.
func (s *state) mayLead(i int32) bool { return s.mayLeadOn(i, s.at[i]) }

// mayLeadOn reports whether slot i could lead its partition on broker b, as it may where it led at the start.
func (s *state) mayLeadOn(i, b int32) bool {
	if b == s.At[i] && i == s.Lead[s.part[i]] {
		return true
	}
	// A replica that is still to be copied is in sync before it is asked to lead.
	return s.Receives[b] && (s.CanLead[i] || b != s.At[i])
}

func (s *state) spent() bool { return s.evaluated > s.effort }
