package search

// handedOver is a partition whose leadership went from one broker to another, none of its replicas having moved.
type handedOver struct{ q, from, to int32 }

// pruneDetours puts one hand-over in the place of two that meet: where a leadership went from a to b and another from
// b to c, both go back and a third goes from a to c, when the score does not rise. Each broker leads as many as before.
func (s *state) pruneDetours() int {
	from := s.handedFrom()
	saved := 0
	for a := range int32(s.Brokers) {
		if len(from[a]) == 0 || s.spent() {
			continue
		}
		s.join(a, &s.joined)
		for n := range from[a] {
			if s.shortcut(&from[a][n], from) {
				saved++
				s.join(a, &s.joined)
			}
		}
	}
	return saved
}

// handedFrom lists the hand-overs by the broker that led before.
func (s *state) handedFrom() [][]handedOver {
	from := make([][]handedOver, s.Brokers)
	for q := range int32(len(s.lead)) {
		if s.handed(q) {
			a := s.At[s.Lead[q]]
			from[a] = append(from[a], handedOver{q, a, s.at[s.lead[q]]})
		}
	}
	return from
}

// handed reports whether partition q is led by another broker than at the start, which still has its replica.
func (s *state) handed(q int32) bool {
	home := s.Lead[q]
	return s.lead[q] != home && s.at[home] == s.At[home] && !s.Fixed[q]
}

// shortcut looks for a hand-over that makes p and one onward from where p went unnecessary.
func (s *state) shortcut(p *handedOver, from [][]handedOver) bool {
	if !s.handed(p.q) {
		return false
	}
	back := s.Leadership(p.q)
	for n := range from[p.to] {
		q := &from[p.to][n]
		if q.to == p.from || q.q == p.q || !s.handed(q.q) {
			continue
		}
		onward := s.Leadership(q.q)
		middle := difference(&onward, &back)
		g, ok := s.change(p.to, &middle)
		if !ok {
			continue
		}
		out, _ := s.joined.of(q.to)
		for _, k := range out {
			if s.replacesBoth(p, q, k, g.hard) {
				return true
			}
		}
	}
	return false
}

// replacesBoth takes p and q back and hands slot k over instead, if that is no worse. Middle is the gain at the broker
// where p and q meet.
func (s *state) replacesBoth(p, q *handedOver, k int32, middle int64) bool {
	r := s.part[k]
	if r == p.q || r == q.q || s.lead[r] != s.Lead[r] || s.at[s.lead[r]] != p.from || s.at[k] != q.to {
		return false
	}
	back, onward, direct := s.Leadership(p.q), s.Leadership(q.q), s.Leadership(r)
	first, last := difference(&back, &direct), difference(&direct, &onward)
	left, ok := s.change(p.from, &first)
	if !ok || left.hard+middle > 0 {
		return false
	}
	right, ok := s.change(q.to, &last)
	if !ok || left.hard+middle+right.hard > 0 {
		return false
	}
	before := s.total
	s.begin()
	s.rememberPartition(p.q)
	s.rememberPartition(q.q)
	s.rememberPartition(r)
	s.give(s.Lead[p.q])
	s.give(s.Lead[q.q])
	ok = s.mayStay(p.q) && s.mayStay(q.q) && s.mayHand(k)
	if ok {
		s.give(k)
		ok = s.total <= before && s.within()
	}
	s.end(ok)
	return ok
}
