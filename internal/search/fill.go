package search

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/kafka-pilot/pilot/internal/dense"
)

// fillLeast is how many replicas a broker must lack to be filled: fewer are found by ordinary moves.
const fillLeast = 8

// fill brings replicas to brokers that lack many of them: new ones, and those that were emptied. Bytes decide what it
// costs, so a broker is filled to the lower edge of its boxes and no further, with replicas that come out even on
// every load together: at first what is picked is mixed, towards the end it is what fits the rest best.
func (s *state) fill() {
	var receivers []int32
	for b := range int32(s.Brokers) {
		if n, _ := s.lacks(b); s.Receives[b] && n >= fillLeast {
			receivers = append(receivers, b)
		}
	}
	if len(receivers) == 0 {
		return
	}
	slices.SortStableFunc(receivers, func(a, b int32) int {
		n, _ := s.lacks(a)
		k, _ := s.lacks(b)
		return cmp.Compare(k, n)
	})
	f := filler{state: s, pools: make([][2][]int32, s.Brokers), random: s.seed}
	for _, b := range receivers {
		f.fill(b)
	}
}

// lacks returns how many replicas and bytes broker b is below the lower edges of its boxes.
func (s *state) lacks(b int32) (replicas, bytes int64) {
	k := int(b) * dense.Loads
	low := func(m int) int64 { return s.Cells[k+m].Low - s.load[k+m] }
	return low(dense.Leaders) + low(dense.Followers), low(dense.Disk)
}

// filler fills one broker after the other. Each donor's replicas are sorted by size once: first those that do not
// lead, then those that do.
type filler struct {
	*state
	pools  [][2][]int32
	random uint64
	donors []donor
}

type donor struct {
	broker  int32
	surplus float64 // fair shares of replicas and bytes above the middle of the boxes
}

func (f *filler) fill(b int32) {
	f.listDonors(b)
	whole, _ := f.lacks(b)
	for len(f.donors) > 0 && !f.spent() {
		replicas, bytes := f.lacks(b)
		if replicas <= 0 && bytes <= 0 {
			return
		}
		d := &f.donors[0]
		if d.surplus <= 0 || !f.pick(d.broker, b, max(1, replicas), replicas > late+whole/32) {
			f.donors[0] = f.donors[len(f.donors)-1]
			f.donors = f.donors[:len(f.donors)-1]
		} else {
			d.surplus = f.surplusOf(d.broker)
		}
		f.sink(0)
	}
}

// listDonors makes a heap of the brokers that may give to b, the largest surplus on top.
func (f *filler) listDonors(b int32) {
	f.donors = f.donors[:0]
	for c := range int32(f.Brokers) {
		if n := f.surplusOf(c); c != b && n > 0 {
			f.donors = append(f.donors, donor{c, n})
		}
	}
	for k := len(f.donors)/2 - 1; k >= 0; k-- {
		f.sink(k)
	}
}

func (f *filler) sink(k int) {
	for {
		most := k
		for c := 2*k + 1; c <= 2*k+2 && c < len(f.donors); c++ {
			if f.donors[c].before(&f.donors[most]) {
				most = c
			}
		}
		if most == k {
			return
		}
		f.donors[k], f.donors[most] = f.donors[most], f.donors[k]
		k = most
	}
}

func (d *donor) before(o *donor) bool {
	return d.surplus > o.surplus || d.surplus == o.surplus && d.broker < o.broker
}

func (f *filler) surplusOf(b int32) float64 {
	off := f.offs(b)
	return off[dense.Leaders] + off[dense.Followers] + off[dense.Disk]
}

// A pick compares up to drawMost replicas drawMost at random, of which mixed may go, and towards the end those of the wanted
// size, up to nearMost on either side of it or until nearFound may go.
const (
	mixed     = 4
	drawMost  = 16
	nearMost  = 120
	nearFound = 8
)

// late is how many replicas before the end a fill starts to look for those that fit the rest.
const late = 16

