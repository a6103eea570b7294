package search

// Search looks for the placement with the lowest score and, among those, the fewest bytes, copies and leader changes
// that it can find within its effort. The problem's own placement is the start, and the result if nothing is better.
func Search(p *Problem) *Result {
	best := attempt(p, 0)
	for r := 1; r <= p.Restarts; r++ {
		if best.Score == 0 && best.Bytes == 0 && best.Leaders <= 1 {
			break
		}
		next := attempt(p, uint64(r))
		next.Evaluated += best.Evaluated
		if next.better(best) {
			best = next
		} else {
			best.Evaluated = next.Evaluated
		}
	}
	return best
}

func attempt(p *Problem, seed uint64) *Result {
	s := newState(p, seed)
	if seed != 0 {
		s.shuffle()
	}
	for round := 0; round < 12 && !s.spent(); round++ {
		before, _ := s.score()
		if before == 0 {
			break
		}
		s.pass((*state).improveLeadership)
		if !p.LeadersOnly {
			s.pass((*state).improveReplicas)
		}
		if after, _ := s.score(); after >= before {
			break
		}
	}
	s.prune()
	return s.result()
}

// pass visits the brokers, the one with the highest penalty first, until no visit helps.
func (s *state) pass(improve func(*state, int32) []int32) {
	stuck := make([]bool, s.Brokers)
	penalty := make([]int64, s.Brokers)
	for b := range penalty {
		penalty[b] = s.brokerPenalty(int32(b))
	}
	for !s.spent() {
		worst := -1
		for b, n := range penalty {
			if !stuck[b] && n > 0 && (worst < 0 || n > penalty[worst]) {
				worst = b
			}
		}
		if worst < 0 {
			return
		}
		touched := improve(s, int32(worst))
		if touched == nil {
			stuck[worst] = true
			continue
		}
		for _, b := range touched {
			penalty[b] = s.brokerPenalty(b)
			stuck[b] = false
		}
	}
}

// shuffle changes the order in which ties are met, by the seed.
func (s *state) shuffle() {
	x := s.seed
	for _, list := range s.hosted {
		for i := len(list) - 1; i > 0; i-- {
			x = x*6364136223846793005 + 1442695040888963407
			j := int((x >> 33) % uint64(i+1))
			list[i], list[j] = list[j], list[i]
			s.pos[list[i]], s.pos[list[j]] = int32(i), int32(j)
		}
	}
}

func (s *state) result() *Result {
	r := &Result{At: s.at, Lead: s.lead, Evaluated: s.evaluated}
	r.Score, r.Worst = s.score()
	for i, b := range s.at {
		if b != s.At[i] {
			r.Copies++
			r.Bytes += s.Copy[s.part[i]]
		}
	}
	for q := range s.lead {
		if s.at[s.lead[q]] != s.At[s.Lead[q]] {
			r.Leaders++
		}
	}
	return r
}
