package search

// mayHand reports whether slot i may take the leadership of its partition over: its topic's cap and the gates allow it.
func (s *state) mayHand(i int32) bool {
	q := s.part[i]
	return s.roomToLead(q, s.at[i]) && s.allowed(q, i, -1, 0)
}

// mayMove reports whether slot i may go to broker b: racks, the spread of its topic and the gates allow it.
func (s *state) mayMove(i, b int32) bool {
	q := s.part[i]
	if !s.fits(i, b) || !s.roomToHold(q, b) {
		return false
	}
	if s.lead[q] == i && (!s.roomToLead(q, b) || !s.mayLeadOn(i, b)) {
		return false
	}
	return s.allowed(q, s.lead[q], i, b)
}

// allowed asks the gates about partition q with slot i leading and slot j on broker b; j < 0 changes no broker.
func (s *state) allowed(q, i, j, b int32) bool {
	if s.Allow == nil {
		return true
	}
	on := func(k int32) int32 {
		if k == j {
			return b
		}
		return s.at[k]
	}
	s.ring = append(s.ring[:0], on(i))
	first, end := s.Slots(q)
	for k := first; k < end; k++ {
		if k != i {
			s.ring = append(s.ring, on(k))
		}
	}
	return s.Allow(q, s.ring)
}
