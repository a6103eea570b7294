package balance

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/kafka-pilot/pilot/internal/search"
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
	trips := g.tripped(&before)
	if len(trips) == 0 {
		p.Status, p.Message = NoneNeeded, noneNeededMessage(g.policy.Threshold, &before)
		return g.finish(p), nil
	}
	return g.balance(p, trips)
}

// balance looks for a plan worth applying for the brokers that tripped.
func (g *ground) balance(p *Proposal, trips []tripped) (*Proposal, error) {
	moves, after := g.attempt(&p.Before, released{})
	line := g.policy.Threshold
	if len(g.tripped(&after)) > 0 {
		wideMoves, wideAfter := g.attempt(&p.Before, released{wider: true})
		if len(g.tripped(&wideAfter)) < len(g.tripped(&after)) {
			moves, after, line = wideMoves, wideAfter, 2*g.policy.Threshold
			p.Notes = append(p.Notes, allowanceNote(g.policy.Threshold))
		}
	}
	refusal := g.worthApplying(&p.Before, &after, len(moves))
	p.Limits = g.limits(trips, &after)
	if refusal != "" {
		p.Status, p.Notes = NoneNeeded, nil
		p.Message = noPlanMessage(trips, refusal)
		if len(p.Limits) > 0 {
			p.Status, p.Message = AtLimit, atLimitMessage(p.Limits)
		}
		return g.finish(p), nil
	}
	if err := g.verify(moves, &p.Before, &after, line); err != nil {
		return nil, err
	}
	p.Status, p.Moves, p.After = RebalanceRecommended, moves, after
	p.Message = planMessage(g.policy.Threshold, trips, &after)
	return g.finish(p), nil
}

// attempt searches with the given freedom and reports the outcome.
func (g *ground) attempt(before *Report, free released) ([]Move, Report) {
	problem := g.problem(before, free)
	moves := g.moves(problem, search.Search(problem))
	if n := g.policy.MaxPartitions; n > 0 && len(moves) > n {
		moves = g.trim(moves, n)
	}
	return moves, g.report(g.moved(moves))
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
	p.TopicSpread = TopicSpread{}
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
