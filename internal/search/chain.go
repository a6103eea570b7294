package search

import "github.com/kafka-pilot/pilot/internal/dense"

// chainSteps is the length of the longest chain, chainStarts how many first steps a visit tries.
const (
	chainSteps  = 4
	chainStarts = 6
)

// chain looks for changes that help only together. After trades those are two to four of any kind: inside a chain leaving a hard box costs instead of
// being refused, and the chain counts only if at its end every box holds and the score is lower.
func (s *state) chain(b int32) bool {
	if s.trade(b) {
		return true
	}
	s.lifted = true
	starts := append([]candidate(nil), s.steps(b, chainStarts)...)
	s.lifted = false
	for _, c := range starts {
		if s.tryChain(c) {
			return true
		}
		if s.spent() {
			break
		}
	}
	return false
}

// tryChain makes the first step and follows it with the best step of whoever is worst off, until all is well or the
// chain is too long: then it is taken back.
func (s *state) tryChain(first candidate) bool {
	start := s.total
	s.logging, s.lifted, s.work.held = true, true, true
	s.log = s.log[:0]
	s.visited, s.loads = s.visited[:0], s.loads[:0]
	done := false
	for next, n := first, 0; ; n++ {
		s.remember(next)
		s.step(next)
		if s.total < start && s.within() {
			done = true
			break
		}
		if n+1 == chainSteps {
			break
		}
		best := s.steps(s.sorest(), 1)
		if len(best) == 0 {
			break
		}
		next = best[0]
	}
	if !done {
		s.undo(0)
	}
	s.logging, s.lifted, s.work.held = false, false, false
	if done {
		for _, b := range s.visited {
			s.work.touch(b)
		}
	}
	return done
}

// steps returns the best single changes around broker b, not counting what the chain has changed already: a move of
// a replica (b ≥ 0) or a hand-over (b = -1) of candidate slot a.
func (s *state) steps(b int32, most int) []candidate {
	s.pool.reset(most)
	s.pool.cut = 1 << 62
	partners := s.partners(b)
	for _, i := range s.hosted[b] {
		q := s.part[i]
		if s.Fixed[q] || s.inChain(q) {
			continue
		}
		s.offerSteps(i, b, partners)
	}
	if s.LeadersOnly || !s.Receives[b] {
		return s.pool.best()
	}
	for _, c := range partners {
		for _, i := range s.hosted[c] {
			if q := s.part[i]; !s.Fixed[q] && !s.inChain(q) {
				s.offerStep(i, b)
			}
		}
	}
	return s.pool.best()
}

// offerSteps offers the hand-overs of the partition of slot i on broker b that touch b, and the moves of the slot.
func (s *state) offerSteps(i, b int32, partners []int32) {
	q := s.part[i]
	first, end := s.Slots(q)
	for k := first; k < end; k++ {
		if (s.lead[q] == i) == (k != i) && s.mayLead(k) {
			if n, ok := s.handing(k); ok && s.pool.wants(n) && s.mayHand(k) {
				s.pool.offer(candidate{s.noisy(n, k), k, -1})
			}
		}
	}
	if s.LeadersOnly {
		return
	}
	for _, c := range partners {
		if s.Receives[c] {
			s.offerStep(i, c)
		}
	}
}

func (s *state) offerStep(i, c int32) {
	g, ok := s.moving(i, c, -1)
	if ok && s.pool.wants(g.rank()) && s.mayMove(i, c) {
		s.pool.offer(candidate{s.noisy(g.rank(), i^c), i, c})
	}
}

func (s *state) step(c candidate) {
	if c.b < 0 {
		s.give(c.a)
	} else {
		s.place(c.a, c.b)
	}
}

func (s *state) inChain(q int32) bool {
	for _, c := range s.log {
		if s.part[c.slot] == q {
			return true
		}
	}
	return false
}

// remember keeps the loads of the brokers that a step is going to touch, as they were before the attempt.
func (s *state) remember(c candidate) {
	s.rememberBroker(s.at[c.a])
	if c.b < 0 {
		s.rememberBroker(s.at[s.lead[s.part[c.a]]])
	} else {
		s.rememberBroker(c.b)
	}
}

func (s *state) rememberBroker(b int32) {
	for _, o := range s.visited {
		if o == b {
			return
		}
	}
	s.visited = append(s.visited, b)
	s.loads = append(s.loads, s.load[int(b)*dense.Loads:int(b+1)*dense.Loads]...)
}

// within reports whether every remembered broker is in its hard boxes, or no farther out than it was.
func (s *state) within() bool {
	for j, b := range s.visited {
		for m := range dense.Judged {
			k := int(b)*dense.Loads + m
			if !s.Cells[k].allows(s.loads[j*dense.Loads+m], s.load[k]) {
				return false
			}
		}
	}
	return true
}

// sorest returns the remembered broker with the highest penalty and breach.
func (s *state) sorest() int32 {
	worst, most := s.visited[0], int64(-1)
	for _, b := range s.visited {
		n := s.broker[b]
		for m := range dense.Judged {
			k := int(b)*dense.Loads + m
			n += s.Cells[k].breach(s.load[k])
		}
		if n > most {
			worst, most = b, n
		}
	}
	return worst
}
