package balance

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Propose calculates the plan for one reading, or says why there is none. It is a pure function: the same reading and
// policy give the same proposal, to the byte. It returns an error for a reading or a policy that contradicts itself,
// never because there is nothing to do.
func Propose(c *Cluster, policy Policy) (*Proposal, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	g, err := newGround(c, policy)
	if err != nil {
		return nil, err
	}
	before := g.report(g.load)
	p := &Proposal{Before: before, After: before, Moves: []Move{}, Limits: []Limit{}}
	if down := g.unavailable(); len(down) > 0 || len(g.active) == 0 {
		p.Status, p.Message = Paused, pausedMessage(down)
		return g.finish(p), nil
	}
	crowds := g.crowds(g.leaderNow)
	p.TopicSpread = g.topicSpread(crowds, nil)
	trips := g.tripped(&before)
	if len(trips) == 0 && (len(crowds) == 0 || policy.HoldTopicCaps) {
		p.Status, p.Message = NoneNeeded, noneNeededMessage(g.policy.Threshold, &before)
		return g.finish(p), nil
	}
	return g.balance(p, trips, crowds)
}

// balance looks for a plan worth applying for the brokers that tripped and the topics that are concentrated.
func (g *ground) balance(p *Proposal, trips []tripped, crowds []crowd) (*Proposal, error) {
	d, refusal, waits := g.search(&p.Before, trips, crowds)
	if waits {
		p.Limits = cooling(trips)
		g.refuse(p, trips, "")
		return g.finish(p), nil
	}
	p.Limits = g.limits(trips, d)
	if refusal != "" {
		g.limitTopics(&p.TopicSpread, nil)
		g.refuse(p, trips, refusal)
		return g.finish(p), nil
	}
	if d.line > g.policy.Threshold {
		p.Notes = append(p.Notes, allowanceNote(g.policy.Threshold))
	}
	if err := g.verify(d.moves, &p.Before, &d.after, d.line); err != nil {
		return nil, err
	}
	if err := g.verifyTopics(d.moves); err != nil {
		return nil, err
	}
	p.Status, p.Moves, p.After = RebalanceRecommended, d.moves, d.after
	p.TopicSpread = g.topicSpread(crowds, d.moves)
	if !g.policy.HoldTopicCaps {
		g.limitTopics(&p.TopicSpread, d.moves)
	}
	p.Message = planMessage(g.policy.Threshold, trips, &d.after, &p.TopicSpread)
	return g.finish(p), nil
}

// refuse says why there is no plan.
func (g *ground) refuse(p *Proposal, trips []tripped, refusal string) {
	p.Notes = nil
	switch {
	case len(p.Limits) > 0:
		p.Status, p.Message = AtLimit, atLimitMessage(p.Limits)
	case len(trips) > 0:
		p.Status, p.Message = NoneNeeded, noPlanMessage(trips, refusal)
	default:
		p.Status = NoneNeeded
		p.Message = noneNeededMessage(g.policy.Threshold, &p.Before) + " " + crowdedMessage(&p.TopicSpread)
	}
}

func (g *ground) unavailable() []int32 {
	var down []int32
	for i := range g.c.Brokers {
		if g.c.Brokers[i].State == Unavailable {
			down = append(down, g.c.Brokers[i].ID)
		}
	}
	return down
}

// finish gives the proposal its identity.
func (g *ground) finish(p *Proposal) *Proposal {
	p.ID = planID(p.Moves)
	return p
}

// planID is a hash of the moves with the placements they start from: the same moves on the same base are the same
// plan, whenever and by whomever they are calculated.
func planID(moves []Move) string {
	h := sha256.New()
	for i := range moves {
		m := &moves[i]
		fmt.Fprintf(h, "%q %d %v %d %v %d %s\n", m.Topic, m.Partition, m.From, m.FromLeader, m.To, m.ToLeader, m.Kind)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
