package search

// fits reports whether slot i may go to broker b: b receives, does not hold the partition, and the racks of the
// partition become no worse.
func (s *state) fits(i, b int32) bool {
	if !s.Receives[b] {
		return false
	}
	q := s.part[i]
	if s.hosts(q, b) {
		return false
	}
	a := s.at[i]
	if s.Rack[a] == s.Rack[b] {
		return true
	}
	s.countRacks(q, s.before)
	copy(s.racks, s.before)
	s.racks[s.Rack[a]]--
	s.racks[s.Rack[b]]++
	if distinct(s.racks) < distinct(s.before) {
		return false
	}
	if !s.RackAware {
		return true
	}
	return s.outside(q, s.racks) <= s.outside(q, s.before)
}

// countRacks counts the replicas of partition q in each rack.
func (s *state) countRacks(q int32, racks []int32) {
	clear(racks)
	first, end := s.Slots(q)
	for k := first; k < end; k++ {
		racks[s.Rack[s.at[k]]]++
	}
}

func distinct(racks []int32) int {
	n := 0
	for _, c := range racks {
		if c > 0 {
			n++
		}
	}
	return n
}

// outside counts the replicas by which racks break the quotas of partition q.
func (s *state) outside(q int32, racks []int32) int32 {
	factor := s.First[q+1] - s.First[q]
	low, high := s.QuotaLow[factor], s.QuotaHigh[factor]
	var n int32
	for r, c := range racks {
		n += max(0, low[r]-c) + max(0, c-high[r])
	}
	return n
}

// racksOutside is how badly partition q is spread over racks: each rack fewer counts more than all quotas together.
func (s *state) racksOutside(q int32) int32 {
	if s.Racks == 1 {
		return 0
	}
	s.countRacks(q, s.racks)
	n := int32(-1_000 * distinct(s.racks))
	if s.RackAware {
		n += s.outside(q, s.racks)
	}
	return n
}
