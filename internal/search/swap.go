package search

import (
	"cmp"
	"slices"
	"sort"

	"github.com/kafka-pilot/pilot/internal/dense"
)

// swapping is an exchange of two replicas between two brokers.
type swapping struct {
	move
	slot, back int32
}

// swapMost bounds the replicas of each broker that one exchange looks at; swapNear those of about the wanted size that
// it tries for each when all pairs are too many.
const (
	swapMost  = 160
	swapPairs = 6_000
	swapNear  = 4
)

// swap exchanges one replica of broker b for one of the first partner with which that helps.
func (s *state) swap(b int32, partners []int32) bool {
	if !s.Receives[b] {
		return false
	}
	mine := s.movable(b)
	for _, c := range partners {
		if !s.Receives[c] {
			continue
		}
		best := swapping{}
		s.pairs(b, c, mine, s.movable(c), func(i, k int32) { s.trySwap(i, k, b, c, &best) })
		if best.gain < 0 {
			s.place(best.slot, c)
			s.place(best.back, b)
			return true
		}
		if s.spent() {
			return false
		}
	}
	return false
}

// movable lists replicas of b that may move, evenly picked when there are too many, by size.
func (s *state) movable(b int32) []int32 {
	all := s.hosted[b]
	step := len(all)/swapMost + 1
	list := make([]int32, 0, swapMost+1)
	for j := int(s.seed % uint64(step)); j < len(all); j += step {
		if !s.Fixed[s.part[all[j]]] {
			list = append(list, all[j])
		}
	}
	slices.SortFunc(list, func(i, k int32) int {
		return cmp.Or(cmp.Compare(s.size(i, b), s.size(k, b)), cmp.Compare(i, k))
	})
	return list
}

// pairs goes through the pairs worth a look: all of them when they are few, else for each replica those on the other
// side whose size differs by about what is to be shifted.
func (s *state) pairs(b, c int32, mine, theirs []int32, each func(i, k int32)) {
	if len(mine)*len(theirs) <= swapPairs {
		for _, i := range mine {
			for _, k := range theirs {
				each(i, k)
			}
		}
		return
	}
	wanted := s.excess(b) - s.excess(c)
	if s.excess(b) != 0 && s.excess(c) != 0 {
		wanted /= 2
	}
	for _, i := range mine {
		size := s.size(i, b) - wanted
		at := sort.Search(len(theirs), func(n int) bool { return s.size(theirs[n], c) >= size })
		for n := max(0, at-swapNear); n < min(len(theirs), at+swapNear); n++ {
			each(i, theirs[n])
		}
	}
}

// excess returns the bytes that broker b holds above its target, negative below.
func (s *state) excess(b int32) int64 {
	k := int(b)*dense.Loads + dense.Disk
	switch c := &s.Cells[k]; {
	case s.load[k] > c.High:
		return s.load[k] - c.High
	case s.load[k] < c.Low:
		return s.load[k] - c.Low
	}
	return 0
}

func (s *state) trySwap(i, k, b, c int32, best *swapping) {
	if s.part[i] == s.part[k] {
		return
	}
	out, in := s.replica(i, s.size(i, b)), s.replica(k, s.size(k, b))
	d := difference(&in, &out)
	left, ok := s.change(b, &d)
	if !ok || left.hard >= 0 {
		return
	}
	in, out = s.replica(i, s.size(i, c)), s.replica(k, s.size(k, c))
	d = difference(&in, &out)
	right, ok := s.change(c, &d)
	g := left.plus(right)
	if !ok || g.hard >= 0 {
		return
	}
	x := swapping{move{s.noisy(g.rank(), i^k), s.copied(i, c) - s.copied(i, b) + s.copied(k, b) - s.copied(k, c)}, i, k}
	if x.better(&best.move, s.mean) && s.mayMove(i, c) && s.mayMove(k, b) {
		*best = x
	}
}