func (f *filler) pick(a, b int32, replicas int64, early bool) bool {
	first := 0
	k := int(b) * dense.Loads
	off := func(m int) float64 {
		return float64(f.Cells[k+m].Low-f.load[k+m]) * f.Cells[k+m].Inverse
	}
	if off(dense.Leaders) > off(dense.Followers) {
		first = 1
	}
	return f.pickKind(first, a, b, replicas, early) || f.pickKind(1-first, a, b, replicas, early)
}

func (f *filler) pickKind(kind int, a, b int32, replicas int64, early bool) bool {
	pool := f.pool(kind, a)
	best, least, found := -1, math.Inf(1), 0
	try := func(n int) {
		i := pool[n]
		if f.at[i] != a || (f.lead[f.part[i]] == i) != (kind == 1) {
			return
		}
		miss := f.miss(i, b)
		if miss < least {
			if !f.legal(i, a, b) {
				return
			}
			best, least = n, miss
		}
		found++
	}
	for n := 0; n < min(drawMost, len(pool)) && found < mixed; n++ {
		f.random = f.random*6364136223846793005 + 1442695040888963407
		try(int((f.random >> 33) % uint64(len(pool))))
	}
	// Replicas that may change their rack are either many or none: those drawn tell.
	if f.Rack[a] == f.Rack[b] && (best < 0 || !early) {
		found = 0
		f.around(pool, a, b, replicas, func(n int) bool { try(n); return found < nearFound })
	}
	if best < 0 {
		return false
	}
	f.place(pool[best], b)
	f.pools[a][kind] = slices.Delete(pool, best, best+1)
	return true
}

// around goes through the pool from the wanted size outwards, while it is told to.
func (f *filler) around(pool []int32, a, b int32, replicas int64, more func(int) bool) {
	_, bytes := f.lacks(b)
	up := sort.Search(len(pool), func(n int) bool { return f.size(pool[n], a) >= bytes/replicas })
	for down, n := up-1, 0; n < nearMost; n++ {
		if up < len(pool) && !more(up) || down >= 0 && !more(down) {
			return
		}
		up, down = up+1, down-1
	}
}

// pool lists the replicas of broker a of a kind, by size.
func (f *filler) pool(kind int, a int32) []int32 {
	if f.pools[a][0] == nil {
		lists := [2][]int32{make([]int32, 0, len(f.hosted[a])), nil}
		for _, i := range f.hosted[a] {
			q := f.part[i]
			if f.Fixed[q] {
				continue
			}
			k := 0
			if f.lead[q] == i {
				k = 1
			}
			lists[k] = append(lists[k], i)
		}
		for _, list := range lists {
			slices.SortFunc(list, func(i, k int32) int { return cmp.Or(cmp.Compare(f.size(i, a), f.size(k, a)), cmp.Compare(i, k)) })
		}
		f.pools[a] = lists
	}
	return f.pools[a][kind]
}

// miss is how uneven broker b would be filled with slot i: how far what is then still lacking of each load is from what
// is lacking of replicas, or for rates of leaders, in fair shares.
func (f *filler) miss(i, b int32) float64 {
	d := f.replica(i, f.size(i, b))
	k := int(b) * dense.Loads
	lacking := func(m int) float64 {
		return float64(float64(f.Cells[k+m].Low-f.load[k+m]-d[m]) * f.Cells[k+m].Inverse)
	}
	leaders, followers := lacking(dense.Leaders), lacking(dense.Followers)
	part := f.Cells[k+dense.Leaders].Inverse / (f.Cells[k+dense.Leaders].Inverse + f.Cells[k+dense.Followers].Inverse)
	replicas := float64(leaders*(1-part)) + float64(followers*part)
	sum := 0.0
	for m := dense.Disk; m < dense.Loads; m++ {
		if f.Cells[k+m].Inverse == 0 || d[m] == 0 {
			continue
		}
		at := leaders
		if m == dense.Disk || m == dense.Inbound {
			at = replicas
		}
		sum += math.Abs(lacking(m) - at)
	}
	return sum
}

// legal reports whether slot i may go from broker a to b inside all boxes.
func (f *filler) legal(i, a, b int32) bool {
	_, ok := f.moving(i, b, -1)
	return ok && f.mayMove(i, b)
}
