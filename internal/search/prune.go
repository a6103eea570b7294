package search

import "github.com/kafka-pilot/pilot/internal/dense"

// prune takes back what turned out not to be needed: whole partitions first, then single replicas, then leaderships,
// the most bytes first. A change goes when the score is no higher without it and the hard boxes hold.
func (s *state) prune() {
	for range 4 {
		n := s.prunePartitions() + s.pruneReplicas() + s.pruneLeaders()
		if n == 0 {
			return
		}
	}
}

func (s *state) prunePartitions() int {
	n := 0
	for q := range s.lead {
		if p := int32(q); s.changed(p) && s.takeBack(p, s.revertAll) {
			n++
		}
	}
	return n
}

func (s *state) pruneReplicas() int {
	n := 0
	for q := range s.lead {
		first, end := s.Slots(int32(q))
		for i := first; i < end; i++ {
			if s.at[i] == s.At[i] || s.holds(int32(q), s.At[i]) {
				continue
			}
			if s.takeBack(int32(q), func(int32) { s.place(i, s.At[i]) }) {
				n++
			}
		}
	}
	return n
}

func (s *state) pruneLeaders() int {
	n := 0
	for q := range s.lead {
		if s.lead[q] != s.Lead[q] && s.at[s.Lead[q]] == s.At[s.Lead[q]] &&
			s.takeBack(int32(q), func(p int32) { s.give(s.Lead[p]) }) {
			n++
		}
	}
	return n
}

func (s *state) changed(q int32) bool {
	if s.lead[q] != s.Lead[q] {
		return true
	}
	first, end := s.Slots(q)
	for i := first; i < end; i++ {
		if s.at[i] != s.At[i] {
			return true
		}
	}
	return false
}

func (s *state) holds(q, b int32) bool {
	first, end := s.Slots(q)
	for i := first; i < end; i++ {
		if s.at[i] == b {
			return true
		}
	}
	return false
}

func (s *state) revertAll(q int32) {
	first, end := s.Slots(q)
	if s.lead[q] != s.Lead[q] {
		s.give(s.Lead[q])
	}
	for i := first; i < end; i++ {
		if s.at[i] != s.At[i] {
			s.place(i, s.At[i])
		}
	}
}

// takeBack tries a change of partition q and keeps it when the score does not rise and no hard box is left.
func (s *state) takeBack(q int32, try func(int32)) bool {
	first, end := s.Slots(q)
	places := append([]int32(nil), s.at[first:end]...)
	lead := s.lead[q]
	brokers := unique(append(append([]int32(nil), places...), s.At[first:end]...))
	loads := make([]int64, 0, len(brokers)*dense.Loads)
	var before int64
	for _, b := range brokers {
		before += s.brokerPenalty(b)
		loads = append(loads, s.load[int(b)*dense.Loads:int(b+1)*dense.Loads]...)
	}
	try(q)
	s.evaluated++
	if s.within(brokers, loads) && s.sum(brokers) <= before && s.rackwise(q, places) && s.allowed(q, s.lead[q], -1, 0) {
		return true
	}
	if s.lead[q] != lead {
		s.give(lead)
	}
	for i := first; i < end; i++ {
		if s.at[i] != places[i-first] {
			s.place(i, places[i-first])
		}
	}
	return false
}

// rackwise reports whether partition q is on no fewer racks, and no farther outside its quotas, than at the places
// given or at the start.
func (s *state) rackwise(q int32, places []int32) bool {
	first, end := s.Slots(q)
	count := func(at []int32) []int32 {
		racks := make([]int32, s.Racks)
		for _, b := range at {
			racks[s.Rack[b]]++
		}
		return racks
	}
	now, then := count(s.at[first:end]), count(places)
	if distinct(now) < distinct(then) {
		return false
	}
	if !s.RackAware {
		return true
	}
	low, high := s.QuotaLow[end-first], s.QuotaHigh[end-first]
	return outside(now, low, high) <= outside(then, low, high)
}

func (s *state) sum(brokers []int32) int64 {
	var n int64
	for _, b := range brokers {
		n += s.brokerPenalty(b)
	}
	return n
}

func (s *state) within(brokers []int32, before []int64) bool {
	for j, b := range brokers {
		for m := 0; m < dense.Loads; m++ {
			k := int(b)*dense.Loads + m
			if !s.Cells[k].allows(before[j*dense.Loads+m], s.load[k]) {
				return false
			}
		}
	}
	return true
}

func unique(list []int32) []int32 {
	kept := list[:0]
	for i, b := range list {
		seen := false
		for _, o := range list[:i] {
			seen = seen || o == b
		}
		if !seen {
			kept = append(kept, b)
		}
	}
	return kept
}
