package balance

import (
	"github.com/kafka-pilot/pilot/internal/dense"
)

// topics numbers the topics of the partitions, which are sorted, and gives each its caps (row PLAN-11).
func (g *ground) topics() (of []int32, topics []dense.Topic) {
	of = make([]int32, len(g.c.Partitions))
	for i := range g.c.Partitions {
		if i == 0 || g.c.Partitions[i].Topic != g.c.Partitions[i-1].Topic {
			topics = append(topics, dense.Topic{First: int32(i)})
		}
		last := len(topics) - 1
		topics[last].End = int32(i + 1)
		of[i] = int32(last)
	}
	if g.policy.Shares != nil {
		return of, topics // a broker that should carry more may have more of a topic as well
	}
	at := make([]bool, len(g.racks))
	for t := range topics {
		g.caps(&topics[t], at)
	}
	return of, topics
}

// caps sets how many leaders and replicas of a topic one broker should have at most: 1.2 times its share, rounded up,
// and one. The share is that of the active brokers in the racks that hold its replicas. Holding is scratch.
func (g *ground) caps(t *dense.Topic, holding []bool) {
	replicas, brokers := 0, len(g.active)
	clear(holding)
	missing := 0
	if g.racked {
		brokers, missing = 0, len(g.racks)
	}
	for i := t.First; i < t.End; i++ {
		p := &g.c.Partitions[i]
		replicas += len(p.Replicas)
		for k := 0; missing > 0 && k < len(p.Replicas); k++ {
			if r := g.rack[g.index.find(p.Replicas[k])]; !holding[r] {
				holding[r] = true
				brokers += g.racks[r]
				missing--
			}
		}
	}
	if brokers == 0 {
		return
	}
	partitions := int(t.End - t.First)
	t.LeaderCap, t.ReplicaCap = capOf(partitions, brokers), capOf(replicas, brokers)
	if g.pinned(t) {
		t.LeaderCap = 0
	}
}

// capOf is ceil(1.2 × n ÷ brokers) + 1 in integers.
func capOf(n, brokers int) int32 { return int32((6*n+5*brokers-1)/(5*brokers) + 1) }

// pinned reports whether racks hold the leadership of a topic on a few brokers: more of its partitions have all their
// replicas in one rack than the brokers there could lead under the cap.
func (g *ground) pinned(t *dense.Topic) bool {
	if !g.racked || t.End-t.First <= t.LeaderCap {
		return false
	}
	alone := make([]int, len(g.racks))
	for i := t.First; i < t.End; i++ {
		r := g.rack[g.index.find(g.c.Partitions[i].Replicas[0])]
		for _, b := range g.c.Partitions[i].Replicas {
			if g.rack[g.index.find(b)] != r {
				r = -1
				break
			}
		}
		if r >= 0 {
			alone[r]++
		}
	}
	for r, n := range alone {
		if n > g.racks[r]*int(t.LeaderCap) {
			return true
		}
	}
	return false
}
