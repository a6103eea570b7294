package search

import "github.com/kafka-pilot/pilot/internal/dense"

// tradeMost bounds the hand-overs of each direction that trades look at, tradeTries the trades that are tried out.
const (
	tradeMost  = 24
	tradeTries = 60
)

// trade takes two leaderships to broker b and hands one over, or the other way round: the count changes by one while a
// load that is at the edge of its box stays there. Neither a hand-over nor an exchange can do that.
func (s *state) trade(b int32) bool {
	k := int(b)*dense.Loads + dense.Leaders
	switch c := &s.Cells[k]; {
	case s.load[k] < c.Low:
		return s.tradeTwoForOne(b, s.lightest(b, false, nil), true)
	case s.load[k] > c.High:
		return s.tradeTwoForOne(b, s.lightest(b, true, nil), false)
	}
	return false
}

// lightest lists hand-overs from broker b (out) or to it, by what they cost b with the boxes lifted, after another
// change of its loads.
func (s *state) lightest(b int32, out bool, after *dense.Vector) []int32 {
	s.lifted = true
	s.pool.reset(tradeMost)
	s.pool.cut = 1 << 62
	s.handovers(b, func(slot, _ int32, from bool) {
		if from != out {
			return
		}
		d := s.own(slot, out)
		if after != nil {
			for m := range d {
				d[m] += after[m]
			}
		}
		if g, _ := s.change(b, &d); s.pool.wants(g.hard) && s.mayHand(slot) {
			s.pool.offer(candidate{rank: g.hard, a: slot})
		}
	})
	s.lifted = false
	var list []int32
	for _, c := range s.pool.best() {
		list = append(list, c.a)
	}
	return list
}

// own is what a hand-over to a slot changes at the broker in question, which hands over (out) or takes.
func (s *state) own(slot int32, out bool) dense.Vector {
	d := s.Leadership(s.part[slot])
	if out {
		return negative(&d)
	}
	return d
}

// tradeTwoForOne tries two of the hand-overs given with one in the other direction.
func (s *state) tradeTwoForOne(b int32, two []int32, taking bool) bool {
	if len(two) < 2 {
		return false
	}
	first := s.own(two[0], !taking)
	one := s.lightest(b, taking, &first)
	tries := 0
	for n, i := range two {
		for _, k := range two[:n] {
			both := s.own(i, !taking)
			for m, v := range s.own(k, !taking) {
				both[m] += v
			}
			for _, o := range one {
				d := both
				for m, v := range s.own(o, taking) {
					d[m] += v
				}
				if g, ok := s.change(b, &d); !ok || g.hard >= 0 {
					continue
				}
				if s.tryTrade(i, k, o) {
					return true
				}
				if tries++; tries == tradeTries {
					return false
				}
			}
		}
		if s.spent() {
			return false
		}
	}
	return false
}

// tryTrade hands three partitions over and keeps that when the score falls and every box holds.
func (s *state) tryTrade(slots ...int32) bool {
	before := s.total
	s.begin()
	ok := true
	for n, i := range slots {
		s.remember(candidate{a: i, b: -1})
		for _, o := range slots[:n] {
			ok = ok && s.part[o] != s.part[i]
		}
		if ok = ok && s.mayHand(i); ok {
			s.give(i)
		}
	}
	ok = ok && s.total < before && s.within()
	s.end(ok)
	if ok {
		for _, b := range s.visited {
			s.work.touch(b)
		}
	}
	return ok
}
