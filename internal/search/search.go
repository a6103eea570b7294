package search

// Search looks for the placement with the lowest score and, among those, the fewest bytes, copies and leader changes
// that it can find within its effort. The problem's own placement is the start, and the result if nothing is better.
func Search(p *Problem) *Result {
	best := attemptWithin(p, 0)
	for r := 1; r <= p.Restarts && best.Evaluated < p.effort(); r++ {
		if best.Score == 0 && best.Bytes == 0 && best.Leaders <= 1 {
			break
		}
		next := attemptWithin(p, uint64(r))
		next.Evaluated += best.Evaluated
		if next.better(best) {
			best = next
		} else {
			best.Evaluated = next.Evaluated
		}
	}
	if p.Refine {
		return refined(p, best)
	}
	return best
}

// roundMost bounds the rounds of leadership and replicas; each must lower the score by one part in roundGain.
const (
	roundMost = 12
	roundGain = 50
)

// attemptWithin is attempt with every hard box kept: where a concentrated topic could not be relieved within them, it
// is left alone.
func attemptWithin(p *Problem, seed uint64) *Result {
	r, ok := attempt(p, seed)
	if ok {
		return r
	}
	keep := *p
	keep.KeepTopics = true
	again, _ := attempt(&keep, seed)
	again.Evaluated += r.Evaluated
	return again
}

// attempt searches once, and reports whether the result keeps every hard box.
func attempt(p *Problem, seed uint64) (*Result, bool) {
	s := newState(p, seed)
	if seed != 0 {
		s.shuffle()
	}
	start := append([]int64(nil), s.load...)
	if !p.KeepTopics {
		s.relieve()
	}
	if !p.LeadersOnly {
		s.fill()
		s.fitDisk()
	}
	for round := 0; round < roundMost && s.total > 0 && !s.spent(); round++ {
		before := s.total
		s.pass((*state).improveLeadership)
		if !p.LeadersOnly {
			s.fitDisk()
			s.pass((*state).improveReplicas)
		}
		if s.total > before-before/roundGain {
			s.pass((*state).chain)
		}
		if s.total > before-before/roundGain {
			break
		}
	}
	s.retreat(start)
	if !p.KeepTopics {
		s.relieveMore(start)
		if s.total > 0 {
			s.concede()
		}
	}
	s.prune()
	if s.pruneDetours() > 0 {
		s.prune()
	}
	if !p.LeadersOnly {
		s.polishBytes()
		s.prune()
	}
	return s.result(), s.keeps(start)
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
	r := s.measure()
	r.At, r.Lead, r.Evaluated = s.at, s.lead, s.evaluated
	return r
}

// costs adds up what the placement copies and changes.
func (s *state) costs(r *Result) {
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
}
