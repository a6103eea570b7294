package maintenance

import "slices"

// topicSpread counts the replicas of each drained topic on each broker, so that a drain does not heap a topic on one
// broker, which would take all of its clients along when it fails.
type topicSpread struct {
	held map[string][]int // topic → replicas by place of the broker
	most map[string]int   // topic → replicas that one broker should hold at most

	unbounded bool
}

// newTopicSpread counts the topics of the tasks. The bound is 1.2 times an even spread, rounded up, plus one, as for
// leaders in a balancing plan; in integers, so that 1.2 is exact. A custom share rule may want an uneven spread, so
// there is no bound with one.
func newTopicSpread(p *planner) *topicSpread {
	s := &topicSpread{held: map[string][]int{}, most: map[string]int{}, unbounded: p.o.Policy.Shares != nil}
	for _, t := range p.tasks {
		if s.held[t.p.Topic] == nil {
			s.held[t.p.Topic] = make([]int, len(p.c.Brokers))
		}
	}
	receivers := p.receiving()
	replicas := map[string]int{}
	for i := range p.c.Partitions {
		part := &p.c.Partitions[i]
		held := s.held[part.Topic]
		if held == nil {
			continue
		}
		replicas[part.Topic] += len(part.Replicas)
		for _, id := range part.Replicas {
			if at, known := p.at[id]; known {
				held[at]++
			}
		}
	}
	for topic, n := range replicas {
		s.most[topic] = (6*n+5*receivers-1)/(5*receivers) + 1
	}
	return s
}

// add counts n more replicas of a topic on a broker.
func (s *topicSpread) add(topic string, at, n int) { s.held[topic][at] += n }

// room returns those of the places that may hold one more replica of a topic, or all of them when none may.
func (s *topicSpread) room(topic string, places []int) []int {
	full := func(at int) bool { return s.held[topic][at] >= s.most[topic] }
	if s.unbounded || !slices.ContainsFunc(places, func(at int) bool { return !full(at) }) {
		return places
	}
	return slices.DeleteFunc(places, full)
}
