package search

import (
	"cmp"
	"slices"
	"sort"

	"github.com/kafka-pilot/pilot/internal/dense"
)

// fitDisk takes brokers that hold too many bytes down to the upper edge of their box, and brings those that hold too
// few up to the lower one, with the fewest bytes: each replica moved is the one that fits what is left best, and goes
// where both ends gain if it can. Only replicas that do not lead move, so that no other load changes.
func (s *state) fitDisk() {
	f := filler{state: s, pools: make([][2][]int32, s.Brokers), random: s.seed}
	for _, b := range f.byExcess(func(n int64) bool { return n > 0 }) {
		f.settle(b, func(n int64) bool { return n > 0 })
	}
	for _, b := range f.byExcess(func(n int64) bool { return n < 0 }) {
		f.settle(b, func(n int64) bool { return n < 0 })
	}
}

// byExcess lists the brokers whose excess is as asked, the largest first.
func (f *filler) byExcess(which func(int64) bool) []int32 {
	var list []int32
	for b := range int32(f.Brokers) {
		if which(f.excess(b)) {
			list = append(list, b)
		}
	}
	slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(abs(f.excess(b)), abs(f.excess(a))) })
	return list
}

func abs(n int64) int64 { return max(n, -n) }

// fitting is a move that fitDisk may make.
type fitting struct {
	slot, to int32
	saved    int64 // bytes that both ends gain, less those that neither needs
	size     int64
}

// settle moves replicas off broker b, or to it, until its disk is in its box.
func (f *filler) settle(b int32, off func(int64) bool) {
	for off(f.excess(b)) && !f.spent() {
		best := fitting{slot: -1}
		for _, c := range f.counterparts(b) {
			if f.excess(b) > 0 {
				f.fitBest(b, c, &best)
			} else {
				f.fitBest(c, b, &best)
			}
		}
		if best.slot < 0 {
			return
		}
		f.drop(best.slot)
		f.place(best.slot, best.to)
	}
}

// counterparts lists brokers that could take from b, or give to it: first those that are off on the other side, then
// those with the most room.
func (f *filler) counterparts(b int32) []int32 {
	type counterpart struct {
		broker int32
		room   int64
	}
	over := f.excess(b) > 0
	var list []counterpart
	for c := range int32(f.Brokers) {
		k := int(c)*dense.Loads + dense.Disk
		room := f.load[k] - f.Cells[k].Low
		if over {
			room = f.Cells[k].High - f.load[k]
		}
		if c != b && room > 0 && (f.Receives[c] || !over) {
			list = append(list, counterpart{c, room})
		}
	}
	slices.SortStableFunc(list, func(a, b counterpart) int { return cmp.Compare(b.room, a.room) })
	brokers := make([]int32, 0, 2*partnerMost)
	for _, c := range list {
		// Racks may allow only some of them: the nearest ones are tried with the others.
		if len(brokers) < partnerMost || f.Rack[c.broker] == f.Rack[b] && len(brokers) < 2*partnerMost {
			brokers = append(brokers, c.broker)
		}
	}
	return brokers
}

// fitTries bounds the replicas that are tried for one pair of brokers.
const fitTries = 24

// fitBest looks for the replica that fits what broker a has too much and b too little of.
func (f *filler) fitBest(a, b int32, best *fitting) {
	pool := f.pool(0, a)
	over, under := max(0, f.excess(a)), max(0, -f.excess(b))
	wanted := over
	if over == 0 || under > 0 && under < over {
		wanted = under
	}
	at := sort.Search(len(pool), func(n int) bool { return f.size(pool[n], a) >= wanted })
	try := func(n int) bool {
		i := pool[n]
		size := f.Copy[f.part[i]]
		saved := min(size, over) + min(size, under) - size
		if best.slot >= 0 && (saved < best.saved || saved == best.saved && size <= best.size) {
			return false
		}
		if f.at[i] != a || f.lead[f.part[i]] == i || !f.legal(i, a, b) {
			return false
		}
		*best = fitting{i, b, saved, size}
		return true
	}
	for n := at; n < min(len(pool), at+fitTries) && !try(n); n++ {
	}
	for n := at - 1; n >= max(0, at-fitTries) && !try(n); n-- {
	}
}

// drop takes a slot out of its broker's pool.
func (f *filler) drop(i int32) {
	a := f.at[i]
	if n := slices.Index(f.pools[a][0], i); n >= 0 {
		f.pools[a][0] = slices.Delete(f.pools[a][0], n, n+1)
	}
}
