package search

import (
	"cmp"
	"slices"
)

// prune takes back what turned out not to be needed: whole partitions first, then single replicas, then leaderships,
// the most bytes first. A change goes when the score is no higher without it and the hard boxes hold.
func (s *state) prune() {
	for range 4 {
		changed := s.changedPartitions()
		n := 0
		for _, q := range changed {
			if s.takeBack(q, whole) {
				n++
			}
		}
		for _, q := range changed {
			first, end := s.Slots(q)
			for i := first; i < end; i++ {
				if s.at[i] != s.At[i] && !s.hosts(q, s.At[i]) && s.takeBack(q, i) {
					n++
				}
			}
		}
		for _, q := range changed {
			if s.lead[q] != s.Lead[q] && s.at[s.Lead[q]] == s.At[s.Lead[q]] && s.takeBack(q, leadership) {
				n++
			}
		}
		if n+s.pruneExchanges() == 0 {
			return
		}
	}
}

// changedPartitions lists what differs from the start, the most bytes first.
func (s *state) changedPartitions() []int32 {
	type copying struct {
		q     int32
		bytes int64
	}
	var changed []copying
	for q := range int32(len(s.lead)) {
		if s.changed(q) {
			changed = append(changed, copying{q, s.copies(q)})
		}
	}
	slices.SortFunc(changed, func(a, b copying) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.q, b.q))
	})
	list := make([]int32, len(changed))
	for n, c := range changed {
		list[n] = c.q
	}
	return list
}

// copies returns the bytes that partition q copies.
func (s *state) copies(q int32) int64 {
	first, end := s.Slots(q)
	var n int64
	for i := first; i < end; i++ {
		n += s.copied(i, s.at[i])
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

// hosts reports whether broker b holds a replica of partition q.
func (s *state) hosts(q, b int32) bool {
	first, end := s.Slots(q)
	for i := first; i < end; i++ {
		if s.at[i] == b {
			return true
		}
	}
	return false
}

// What takeBack takes back, besides single slots.
const (
	whole      = -1
	leadership = -2
)

// takeBack tries to undo a change of partition q and keeps that when the score does not rise and no box is left.
func (s *state) takeBack(q, what int32) bool {
	before, crowded := s.total, s.racksOutside(q)
	s.begin()
	s.rememberPartition(q)
	s.revert(q, what)
	ok := s.total <= before && s.within() && s.racksOutside(q) <= crowded && s.mayStay(q)
	s.end(ok)
	return ok
}

// begin starts a trial, end keeps it or takes it back.
func (s *state) begin() {
	s.evaluated++
	s.logging, s.work.held = true, true
	s.log, s.visited, s.loads = s.log[:0], s.visited[:0], s.loads[:0]
}

func (s *state) end(keep bool) {
	if !keep {
		s.undo(0)
	}
	s.logging, s.work.held = false, false
}

// rememberPartition keeps the loads of every broker that partition q is or was on.
func (s *state) rememberPartition(q int32) {
	first, end := s.Slots(q)
	for i := first; i < end; i++ {
		s.rememberBroker(s.at[i])
		s.rememberBroker(s.At[i])
	}
}

func (s *state) revert(q, what int32) {
	first, end := s.Slots(q)
	if what < 0 && s.lead[q] != s.Lead[q] {
		s.give(s.Lead[q])
	}
	for i := first; i < end; i++ {
		if s.at[i] != s.At[i] && (what == whole || what == i) {
			s.place(i, s.At[i])
		}
	}
}

// mayStay asks the caps and the gates about partition q as it is now, after a trial.
func (s *state) mayStay(q int32) bool {
	if !s.mayLead(s.lead[q]) {
		return false
	}
	t := s.Topic[q]
	b := s.at[s.lead[q]]
	if limit := s.Topics[t].LeaderCap; limit > 0 && s.leads(t, b) > limit && s.moved(q) {
		return false
	}
	first, end := s.Slots(q)
	for i := first; i < end; i++ {
		if b := s.at[i]; !s.mayHold(t, b, s.holds(t, b)) {
			return false
		}
	}
	return s.allowed(q, s.lead[q], -1, 0)
}

// moved reports whether the trial gave the leadership of q to another broker.
func (s *state) moved(q int32) bool {
	for _, c := range s.log {
		if s.part[c.slot] == q && (c.lead || s.lead[q] == c.slot) {
			return true
		}
	}
	return false
}

// pairTries bounds the partners that taking back exchanges tries for each hand-over.
const pairTries = 6

// pruneExchanges takes back two changes of leadership in opposite directions at once: counts stay, and often nothing
// else needed the exchange.
func (s *state) pruneExchanges() int {
	type handed struct{ from, to, q int32 }
	var list []handed
	for q := range int32(len(s.lead)) {
		i := s.Lead[q]
		if s.lead[q] != i && s.at[i] == s.At[i] {
			list = append(list, handed{s.at[i], s.at[s.lead[q]], q})
		}
	}
	slices.SortFunc(list, func(a, b handed) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.q, b.q))
	})
	n := 0
	for _, h := range list {
		if h.from > h.to {
			continue
		}
		at, _ := slices.BinarySearchFunc(list, handed{h.to, h.from, -1}, func(a, b handed) int {
			return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.q, b.q))
		})
		for k := at; k < min(len(list), at+pairTries) && list[k].from == h.to && list[k].to == h.from; k++ {
			if s.takeBackBoth(h.q, list[k].q) {
				n++
				break
			}
		}
	}
	return n
}

func (s *state) takeBackBoth(p, q int32) bool {
	if s.lead[p] == s.Lead[p] || s.lead[q] == s.Lead[q] {
		return false
	}
	before := s.total
	s.begin()
	s.rememberPartition(p)
	s.rememberPartition(q)
	s.revert(p, leadership)
	s.revert(q, leadership)
	ok := s.total <= before && s.within() && s.mayStay(p) && s.mayStay(q)
	s.end(ok)
	return ok
}
