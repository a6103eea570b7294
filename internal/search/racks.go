package search

// fits reports whether slot i may go to broker b: b receives, does not hold the partition, and the racks of the
// partition become no worse.
func (s *state) fits(i, b int32) bool {
	if !s.Receives[b] {
		return false
	}
	q := s.part[i]
	first, end := s.Slots(q)
	for k := first; k < end; k++ {
		if s.at[k] == b {
			return false
		}
	}
	a := s.at[i]
	if s.Rack[a] == s.Rack[b] {
		return true
	}
	clear(s.racks)
	for k := first; k < end; k++ {
		s.racks[s.Rack[s.at[k]]]++
	}
	copy(s.before, s.racks)
	s.racks[s.Rack[a]]--
	s.racks[s.Rack[b]]++
	if distinct(s.racks) < distinct(s.before) {
		return false
	}
	if !s.RackAware {
		return true
	}
	low, high := s.QuotaLow[end-first], s.QuotaHigh[end-first]
	return outside(s.racks, low, high) <= outside(s.before, low, high)
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

// outside counts the replicas by which racks break their quotas.
func outside(racks, low, high []int32) int32 {
	var n int32
	for r, c := range racks {
		n += max(0, low[r]-c) + max(0, c-high[r])
	}
	return n
}
