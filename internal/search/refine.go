package search

// What a refinement costs at most: changes looked at in all, and rounds in a row that find nothing better.
const (
	refineEffort = 300_000 // and refineEach for each replica
	refineEach   = 2_000
	refineRounds = 60
	ruinMost     = 4
)

// refined returns the result, or a better one near it.
func refined(p *Problem, r *Result) *Result {
	s := newState(p, 0)
	start := append([]int64(nil), s.load...)
	s.restore(r.At, r.Lead)
	s.refine(start)
	s.evaluated += r.Evaluated
	return s.result()
}

// refine takes a few changes back, at random but by the seed, lets the search mend what that breaks, and keeps the
// outcome when it is better: in score first, then in what it copies, then in leader changes.
func (s *state) refine(start []int64) {
	best := s.measure()
	at, lead := append([]int32(nil), s.at...), append([]int32(nil), s.lead...)
	s.effort = s.evaluated + min(refineEffort, int64(refineEach*len(s.at)))
	random := uint64(0x9e3779b97f4a7c15)
	for idle := 0; idle < refineRounds && !s.spent(); idle++ {
		changed := s.changedPartitions()
		if len(changed) == 0 {
			return
		}
		random = random*6364136223846793005 + 1442695040888963407
		s.seed = random | 1
		for n := range 1 + (random>>40)%ruinMost {
			random = random*6364136223846793005 + 1442695040888963407 + n
			s.revert(changed[(random>>33)%uint64(len(changed))], whole)
		}
		s.mend(best.Score == 0)
		if now := s.measure(); now.better(best) && s.keeps(start) && !s.pushed() {
			best, idle = now, -1
			copy(at, s.at)
			copy(lead, s.lead)
		} else {
			s.restore(at, lead)
		}
	}
}

// mend brings a placement that is nearly even back to the best that is found near it, with chains where all were even.
func (s *state) mend(even bool) {
	for range 3 {
		before := s.total
		s.pass((*state).improveLeadership)
		if !s.LeadersOnly {
			s.pass((*state).improveReplicas)
		}
		if s.total == 0 || s.total >= before {
			break
		}
	}
	if s.total > 0 && even {
		s.pass((*state).chain)
	}
	s.prune()
	if !s.LeadersOnly {
		s.polishBytes()
	}
}

// restore brings every partition that differs back to a former placement.
func (s *state) restore(at, lead []int32) {
	for i, b := range at {
		if s.at[i] != b {
			s.place(int32(i), b)
		}
	}
	for q, i := range lead {
		if s.lead[q] != i {
			s.give(i)
		}
	}
}

// measure returns what result does without the placement.
func (s *state) measure() *Result {
	r := &Result{Crowded: s.crowded()}
	r.Score, r.Worst = s.score()
	s.costs(r)
	s.evaluated += int64(len(s.at) / 16)
	return r
}
