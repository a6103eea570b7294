package search

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kafka-pilot/pilot/internal/dense"
)

// rich makes a problem with racks, topics under caps, mixed factors, fixed partitions and replicas that may not lead.
// Hard boxes reach as far as the start, targets are the equal share give or take a tenth and one.
func rich(t *rapid.T) *Problem {
	brokers := rapid.IntRange(3, 8).Draw(t, "brokers")
	m := &dense.Model{Brokers: brokers, Racks: rapid.IntRange(1, 3).Draw(t, "racks"), First: []int32{0}}
	m.RackBrokers = make([]int32, m.Racks)
	for b := range brokers {
		m.Rack = append(m.Rack, int32(b%m.Racks))
		m.Receives = append(m.Receives, rapid.IntRange(0, 9).Draw(t, "receives") > 0)
		if m.Receives[b] {
			m.RackBrokers[b%m.Racks]++
		}
	}
	for topic := range rapid.IntRange(1, 4).Draw(t, "topics") {
		first, factor := int32(m.Partitions()), rapid.IntRange(1, 3).Draw(t, "factor")
		for range rapid.IntRange(1, 12).Draw(t, "partitions") {
			addPartition(t, m, int32(topic), factor)
		}
		m.Topics = append(m.Topics, dense.Topic{First: first, End: int32(m.Partitions()),
			LeaderCap: int32(rapid.IntRange(0, 5).Draw(t, "leader cap")), ReplicaCap: int32(rapid.IntRange(0, 8).Draw(t, "replica cap"))})
	}
	p := &Problem{Model: m, Cells: make([]Cell, brokers*dense.Loads)}
	if p.RackAware = m.Racks > 1 && rapid.Bool().Draw(t, "rack aware"); p.RackAware {
		p.QuotaLow, p.QuotaHigh = evenQuotas(m.Racks)
	}
	box(p)
	return p
}

func addPartition(t *rapid.T, m *dense.Model, topic int32, factor int) {
	brokers := make([]int32, m.Brokers)
	for b := range brokers {
		brokers[b] = int32(b)
	}
	size, rate := int64(rapid.IntRange(0, 50).Draw(t, "size")), int64(rapid.IntRange(0, 100).Draw(t, "rate"))
	m.Lead = append(m.Lead, int32(len(m.At)+rapid.IntRange(0, factor-1).Draw(t, "leader")))
	for _, b := range rapid.Permutation(brokers).Draw(t, "replicas")[:factor] {
		m.At = append(m.At, b)
		m.Size = append(m.Size, size+int64(rapid.IntRange(0, 2).Draw(t, "more")))
		m.CanLead = append(m.CanLead, rapid.IntRange(0, 9).Draw(t, "in sync") > 0)
	}
	m.First = append(m.First, int32(len(m.At)))
	m.Copy = append(m.Copy, size)
	m.Use = append(m.Use, [4]int64{rate, 2 * rate, rate, 3 * rate})
	m.Fixed = append(m.Fixed, rapid.IntRange(0, 9).Draw(t, "fixed") == 0)
	m.Topic = append(m.Topic, topic)
}

func evenQuotas(racks int) (low, high [][]int32) {
	for factor := range 4 {
		low, high = append(low, make([]int32, racks)), append(high, make([]int32, racks))
		for r := range racks {
			low[factor][r], high[factor][r] = int32(factor/racks), int32((factor+racks-1)/racks)
		}
	}
	return low, high
}

func box(p *Problem) {
	s := newState(p, 0)
	for m := range dense.Loads {
		sum := int64(0)
		for b := range p.Brokers {
			sum += s.load[b*dense.Loads+m]
		}
		fair := float64(sum) / float64(p.Brokers)
		low, high := int64(fair*0.9)-1, int64(fair*1.1)+1
		for b := range p.Brokers {
			k := b*dense.Loads + m
			p.Cells[k] = Cell{HardLow: min(low, s.load[k]), HardHigh: max(high, s.load[k]), Low: low, High: high, Inverse: 1 / max(fair, 1), Weight: 1}
			if !p.Receives[b] {
				p.Cells[k].HardLow, p.Cells[k].Low = 0, 0
			}
		}
	}
}

// sound checks by counting again that a state is what its placement says, and that it broke no rule on its way.
func sound(t require.TestingT, p *Problem, s *state) {
	m := *p.Model
	m.At, m.Lead = s.at, s.lead
	again := *p
	again.Model = &m
	o := newState(&again, 0)
	for i, b := range s.at { // sizes follow the home of a replica, not where it is now
		o.load[int(b)*dense.Loads+dense.Disk] += s.size(int32(i), b) - p.Size[i]
	}
	o.price()
	require.Equal(t, o.load, s.load)
	require.Equal(t, o.cost, s.cost)
	require.Equal(t, o.broker, s.broker)
	require.Equal(t, o.total, s.total)
	require.Equal(t, o.spread, s.spread)
	for b, list := range s.hosted {
		require.Len(t, list, len(o.hosted[b]))
		for n, i := range list {
			require.Equal(t, int32(b), s.at[i])
			require.Equal(t, int32(n), s.pos[i])
		}
	}
	for q := range int32(p.Partitions()) {
		lawful(t, p, s, q)
	}
	spreads(t, p, s)
}

