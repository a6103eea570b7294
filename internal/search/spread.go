package search

// spread counts how many leaders and replicas of each topic every broker has. Small topics are counted when asked
// for, so that a million partitions on a thousand brokers need no table of topics times brokers.
type spread struct {
	brokers  int
	base     []int32 // topic → its row in the tables; -1 is counted when asked for
	leaders  []int32
	replicas []int32
}

func (w *spread) init(p *Problem) {
	w.brokers = p.Brokers
	w.base = make([]int32, len(p.Topics))
	rows := int32(0)
	for t := range p.Topics {
		w.base[t] = -1
		if int(p.Topics[t].End-p.Topics[t].First) > p.Brokers/2 {
			w.base[t] = rows
			rows++
		}
	}
	w.leaders, w.replicas = make([]int32, int(rows)*p.Brokers), make([]int32, int(rows)*p.Brokers)
	for q := range int32(p.Partitions()) {
		row := w.row(p.Topic[q])
		if row < 0 {
			continue
		}
		first, end := p.Slots(q)
		for i := first; i < end; i++ {
			w.replicas[row+int(p.At[i])]++
		}
		w.leaders[row+int(p.At[p.Lead[q]])]++
	}
}

func (w *spread) row(topic int32) int {
	if w.base[topic] < 0 {
		return -1
	}
	return int(w.base[topic]) * w.brokers
}

// lead takes a leadership of the topic from broker a to b, move a replica.
func (w *spread) lead(topic, a, b int32) {
	if row := w.row(topic); row >= 0 {
		w.leaders[row+int(a)]--
		w.leaders[row+int(b)]++
	}
}

func (w *spread) move(topic, a, b int32) {
	if row := w.row(topic); row >= 0 {
		w.replicas[row+int(a)]--
		w.replicas[row+int(b)]++
	}
}

// leads returns how many partitions of the topic broker b leads.
func (s *state) leads(topic, b int32) int32 {
	if row := s.spread.row(topic); row >= 0 {
		return s.spread.leaders[row+int(b)]
	}
	n := int32(0)
	for q := s.Topics[topic].First; q < s.Topics[topic].End; q++ {
		if s.at[s.lead[q]] == b {
			n++
		}
	}
	return n
}

// holds returns how many replicas of the topic broker b has.
func (s *state) holds(topic, b int32) int32 {
	if row := s.spread.row(topic); row >= 0 {
		return s.spread.replicas[row+int(b)]
	}
	return s.among(s.at, topic, b)
}

// among counts the slots of the topic on broker b in a placement.
func (s *state) among(at []int32, topic, b int32) int32 {
	n := int32(0)
	for i := s.First[s.Topics[topic].First]; i < s.First[s.Topics[topic].End]; i++ {
		if at[i] == b {
			n++
		}
	}
	return n
}

// roomToLead reports whether broker b may lead one more partition of q's topic. A topic over its cap never gets more.
func (s *state) roomToLead(q, b int32) bool {
	t := s.Topic[q]
	limit := s.Topics[t].LeaderCap
	if limit == 0 {
		return true
	}
	n := s.leads(t, b)
	return n < limit || s.conceding && n < s.led(t, b)
}

// led returns how many partitions of the topic broker b led at the start.
func (s *state) led(topic, b int32) int32 {
	n := int32(0)
	for q := s.Topics[topic].First; q < s.Topics[topic].End; q++ {
		if s.At[s.Lead[q]] == b {
			n++
		}
	}
	return n
}

// roomToHold reports whether broker b may hold one more replica of q's topic.
func (s *state) roomToHold(q, b int32) bool {
	t := s.Topic[q]
	return s.Topics[t].ReplicaCap == 0 || s.mayHold(t, b, s.holds(t, b)+1)
}

// mayHold reports whether broker b may hold n replicas of a topic: up to the topic's cap, or to what it held at the
// start. Where the racks make a broker hold more than its share, the cap is that much higher.
func (s *state) mayHold(t, b, n int32) bool {
	topic := &s.Topics[t]
	if topic.ReplicaCap == 0 || n <= topic.ReplicaCap || n <= s.among(s.At, t, b) {
		return true
	}
	r, factor := s.Rack[b], s.First[topic.First+1]-s.First[topic.First]
	if !s.RackAware || s.RackBrokers[r] == 0 {
		return false
	}
	pinned := s.QuotaLow[factor][r] * (topic.End - topic.First)
	return n <= (pinned+s.RackBrokers[r]-1)/s.RackBrokers[r]+1
}
