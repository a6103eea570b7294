package balance

import (
	"slices"

	"github.com/kafka-pilot/pilot/internal/search"
)

// moves writes down what a search result changes. Replica lists compare as sets: a partition whose followers alone
// would change their order is no move (row PLAN-03).
func (g *ground) moves(p *search.Problem, r *search.Result) []Move {
	var list []Move
	for i := range g.c.Partitions {
		q := &g.c.Partitions[i]
		if p.Fixed[i] {
			continue
		}
		first, end := p.Slots(int32(i))
		at := r.At[first:end]
		leader := g.c.Brokers[r.At[r.Lead[i]]].ID
		to := g.target(q, at, leader)
		if leader == q.Leader && sameSet(to, q.Replicas) {
			continue
		}
		m := Move{Topic: q.Topic, Partition: q.ID, From: slices.Clone(q.Replicas), To: to,
			FromLeader: q.Leader, ToLeader: leader, Kind: MoveBalance}
		for _, b := range to {
			if !slices.Contains(q.Replicas, b) {
				m.CopyBytes += q.LeaderSize()
			}
		}
		if sameSet(to, q.Replicas) {
			m.Kind = MoveLeader
		}
		m.Reason = moveReason(&m)
		list = append(list, m)
	}
	return list
}

// target orders the new replicas: the leader first, then the others in the places that they have now, so that what
// stays keeps its order and newcomers take the places of those they replace.
func (g *ground) target(q *Partition, at []int32, leader int32) []int32 {
	now := make([]int32, 0, len(at))
	for _, b := range at {
		now = append(now, g.c.Brokers[b].ID)
	}
	to := make([]int32, 0, len(now))
	to = append(to, leader)
	for _, b := range now {
		if b != leader {
			to = append(to, b)
		}
	}
	return to
}

func sameSet(a, b []int32) bool {
	if len(a) != len(b) {
		return false
	}
	for _, x := range a {
		if !slices.Contains(b, x) {
			return false
		}
	}
	return true
}

// moved returns the loads after the moves, recomputed from the placements alone: it shares nothing with the search.
func (g *ground) moved(moves []Move) []Load {
	load := slices.Clone(g.load)
	parts := g.c.Partitions
	i := 0
	for k := range moves {
		m := &moves[k]
		for parts[i].Name() != m.Name() {
			i++
		}
		p := &parts[i]
		for j, b := range p.Replicas {
			take(&load[g.index.find(b)], p, float64(p.ReplicaSize(j)), b == m.FromLeader, -1)
		}
		for _, b := range m.To {
			size := float64(p.LeaderSize())
			if j := slices.Index(p.Replicas, b); j >= 0 {
				size = float64(p.ReplicaSize(j))
			}
			take(&load[g.index.find(b)], p, size, b == m.ToLeader, 1)
		}
	}
	return load
}

func take(l *Load, p *Partition, size float64, leads bool, sign float64) {
	l[Disk] += float64(sign * size)
	if !leads {
		l[Followers] += sign
		return
	}
	l[Leaders] += sign
	l[ProducerMessages] += float64(sign * p.ProduceMessages)
	l[ProducerBytes] += float64(sign * p.ProduceBytes)
	l[ConsumerMessages] += float64(sign * p.ConsumeMessages)
	l[ConsumerBytes] += float64(sign * p.ConsumeBytes)
}
