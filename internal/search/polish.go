package search

import (
	"cmp"
	"slices"
	"sort"

	"github.com/kafka-pilot/pilot/internal/dense"
)

// polishTries bounds the smaller replicas that are tried in the place of one that is copied.
const polishTries = 40

// polishBytes puts smaller replicas in the place of those that are copied, the largest first, where every box still
// holds and the score does not rise.
func (s *state) polishBytes() {
	f := filler{state: s, pools: make([][2][]int32, s.Brokers)}
	var copied []int32
	for i, b := range s.at {
		if b != s.At[i] {
			copied = append(copied, int32(i))
		}
	}
	slices.SortStableFunc(copied, func(i, k int32) int { return cmp.Compare(s.Copy[s.part[k]], s.Copy[s.part[i]]) })
	for _, i := range copied {
		if s.spent() {
			return
		}
		f.shrink(i)
	}
}

// shrink looks for the smallest replica that can go instead of slot i.
func (f *filler) shrink(i int32) {
	b, a := f.at[i], f.At[i]
	if f.hosts(f.part[i], a) {
		return
	}
	kind := 0
	if f.lead[f.part[i]] == i {
		kind = 1
	}
	pool := f.pool(kind, a)
	least := f.needed(i, a, b)
	from := sort.Search(len(pool), func(n int) bool { return f.size(pool[n], a) >= least })
	tries := 0
	for n := from; n < len(pool) && tries < polishTries; n++ {
		k := pool[n]
		if f.Copy[f.part[k]] >= f.Copy[f.part[i]] {
			return
		}
		if f.at[k] != a || f.At[k] != a || f.part[k] == f.part[i] {
			continue
		}
		tries++
		if f.replace(i, k, a, b) {
			return
		}
	}
}

// needed is the least that has to go from a to b instead of slot i, for both to stay where they are with their disks:
// in their boxes, or no farther out.
func (f *filler) needed(i, a, b int32) int64 {
	size := f.size(i, b)
	giver, taker := int(a)*dense.Loads+dense.Disk, int(b)*dense.Loads+dense.Disk
	return size - min(f.Cells[giver].High-f.load[giver], f.load[taker]-f.Cells[taker].Low)
}

// replace tries to leave slot i at home and to move slot k instead.
func (f *filler) replace(i, k, a, b int32) bool {
	before, outside := f.total, f.racksOutside(f.part[i])
	f.begin()
	f.rememberBroker(a)
	f.rememberBroker(b)
	f.place(i, a)
	ok := f.racksOutside(f.part[i]) <= outside && f.mayStay(f.part[i]) && f.mayMove(k, b)
	if ok {
		f.place(k, b)
		ok = f.total <= before && f.within()
	}
	f.end(ok)
	return ok
}
