package search

import (
	"sort"

	"github.com/kafka-pilot/pilot/internal/dense"
)

// move puts a slot on a broker, with the leadership if the slot has it.
type move struct {
	slot, to int32
	gain     int64 // change of the score, negative is better
	bytes    int64 // bytes copied, less those that no longer have to be
}

// partnerMost bounds the brokers that one visit exchanges replicas with.
const partnerMost = 16

// improveReplicas makes the one replica move, or else exchange, around broker b that lowers the score well for what it
// copies. It returns the brokers touched.
func (s *state) improveReplicas(b int32) []int32 {
	partners := s.partners(b)
	if m, ok := s.bestMove(b, partners); ok {
		a := s.at[m.slot]
		s.place(m.slot, m.to)
		return []int32{a, m.to}
	}
	if x, ok := s.bestSwap(b, partners); ok {
		c := x.to
		s.place(x.slot, c)
		s.place(x.back, b)
		return []int32{b, c}
	}
	return nil
}

// partners lists the brokers whose loads complement those of b, the best first.
func (s *state) partners(b int32) []int32 {
	list := make([]int32, 0, s.Brokers)
	for c := int32(0); c < int32(s.Brokers); c++ {
		if c != b {
			list = append(list, c)
		}
	}
	fit := make([]float64, s.Brokers)
	for _, c := range list {
		fit[c] = s.complement(b, c)
	}
	sort.SliceStable(list, func(i, j int) bool { return fit[list[i]] > fit[list[j]] })
	return list[:min(len(list), partnerMost)]
}

// complement is large when c lacks what b has too much of, or the other way round.
func (s *state) complement(b, c int32) float64 {
	var sum float64
	for m := 0; m < dense.Loads; m++ {
		sum -= float64(s.off(b, m) * s.off(c, m))
	}
	return sum
}

// off is how far broker b is from the middle of its box, in fair shares.
func (s *state) off(b int32, m int) float64 {
	k := int(b)*dense.Loads + m
	c := &s.Cells[k]
	return float64(float64(s.load[k]-c.Low/2-c.High/2) * c.Inverse)
}

// bestMove looks at every replica of b to each partner and the other way round.
func (s *state) bestMove(b int32, partners []int32) (move, bool) {
	var best move
	for _, c := range partners {
		if s.Receives[c] {
			for _, i := range s.hosted[b] {
				s.tryMove(i, c, &best)
			}
		}
		if s.Receives[b] {
			for _, i := range s.hosted[c] {
				s.tryMove(i, b, &best)
			}
		}
		if s.spent() {
			break
		}
	}
	return best, best.gain < 0
}

func (s *state) tryMove(i, to int32, best *move) {
	q := s.part[i]
	if s.Fixed[q] {
		return
	}
	from := s.at[i]
	minus := s.replica(i, s.size(i, from))
	minus = negative(&minus)
	left, ok := s.change(from, &minus)
	if !ok {
		return
	}
	plus := s.replica(i, s.size(i, to))
	right, ok := s.change(to, &plus)
	if !ok {
		return
	}
	m := move{slot: i, to: to, gain: s.noisy(left+right, i^to), bytes: s.copied(i, to) - s.copied(i, from)}
	if m.gain < 0 && m.better(best) && s.fits(i, to) && s.allowed(q, s.lead[q], i, to) {
		*best = m
	}
}

// copied returns the bytes copied for slot i on broker b.
func (s *state) copied(i, b int32) int64 {
	if s.At[i] == b {
		return 0
	}
	return s.Copy[s.part[i]]
}

// better prefers the larger gain, and among gains that are about equal the fewer bytes (row PLAN-06).
func (m *move) better(o *move) bool {
	if o.gain == 0 {
		return true
	}
	if m.gain < o.gain+o.gain/8 {
		return true
	}
	if o.gain < m.gain+m.gain/8 {
		return false
	}
	if m.bytes != o.bytes {
		return m.bytes < o.bytes
	}
	return m.gain < o.gain
}

// swap exchanges two replicas between two brokers.
type swap struct {
	move
	back int32 // the slot that comes from the other broker
}

// swapMost bounds the replicas of each broker that one exchange looks at.
const swapMost = 160

func (s *state) bestSwap(b int32, partners []int32) (swap, bool) {
	var best swap
	if !s.Receives[b] {
		return best, false
	}
	mine := s.movable(b)
	for _, c := range partners {
		if !s.Receives[c] {
			continue
		}
		theirs := s.movable(c)
		for _, i := range mine {
			for _, k := range theirs {
				s.trySwap(i, k, b, c, &best)
			}
			if s.spent() {
				return best, best.gain < 0
			}
		}
		if best.gain < 0 { // exchanges are dear to look for: the best with the best partner will do
			break
		}
	}
	return best, best.gain < 0
}

// movable lists replicas of b that may move, evenly picked when there are too many.
func (s *state) movable(b int32) []int32 {
	all := s.hosted[b]
	step := len(all)/swapMost + 1
	list := make([]int32, 0, swapMost+1)
	for j := int(s.seed % uint64(step)); j < len(all); j += step {
		if !s.Fixed[s.part[all[j]]] {
			list = append(list, all[j])
		}
	}
	return list
}

func (s *state) trySwap(i, k, b, c int32, best *swap) {
	if s.part[i] == s.part[k] {
		return
	}
	out, in := s.replica(i, s.size(i, b)), s.replica(k, s.size(k, b))
	d := difference(&in, &out)
	left, ok := s.change(b, &d)
	if !ok {
		return
	}
	in, out = s.replica(i, s.size(i, c)), s.replica(k, s.size(k, c))
	d = difference(&in, &out)
	right, ok := s.change(c, &d)
	if !ok {
		return
	}
	x := swap{move: move{slot: i, to: c, gain: s.noisy(left+right, i^k)}, back: k}
	x.bytes = s.copied(i, c) - s.copied(i, b) + s.copied(k, b) - s.copied(k, c)
	if x.gain < 0 && x.better(&best.move) && s.fits(i, c) && s.fits(k, b) &&
		s.allowed(s.part[i], s.lead[s.part[i]], i, c) && s.allowed(s.part[k], s.lead[s.part[k]], k, b) {
		*best = x
	}
}
