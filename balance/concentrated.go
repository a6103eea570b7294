package balance

import (
	"fmt"
	"slices"

	"github.com/kafka-pilot/pilot/internal/dense"
)

// crowd is a broker that leads more of a topic than the topic's cap.
type crowd struct {
	topic  int32 // place in ground.spread.topics
	broker int   // index into Cluster.Brokers
	leads  int
}

// spread is how the topics of a reading may be spread; it is made once for a reading.
type spread struct {
	of     []int32 // partition → topic
	topics []dense.Topic
}

// crowds lists the brokers that lead more of a topic than its cap, in the order of the topics. Leader returns who leads
// a partition. Only active brokers count: one in maintenance is emptied anyway.
func (g *ground) crowds(leader func(i int) int32) []crowd {
	var list []crowd
	leads := make([]int32, len(g.c.Brokers))
	for t := range g.spread.topics {
		topic := &g.spread.topics[t]
		if topic.LeaderCap == 0 || topic.End-topic.First <= topic.LeaderCap {
			continue
		}
		for i := topic.First; i < topic.End; i++ {
			if b := g.index.find(leader(int(i))); b >= 0 {
				leads[b]++
			}
		}
		from := len(list)
		for i := topic.First; i < topic.End; i++ {
			b := g.index.find(leader(int(i)))
			if b < 0 {
				continue
			}
			if n := leads[b]; n > topic.LeaderCap && g.c.Brokers[b].State == Active {
				list = append(list, crowd{int32(t), b, int(n)})
			}
			leads[b] = 0
		}
		slices.SortFunc(list[from:], func(a, b crowd) int { return a.broker - b.broker })
	}
	return list
}

func (g *ground) leaderNow(i int) int32 { return g.c.Partitions[i].Leader }

// leaderAfter returns who leads each partition after the moves, which are sorted like the partitions.
func (g *ground) leaderAfter(moves []Move) func(i int) int32 {
	leaders := make([]int32, len(g.c.Partitions))
	k := 0
	for i := range leaders {
		leaders[i] = g.c.Partitions[i].Leader
		if k < len(moves) && g.c.Partitions[i].Name() == moves[k].Name() {
			leaders[i] = moves[k].ToLeader
			k++
		}
	}
	return func(i int) int32 { return leaders[i] }
}

// over adds up by how many leaders the caps are passed.
func (g *ground) over(crowds []crowd) int {
	n := 0
	for _, c := range crowds {
		n += c.leads - int(g.spread.topics[c.topic].LeaderCap)
	}
	return n
}

// topicSpread reports the concentrated topics of now with what the plan leaves of them.
func (g *ground) topicSpread(now []crowd, moves []Move) TopicSpread {
	leader := g.leaderAfter(moves)
	s := TopicSpread{}
	for _, c := range now {
		topic := &g.spread.topics[c.topic]
		x := ConcentratedTopic{
			Topic: g.c.Partitions[topic.First].Topic, Broker: g.c.Brokers[c.broker].ID, Leaders: c.leads,
			Partitions: int(topic.End - topic.First), Cap: int(topic.LeaderCap),
		}
		for i := topic.First; i < topic.End; i++ {
			if leader(int(i)) == x.Broker {
				x.After++
			}
		}
		s.Concentrated = append(s.Concentrated, x)
	}
	slices.SortStableFunc(s.Concentrated, func(a, b ConcentratedTopic) int { return (b.Leaders - b.Cap) - (a.Leaders - a.Cap) })
	return s
}

// limitTopics names what keeps a topic over its cap, once a search has looked for a way and a plan has been made or
// refused (row PLAN-11).
func (g *ground) limitTopics(s *TopicSpread, moves []Move) {
	leader := g.leaderAfter(moves)
	for k := range s.Concentrated {
		if x := &s.Concentrated[k]; x.After > x.Cap {
			x.Limit = g.topicLimit(x, leader)
		}
	}
}

// topicLimit looks at who else could lead the partitions of a topic: nobody, somebody once a recent move is old enough,
// or somebody whom the other loads do not let.
func (g *ground) topicLimit(x *ConcentratedTopic, leader func(i int) int32) Cause {
	first, _ := slices.BinarySearchFunc(g.c.Partitions, TopicPartition{Topic: x.Topic}, func(p Partition, n TopicPartition) int {
		return p.Name().Compare(n)
	})
	leads := map[int32]int{}
	for i := first; i < first+x.Partitions; i++ {
		leads[leader(i)]++
	}
	cause := CauseReplicaPlacement
	for i := first; i < first+x.Partitions; i++ {
		p := &g.c.Partitions[i]
		if leader(i) != x.Broker || !slices.ContainsFunc(p.Replicas, func(b int32) bool {
			return b != x.Broker && leads[b] < x.Cap && slices.Contains(p.ISR, b) && g.c.Brokers[g.index.find(b)].State == Active
		}) {
			continue
		}
		if !g.fixed(p, released{}) {
			return CauseOtherLoads
		}
		if !g.fixed(p, released{cooldown: true}) || p.Moving != nil {
			cause = CauseRecentMoves
		}
	}
	return cause
}

// verifyTopics checks by a second count that a plan pushes no topic over its cap.
func (g *ground) verifyTopics(moves []Move) error {
	leader := g.leaderAfter(moves)
	was := map[[2]int]int{}
	for _, c := range g.crowds(g.leaderNow) {
		was[[2]int{int(c.topic), c.broker}] = c.leads
	}
	for _, c := range g.crowds(leader) {
		if c.leads > was[[2]int{int(c.topic), c.broker}] {
			topic := &g.spread.topics[c.topic]
			return fmt.Errorf("plan fails its own check: broker %d would lead %d partitions of %s, at most %d",
				g.c.Brokers[c.broker].ID, c.leads, g.c.Partitions[topic.First].Topic, topic.LeaderCap)
		}
	}
	return nil
}