func lawful(t require.TestingT, p *Problem, s *state, q int32) {
	first, end := p.Slots(q)
	now, then := s.at[first:end], p.At[first:end]
	if p.Fixed[q] {
		require.Equal(t, then, now, "fixed")
		require.Equal(t, p.Lead[q], s.lead[q], "fixed")
	}
	racksNow, racksThen := map[int32]bool{}, map[int32]bool{}
	for k, b := range now {
		require.NotContains(t, now[:k], b, "two replicas on one broker")
		racksNow[p.Rack[b]], racksThen[p.Rack[then[k]]] = true, true
		if !p.Receives[b] {
			require.Contains(t, then, b, "a broker that takes nothing new")
		}
	}
	require.GreaterOrEqual(t, len(racksNow), len(racksThen), "racks")
	if lead := s.lead[q]; lead != p.Lead[q] {
		require.True(t, p.Receives[s.at[lead]] && (p.CanLead[lead] || s.at[lead] != p.At[lead]), "who may lead")
	}
}

// spreads counts topics anew: nobody is pushed over a cap.
func spreads(t require.TestingT, p *Problem, s *state) {
	for n := range p.Topics {
		topic := &p.Topics[n]
		for b := range int32(p.Brokers) {
			leads, led, holds, held := int32(0), int32(0), int32(0), int32(0)
			for q := topic.First; q < topic.End; q++ {
				if s.at[s.lead[q]] == b {
					leads++
				}
				if p.At[p.Lead[q]] == b {
					led++
				}
				first, end := p.Slots(q)
				if slices.Contains(s.at[first:end], b) {
					holds++
				}
				if slices.Contains(p.At[first:end], b) {
					held++
				}
			}
			require.Equal(t, leads, s.leads(int32(n), b))
			require.Equal(t, holds, s.holds(int32(n), b))
			if topic.LeaderCap > 0 {
				require.LessOrEqual(t, leads, max(topic.LeaderCap, led), "leaders of topic %d on %d", n, b)
			}
			if topic.ReplicaCap > 0 && !p.RackAware { // racks may make a broker hold more than its share
				require.LessOrEqual(t, holds, max(topic.ReplicaCap, held), "replicas of topic %d on %d", n, b)
			}
		}
	}
}

// Whatever phase runs, in whatever state, boxes, caps, racks and sums hold, and the score does not rise.
func TestEveryPhaseKeepsTheRules(t *testing.T) {
	both := func(s *state) { s.pass((*state).improveLeadership); s.pass((*state).improveReplicas) }
	for _, phase := range []struct {
		name   string
		before func(*state)
		run    func(*state)
	}{
		{"leadership", nil, func(s *state) { s.pass((*state).improveLeadership) }},
		{"exchanges", nil, func(s *state) { s.pass((*state).exchange) }},
		{"rotations", nil, func(s *state) { s.pass((*state).rotate) }},
		{"replicas", nil, func(s *state) { s.pass((*state).improveReplicas) }},
		{"chains", nil, func(s *state) { s.pass((*state).chain) }},
		{"trades", nil, func(s *state) { s.pass((*state).trade) }},
		{"concede", nil, (*state).concede},
		{"prune", both, (*state).prune},
		{"detours", both, func(s *state) { s.pruneDetours() }},
		{"polish", both, (*state).polishBytes},
		{"mend", both, func(s *state) { s.mend(true) }},
	} {
		t.Run(phase.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := rich(t)
				s := newState(p, rapid.Uint64Range(0, 3).Draw(t, "seed"))
				start := slices.Clone(s.load)
				if phase.before != nil {
					phase.before(s)
				}
				before := s.total
				phase.run(s)
				require.LessOrEqual(t, s.total, before)
				require.True(t, s.keeps(start), "boxes")
				sound(t, p, s)
			})
		})
	}
}

// Filling and fitting aim at boxes and may cost another load something inside its own.
func TestFillingKeepsTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rich(t)
		s := newState(p, 0)
		start := slices.Clone(s.load)
		s.fill()
		s.fitDisk()
		require.True(t, s.keeps(start), "boxes")
		sound(t, p, s)
	})
}

func TestWholeSearchesKeepTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rich(t)
		p.KeepTopics, p.Refine, p.Restarts = rapid.Bool().Draw(t, "keep"), rapid.Bool().Draw(t, "refine"), 1
		s := newState(p, 0)
		start, before, crowded := slices.Clone(s.load), s.total, s.crowded()
		r := Search(p)
		s.restore(r.At, r.Lead)
		sound(t, p, s)
		require.True(t, s.keeps(start))
		require.Equal(t, s.total, r.Score)
		require.LessOrEqual(t, r.Crowded, crowded)
		if r.Crowded == crowded {
			require.LessOrEqual(t, r.Score, before)
		}
		most := rapid.IntRange(0, 5).Draw(t, "most")
		cut := Trim(p, r, most)
		s.restore(cut.At, cut.Lead)
		sound(t, p, s)
		require.True(t, s.keeps(start))
		require.LessOrEqual(t, len(s.changedPartitions()), most)
		for _, q := range s.changedPartitions() {
			first, end := p.Slots(q)
			require.Equal(t, r.At[first:end], cut.At[first:end], "a change is kept whole")
			require.Equal(t, r.Lead[q], cut.Lead[q])
		}
	})
}

// Undoing brings everything back, whatever was done.
func TestUndo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rich(t)
		s, fresh := newState(p, 0), newState(p, 0)
		s.begin()
		for range rapid.IntRange(0, 30).Draw(t, "changes") {
			i := int32(rapid.IntRange(0, len(p.At)-1).Draw(t, "slot"))
			if b := int32(rapid.IntRange(0, p.Brokers-1).Draw(t, "broker")); rapid.Bool().Draw(t, "move") && !s.hosts(s.part[i], b) {
				s.place(i, b)
			} else {
				s.give(i)
			}
		}
		s.end(false)
		require.Equal(t, fresh.at, s.at)
		require.Equal(t, fresh.lead, s.lead)
		require.Equal(t, fresh.load, s.load)
		require.Equal(t, fresh.total, s.total)
		require.Equal(t, fresh.spread, s.spread)
	})
}
