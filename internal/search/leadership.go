package search

import "github.com/kafka-pilot/pilot/internal/dense"

// improveLeadership makes the changes of leadership around broker b that lower the score most: hand-overs, else
// exchanges with one broker each, else a rotation over three. It reports whether any was made.
func (s *state) improveLeadership(b int32) bool {
	return s.handOver(b) || s.exchange(b) || s.rotate(b)
}

// handOver makes hand-overs from and to broker b that help b itself: others are helped when they are visited.
func (s *state) handOver(b int32) bool {
	s.pool.reset(s.batch(b))
	for n := range s.gather(b) {
		s.offerHandovers(b, &s.gathered[n])
	}
	made := 0
	for _, c := range s.pool.best() {
		if g, ok := s.handing(c.a); ok && g < 0 && g <= c.rank/2 && s.mayHand(c.a) {
			s.give(c.a)
			made++
		}
	}
	return made > 0
}

// hosting is one replica of a broker with what a look at its leadership needs.
type hosting struct {
	slot, partition, lead int32
	leads                 dense.Vector
}

// gather collects what the replicas of broker b are about, a loop for each array: so the processor waits for many
// places in memory at once, and not for one after the other. A million partitions do not fit in its cache.
func (s *state) gather(b int32) []hosting {
	list := s.gathered[:0]
	for _, i := range s.hosted[b] {
		list = append(list, hosting{slot: i, partition: s.part[i]})
	}
	for n := range list {
		if q := list[n].partition; s.Fixed[q] {
			list[n].lead = -1
		} else {
			list[n].lead = s.lead[q]
		}
	}
	for n := range list {
		list[n].leads = s.Leadership(list[n].partition)
	}
	s.gathered = list
	return list
}

// offerHandovers offers the hand-overs of a partition from or to its replica on broker b.
func (s *state) offerHandovers(b int32, h *hosting) {
	out := negative(&h.leads)
	i := h.slot
	switch {
	case h.lead < 0:
		return
	case h.lead != i:
		if own, ok := s.change(b, &h.leads); ok && own.hard < 0 {
			s.offerHandover(i, s.at[h.lead], &out, own.hard)
		}
		return
	}
	own, ok := s.change(b, &out)
	if !ok || own.hard >= 0 {
		return
	}
	first, end := s.Slots(h.partition)
	for k := first; k < end; k++ {
		if k != i {
			s.offerHandover(k, s.at[k], &h.leads, own.hard)
		}
	}
}

// offerHandover offers the hand-over to a slot, which changes the loads of the other broker by d. What is looked up last
// is what most hand-overs are not asked for.
func (s *state) offerHandover(to, other int32, d *dense.Vector, own int64) {
	g, ok := s.change(other, d)
	n := own + g.hard
	if !ok || n >= 0 || !s.pool.wants(n+n/2) || !s.mayLead(to) {
		return
	}
	if n = s.noisy(s.cheap(n, to), to); s.pool.wants(n) && s.mayHand(to) {
		s.pool.offer(candidate{rank: n, a: to})
	}
}

// handing returns the gain of making slot i the leader.
func (s *state) handing(i int32) (int64, bool) {
	q := s.part[i]
	if s.lead[q] == i {
		return 0, false
	}
	d := s.Leadership(q)
	g, ok := s.shift(s.at[s.lead[q]], s.at[i], &d)
	return g.hard, ok
}

// cheap makes the gain of a hand-over larger where it costs no further change of leadership: the partition's leader
// has changed already.
func (s *state) cheap(n int64, i int32) int64 {
	if q := s.part[i]; n < 0 && s.lead[q] != s.Lead[q] {
		return n + n/2
	}
	return n
}

// joined lists, partner by partner, the slots that could take leadership over from a broker (out), and those on it
// that could take it over from the partner (in).
type joined struct {
	outFirst, inFirst []int32
	out, in           []int32
}

func (j *joined) of(c int32) (out, in []int32) {
	return j.out[j.outFirst[c]:j.outFirst[c+1]], j.in[j.inFirst[c]:j.inFirst[c+1]]
}

// join fills j for broker b by counting sort: once to count, once to fill.
func (s *state) join(b int32, j *joined) {
	n := s.Brokers + 2
	if len(j.outFirst) < n {
		j.outFirst, j.inFirst = make([]int32, n), make([]int32, n)
	}
	clear(j.outFirst)
	clear(j.inFirst)
	s.handovers(b, func(slot, partner int32, out bool) {
		if out {
			j.outFirst[partner+2]++
		} else {
			j.inFirst[partner+2]++
		}
	})
	for c := 2; c < n; c++ {
		j.outFirst[c] += j.outFirst[c-1]
		j.inFirst[c] += j.inFirst[c-1]
	}
	j.out, j.in = grown(j.out, j.outFirst[n-1]), grown(j.in, j.inFirst[n-1])
	s.handovers(b, func(slot, partner int32, out bool) {
		if out {
			j.out[j.outFirst[partner+1]] = slot
			j.outFirst[partner+1]++
		} else {
			j.in[j.inFirst[partner+1]] = slot
			j.inFirst[partner+1]++
		}
	})
	s.evaluated += int64(len(s.hosted[b]) / 4)
}

func grown(list []int32, n int32) []int32 {
	if cap(list) < int(n) {
		return make([]int32, n+n/4)[:n]
	}
	return list[:n]
}

// handovers goes through the hand-overs from broker b (out) and to it.
func (s *state) handovers(b int32, each func(slot, partner int32, out bool)) {
	for _, i := range s.hosted[b] {
		q := s.part[i]
		if s.Fixed[q] {
			continue
		}
		if s.lead[q] != i {
			if s.mayLead(i) {
				each(i, s.at[s.lead[q]], false)
			}
			continue
		}
		first, end := s.Slots(q)
		for k := first; k < end; k++ {
			if k != i && s.mayLead(k) {
				each(k, s.at[k], true)
			}
		}
	}
}
