package search

import (
	"slices"

	"github.com/kafka-pilot/pilot/internal/dense"
)

// relieve moves leadership off brokers that lead more of a topic than its cap, down to the cap, to replicas on brokers
// under it. Hard boxes are lifted: what follows exchanges leaderships until they hold again, and retreat takes back
// what could not be made good.
func (s *state) relieve() {
	for t := range s.Topics {
		topic := &s.Topics[t]
		if topic.LeaderCap == 0 {
			continue
		}
		for q := topic.First; q < topic.End; q++ {
			b := s.at[s.lead[q]]
			if s.leads(int32(t), b) > topic.LeaderCap {
				s.relieveBroker(topic, int32(t), b)
			}
		}
	}
}

// relieveBroker hands leaderships of the topic over, the one that costs the score least first.
func (s *state) relieveBroker(topic *dense.Topic, t, b int32) {
	s.lifted = true
	defer func() { s.lifted = false }()
	for over := s.leads(t, b) - topic.LeaderCap; over > 0; over-- {
		best, least := int32(-1), int64(0)
		for q := topic.First; q < topic.End; q++ {
			if s.Fixed[q] || s.at[s.lead[q]] != b {
				continue
			}
			first, end := s.Slots(q)
			for k := first; k < end; k++ {
				if s.lead[q] == k || !s.mayLead(k) || !s.mayHand(k) {
					continue
				}
				if n, ok := s.handing(k); ok && (best < 0 || n < least) {
					best, least = k, n
				}
			}
		}
		if best < 0 {
			return
		}
		s.give(best)
	}
}

// reliefs bounds how often what had to be taken back is tried again.
const reliefs = 3

// relieveMore tries again, from a placement that is nearly even, as long as that leaves fewer leaders over their caps.
func (s *state) relieveMore(start []int64) {
	for range reliefs {
		before, crowded := s.total, s.crowded()
		if crowded == 0 || s.spent() {
			return
		}
		at, lead := slices.Clone(s.at), slices.Clone(s.lead)
		s.relieve()
		s.pass((*state).improveLeadership)
		if s.total > before {
			s.pass((*state).chain)
		}
		s.retreat(start)
		if s.total > before || s.crowded() >= crowded {
			s.restore(at, lead)
			return
		}
	}
}

// concede goes on with topics as concentrated as they were at the start: even brokers come before spread topics.
func (s *state) concede() {
	s.conceding = true
	s.pass((*state).improveLeadership)
	if s.total > 0 {
		s.pass((*state).chain)
	}
	s.conceding = false
}

// retreat takes changes of leadership back, as far as a topic was led before, on brokers that ended outside a hard box in
// which they started, or farther out than they started.
func (s *state) retreat(start []int64) {
	s.conceding = true
	defer func() { s.conceding = false }()
	for b := range int32(s.Brokers) {
		for s.breached(b, start) && s.retreatBroker(b, start) {
			s.evaluated++
		}
	}
}

func (s *state) breached(b int32, start []int64) bool {
	return s.breaching(b, start) > 0
}

// keeps reports whether every broker is in its hard boxes, or no farther out than at the start.
func (s *state) keeps(start []int64) bool {
	for b := range int32(s.Brokers) {
		if s.breached(b, start) {
			return false
		}
	}
	return true
}

// breaching adds up how far the loads of broker b are out of their hard boxes, where that is farther than at the start.
func (s *state) breaching(b int32, start []int64) int64 {
	var n int64
	for m := range dense.Judged {
		k := int(b)*dense.Loads + m
		if c := &s.Cells[k]; !c.allows(start[k], s.load[k]) {
			n += 1 + c.breach(s.load[k])
		}
	}
	return n
}

// retreatBroker takes back the change of leadership around broker b that lowers the breach most.
func (s *state) retreatBroker(b int32, start []int64) bool {
	best, most := int32(-1), int64(0)
	for _, i := range s.hosted[b] {
		q := s.part[i]
		home := s.Lead[q]
		if s.lead[q] == home || s.at[home] != s.At[home] || s.at[home] != b && s.lead[q] != i {
			continue
		}
		if !s.roomToLead(q, s.at[home]) {
			continue
		}
		other := s.at[s.lead[q]]
		if other == b {
			other = s.at[home]
		}
		before := s.breaching(b, start) + s.breaching(other, start)
		s.begin()
		s.give(home)
		less := before - s.breaching(b, start) - s.breaching(other, start)
		s.end(false)
		if less > most {
			best, most = q, less
		}
	}
	if best < 0 {
		return false
	}
	s.give(s.Lead[best])
	return true
}

// crowded counts the leaders over the caps of their topics.
func (s *state) crowded() int {
	n := 0
	s.overCaps(func(int32, int32) { n++ })
	return n
}

// pushed reports whether a broker leads or holds more of a topic than the cap and than at the start.
func (s *state) pushed() bool {
	found := false
	s.overCaps(func(topic, b int32) { found = found || s.leads(topic, b) > s.led(topic, b) })
	for i, b := range s.at {
		t := s.Topic[s.part[i]]
		found = found || !s.mayHold(t, b, s.holds(t, b))
	}
	return found
}

// overCaps calls each for every leader over the cap of its topic.
func (s *state) overCaps(each func(topic, b int32)) {
	leads := make([]int32, s.Brokers)
	for t := range s.Topics {
		topic := &s.Topics[t]
		if topic.LeaderCap == 0 {
			continue
		}
		for q := topic.First; q < topic.End; q++ {
			b := s.at[s.lead[q]]
			leads[b]++
			if leads[b] > topic.LeaderCap {
				each(int32(t), b)
			}
		}
		for q := topic.First; q < topic.End; q++ {
			leads[s.at[s.lead[q]]] = 0
		}
	}
}
