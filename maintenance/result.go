package maintenance

import (
	"slices"

	"github.com/kafka-pilot/pilot/balance"
)

// result writes the plan down.
func (p *planner) result() *Drain {
	d := &Drain{Broker: p.broker, Moves: []balance.Move{}, ReducedFactor: []balance.TopicPartition{},
		RackCollapses: []RackCollapse{}, Waiting: append([]Blocked{}, p.waiting...), Warnings: []string{}}
	var single, behind, thin []balance.TopicPartition
	for _, t := range p.tasks {
		m := p.move(t)
		d.Moves = append(d.Moves, m)
		name := t.p.Name()
		if len(m.To) < len(m.From) {
			d.ReducedFactor = append(d.ReducedFactor, name)
			if len(m.To) == p.minISR[t.p.Topic] {
				thin = append(thin, name)
			}
		} else if !p.racks(m.To).atLeast(p.racks(m.From)) {
			d.RackCollapses = append(d.RackCollapses, RackCollapse{name, m.To, p.rackNames(m.To)})
		}
		if len(m.To) == 1 {
			single = append(single, name)
		}
		if slices.ContainsFunc(t.keep, func(id int32) bool { return !inSync(t.p, id) }) {
			behind = append(behind, name)
		}
	}
	d.Warnings = warnings(p.broker, single, behind, thin, d.Waiting)
	return d
}

// move writes down one partition's change.
func (p *planner) move(t *task) balance.Move {
	to := p.target(t)
	m := balance.Move{
		Topic: t.p.Topic, Partition: t.p.ID, From: slices.Clone(t.p.Replicas), To: to,
		FromLeader: t.p.Leader, ToLeader: to[0], Kind: balance.MoveDrain,
		CopyBytes: int64(len(t.given)) * t.p.LeaderSize(),
	}
	m.Reason = reason(p.broker, t, to)
	return m
}

// target is the new replica list: new brokers in the places of the old ones, and the leader first.
func (p *planner) target(t *task) []int32 {
	var to []int32
	for i, id := range t.p.Replicas {
		if slot := slices.Index(t.open, i); slot >= 0 {
			to = append(to, t.given[slot])
		} else if slices.Contains(t.keep, id) {
			to = append(to, id)
		}
	}
	leader := t.leader
	if leader == noLeader && len(t.given) > 0 {
		leader = t.given[0]
	}
	if at := slices.Index(to, leader); at > 0 {
		to = slices.Insert(slices.Delete(to, at, at+1), 0, leader)
	}
	return to
}

// rackNames are the racks of a replica set, in its order.
func (p *planner) rackNames(set []int32) []string {
	var names []string
	for _, id := range set {
		names = append(names, p.rack(id))
	}
	return names
}
