package search

import (
	"cmp"
	"slices"
)

// candidate is a change that may be made: what it means is up to whoever fills the pool.
type candidate struct {
	rank int64 // the gain, negative is better
	a, b int32
}

// pool keeps the best candidates that it is offered.
type pool struct {
	list []candidate
	most int
	cut  int64 // ranks from here on are of no use
}

func (p *pool) reset(most int) { p.list, p.most, p.cut = p.list[:0], most, 0 }

// wants reports whether a candidate of this rank would be kept.
func (p *pool) wants(rank int64) bool { return rank < p.cut }

func (p *pool) offer(c candidate) {
	p.list = append(p.list, c)
	if len(p.list) >= 2*p.most {
		p.trim()
	}
}

func (p *pool) trim() {
	slices.SortFunc(p.list, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	if len(p.list) >= p.most {
		p.list = p.list[:p.most]
		p.cut = p.list[p.most-1].rank
	}
}

// best returns what was kept, the best first.
func (p *pool) best() []candidate {
	p.trim()
	return p.list
}

// batch is how many changes one visit may make: one at a time, the best there is, unless a broker hosts so many
// replicas that looking is dear.
func (s *state) batch(b int32) int { return 1 + min(64, len(s.hosted[b])/200) }

// noisy scales a gain by three quarters to one, by seed and slot: restarts then take other ways. Seed 0 leaves it.
func (s *state) noisy(n int64, i int32) int64 {
	if s.seed == 0 || n >= 0 {
		return n
	}
	x := (s.seed + uint64(uint32(i))) * 0x9e3779b97f4a7c15
	x ^= x >> 29
	x *= 0xbf58476d1ce4e5b9
	return n - (n>>10)*int64(x>>56)
}
