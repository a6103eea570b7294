package search

// handover makes slot to the leader of its partition.
type handover struct{ to int32 }

// improveLeadership makes the one change of leadership around broker b that lowers the score most: a handover, else
// an exchange with one broker, else a rotation over three. It reports the brokers it touched.
func (s *state) improveLeadership(b int32) []int32 {
	if h, ok := s.bestHandover(b); ok {
		return s.hand(h)
	}
	if two, ok := s.bestExchange(b); ok {
		return s.hand(two[:]...)
	}
	if three, ok := s.bestRotation(b); ok {
		return s.hand(three[:]...)
	}
	return nil
}

func (s *state) hand(hs ...handover) []int32 {
	touched := make([]int32, 0, 2*len(hs))
	for _, h := range hs {
		touched = append(touched, s.at[s.lead[s.part[h.to]]], s.at[h.to])
		s.give(h.to)
	}
	return touched
}

func (s *state) bestHandover(b int32) (handover, bool) {
	var best handover
	var least int64
	try := func(from, to int32) {
		q := s.part[to]
		d := s.Leadership(q)
		n, ok := s.shift(s.at[from], s.at[to], &d)
		if n = s.noisy(n, to); ok && n < least && s.allowed(q, to, -1, 0) {
			least, best = n, handover{to}
		}
	}
	for _, i := range s.hosted[b] {
		q := s.part[i]
		if s.Fixed[q] {
			continue
		}
		if s.lead[q] != i {
			if s.mayLead(i) {
				try(s.lead[q], i)
			}
			continue
		}
		first, end := s.Slots(q)
		for k := first; k < end; k++ {
			if k != i && s.mayLead(k) {
				try(i, k)
			}
		}
	}
	return best, least < 0
}

// handovers lists, for each other broker, the slots that could take leadership over from broker b (out) and those on
// b that could take it over from that broker (in), at most most of each.
func (s *state) handovers(b int32, most int) (out, in [][]int32) {
	out, in = make([][]int32, s.Brokers), make([][]int32, s.Brokers)
	for _, i := range s.hosted[b] {
		q := s.part[i]
		if s.Fixed[q] {
			continue
		}
		if s.lead[q] != i {
			a := s.at[s.lead[q]]
			if s.mayLead(i) && len(in[a]) < most {
				in[a] = append(in[a], i)
			}
			continue
		}
		first, end := s.Slots(q)
		for k := first; k < end; k++ {
			if c := s.at[k]; k != i && s.mayLead(k) && len(out[c]) < most {
				out[c] = append(out[c], k)
			}
		}
	}
	return out, in
}

// pairMost bounds the handovers of one direction between two brokers that exchanges look at.
const pairMost = 96

func (s *state) bestExchange(b int32) ([2]handover, bool) {
	var best [2]handover
	var least int64
	out, in := s.handovers(b, pairMost)
	for c := range out {
		for _, i := range out[c] {
			give := s.Leadership(s.part[i])
			for _, k := range in[c] {
				take := s.Leadership(s.part[k])
				d := difference(&give, &take)
				n, ok := s.shift(b, int32(c), &d)
				if n = s.noisy(n, i^k); ok && n < least && s.allowed(s.part[i], i, -1, 0) && s.allowed(s.part[k], k, -1, 0) {
					least, best = n, [2]handover{{i}, {k}}
				}
			}
			if s.spent() {
				return best, least < 0
			}
		}
	}
	return best, least < 0
}

// rotationMost bounds the handovers between two brokers that rotations look at, rotationEffort the changes.
const (
	rotationMost   = 10
	rotationEffort = 40_000
)

func (s *state) bestRotation(b int32) ([3]handover, bool) {
	var best [3]handover
	var least int64
	out, in := s.handovers(b, rotationMost)
	budget := s.evaluated + rotationEffort
	for c := range out {
		if len(out[c]) == 0 || s.evaluated > budget {
			continue
		}
		onward, _ := s.handovers(int32(c), rotationMost)
		for d := range in {
			if len(in[d]) == 0 || d == c || len(onward[d]) == 0 || int32(d) == b {
				continue
			}
			for _, i := range out[c] {
				for _, k := range in[d] {
					s.tryRotation(b, int32(c), int32(d), i, k, onward[d], &best, &least)
				}
			}
		}
	}
	return best, least < 0
}

func (s *state) tryRotation(b, c, d, i, k int32, onward []int32, best *[3]handover, least *int64) {
	give, take := s.Leadership(s.part[i]), s.Leadership(s.part[k])
	own := difference(&take, &give)
	first, ok := s.change(b, &own)
	if !ok {
		return
	}
	for _, j := range onward {
		pass := s.Leadership(s.part[j])
		atC, atD := difference(&give, &pass), difference(&pass, &take)
		second, ok := s.change(c, &atC)
		if !ok {
			continue
		}
		third, ok := s.change(d, &atD)
		if n := first + second + third; ok && n < *least && s.allAllowed(i, j, k) {
			*least, *best = n, [3]handover{{i}, {j}, {k}}
		}
	}
}

func (s *state) allAllowed(slots ...int32) bool {
	for _, i := range slots {
		if !s.allowed(s.part[i], i, -1, 0) {
			return false
		}
	}
	return true
}

// noisy scales a gain by three quarters to one, by seed and slot: restarts then take other ways. Seed 0 leaves it.
func (s *state) noisy(n int64, i int32) int64 {
	if s.seed == 0 || n >= 0 {
		return n
	}
	x := (s.seed + uint64(uint32(i))) * 0x9e3779b97f4a7c15
	x ^= x >> 29
	x *= 0xbf58476d1ce4e5b9
	return n - (n>>10)*int64(x>>56)
}
