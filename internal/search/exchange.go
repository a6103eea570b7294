package search

// exchangeMost bounds the hand-overs of one direction between two brokers that exchanges look at, rotationMost those
// that rotations look at, and rotationEffort the changes of one rotation.
const (
	exchangeMost   = 96
	rotationMost   = 10
	rotationEffort = 40_000
)

// exchange swaps the leadership of two partitions between broker b and others, the best pair of each partner: leader
// counts stay, rates change.
func (s *state) exchange(b int32) bool {
	s.join(b, &s.joined)
	s.pool.reset(s.batch(b))
	for c := range int32(s.Brokers) {
		out, in := s.joined.of(c)
		if len(out) > 0 && len(in) > 0 {
			s.bestExchange(b, c, out, in)
		}
		if s.spent() {
			break
		}
	}
	made := 0
	for _, x := range s.pool.best() {
		if g, ok := s.exchanging(b, x.a, x.b); ok && g < 0 && g <= x.rank/2 && s.mayHand(x.a) && s.mayHand(x.b) {
			s.give(x.a)
			s.give(x.b)
			made++
		}
	}
	return made > 0
}

func (s *state) bestExchange(b, c int32, out, in []int32) {
	best := candidate{}
	for _, i := range out[:min(len(out), exchangeMost)] {
		give := s.Leadership(s.part[i])
		for _, k := range in[:min(len(in), exchangeMost)] {
			take := s.Leadership(s.part[k])
			own := difference(&take, &give)
			left, ok := s.change(b, &own)
			if !ok || left.hard >= 0 {
				continue
			}
			other := negative(&own)
			right, ok := s.change(c, &other)
			n := s.noisy(s.cheap(left.hard+right.hard, i), i^k)
			if ok && n < best.rank && s.pool.wants(n) && s.mayExchange(i, k) {
				best = candidate{n, i, k}
			}
		}
	}
	if best.rank < 0 {
		s.pool.offer(best)
	}
}

// mayExchange reports whether two hand-overs between the same brokers are allowed. Within one topic they change no
// count.
func (s *state) mayExchange(i, k int32) bool {
	if s.Topic[s.part[i]] == s.Topic[s.part[k]] {
		return s.allowed(s.part[i], i, -1, 0) && s.allowed(s.part[k], k, -1, 0)
	}
	return s.mayHand(i) && s.mayHand(k)
}

// exchanging returns the gain of handing over to slot i, off broker b, and to slot k, on it.
func (s *state) exchanging(b, i, k int32) (int64, bool) {
	p, q := s.part[i], s.part[k]
	if s.at[s.lead[p]] != b || s.at[k] != b || s.at[s.lead[q]] != s.at[i] || s.lead[q] == k {
		return 0, false
	}
	give, take := s.Leadership(p), s.Leadership(q)
	d := difference(&give, &take)
	g, ok := s.shift(b, s.at[i], &d)
	return g.hard, ok
}

// rotation is three hand-overs in a ring.
type rotation struct {
	gain  int64
	slots [3]int32
}

// rotate makes the best rotation of leadership over broker b and two others: what no exchange of two can do.
func (s *state) rotate(b int32) bool {
	best := rotation{}
	budget := s.evaluated + rotationEffort
	s.join(b, &s.joined)
	var onward joined
	for _, c := range s.partners(b) {
		out, _ := s.joined.of(c)
		if len(out) == 0 || s.evaluated > budget {
			continue
		}
		s.join(c, &onward)
		for d := range int32(s.Brokers) {
			pass, _ := onward.of(d)
			_, in := s.joined.of(d)
			if len(in) == 0 || len(pass) == 0 || d == c || d == b {
				continue
			}
			for _, i := range out[:min(len(out), rotationMost)] {
				for _, k := range in[:min(len(in), rotationMost)] {
					s.tryRotation([3]int32{b, c, d}, i, k, pass[:min(len(pass), rotationMost)], &best)
				}
			}
		}
	}
	if best.gain >= 0 {
		return false
	}
	for _, i := range best.slots {
		s.give(i)
	}
	return true
}

// tryRotation hands i over from the first broker to the second, one of pass on to the third, and k back to the first.
func (s *state) tryRotation(ring [3]int32, i, k int32, pass []int32, best *rotation) {
	give, take := s.Leadership(s.part[i]), s.Leadership(s.part[k])
	own := difference(&take, &give)
	first, ok := s.change(ring[0], &own)
	if !ok || first.hard >= 0 {
		return
	}
	for _, j := range pass {
		on := s.Leadership(s.part[j])
		atSecond, atThird := difference(&give, &on), difference(&on, &take)
		second, ok := s.change(ring[1], &atSecond)
		if !ok {
			continue
		}
		third, ok := s.change(ring[2], &atThird)
		if n := first.hard + second.hard + third.hard; ok && n < best.gain && s.mayHand(i) && s.mayHand(j) && s.mayHand(k) {
			*best = rotation{n, [3]int32{i, j, k}}
		}
	}
}
