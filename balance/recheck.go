package balance

import "slices"

// Check says what a plan made earlier is worth on a newer reading.
type Check struct {
	// Holds says that the plan starts from where the partitions are, is still worth applying and still covers whoever
	// is beyond the act line.
	Holds bool `json:"holds"`
	// Refusal says why it does not hold; nil when it does.
	Refusal *Refusal `json:"refusal,omitempty"`
	Before  Report   `json:"before"`
	After   Report   `json:"after"` // of the newer reading with the moves made
}

// Codes of Check.Refusal.
const (
	CodePlacementChanged = "placement_changed"  // a partition is not where a move starts from, or moves already
	CodeBrokerChanged    = "broker_changed"     // a receiver may not receive now
	CodeNotWorthApplying = "not_worth_applying" // one of the checks of row PLAN-05 fails
	CodeNotCovered       = "not_covered"        // somebody is beyond the act line, and the plan does not help
)

// Recheck holds a plan against a newer reading, for a fraction of what planning costs: a plan that holds is kept, with
// its ID, so that whoever reviews it does not see it change for nothing (row DEC-10).
//
// The plan may leave a broker up to the act line from its fair share, or where it is without the plan, whichever is
// farther: a plan made to fit the threshold to the byte would not outlast the noise of one reading otherwise. Brokers at
// a limit that the plan names are covered by it. A plan without moves holds while nobody else is beyond the line.
// Errors are those of Propose.
func Recheck(c *Cluster, policy Policy, plan *Proposal) (*Check, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	g, err := newGround(c, policy)
	if err != nil {
		return nil, err
	}
	k := &Check{Before: g.report(g.load)}
	k.After = k.Before
	if k.Refusal = g.startsElsewhere(plan.Moves); k.Refusal != nil {
		return k, nil
	}
	k.After = g.report(g.moved(plan.Moves))
	k.Refusal = g.recheck(k, plan)
	k.Holds = k.Refusal == nil
	return k, nil
}

// startsElsewhere reports the first move that does not fit the placement or the brokers of the reading.
func (g *ground) startsElsewhere(moves []Move) *Refusal {
	for i := range moves {
		m := &moves[i]
		at, found := slices.BinarySearchFunc(g.c.Partitions, m.Name(), func(p Partition, n TopicPartition) int { return p.Name().Compare(n) })
		if !found {
			return placementRefusal(m, nil)
		}
		if p := &g.c.Partitions[at]; p.Moving != nil || p.Leader != m.FromLeader || !slices.Equal(p.Replicas, m.From) {
			return placementRefusal(m, p)
		}
		for _, b := range m.To {
			if x := g.index.find(b); x < 0 || g.c.Brokers[x].State != Active && !slices.Contains(m.From, b) {
				return receiverRefusal(m, b)
			}
		}
	}
	return nil
}

func (g *ground) recheck(k *Check, plan *Proposal) *Refusal {
	crowds := g.crowds(g.leaderNow)
	after := g.crowds(g.leaderAfter(plan.Moves))
	lowered := g.over(after) < g.over(crowds)
	if len(plan.Moves) > 0 {
		if why := g.worthApplying(&k.Before, &k.After, len(plan.Moves), lowered); why != "" {
			return notWorthRefusal(why)
		}
	}
	for _, t := range g.tripped(&k.After) {
		was := k.Before.distance(t.broker, t.load)
		switch {
		case was.Distance <= g.actLine() || t.at.Distance > was.Distance+1e-6:
			return worseRefusal(&t, was)
		case !plan.limits(&t):
			return notCoveredRefusal(&t)
		}
	}
	if g.policy.HoldTopicCaps {
		return nil
	}
	for _, c := range after {
		topic := &g.spread.topics[c.topic]
		x := ConcentratedTopic{Topic: g.c.Partitions[topic.First].Topic, Broker: g.c.Brokers[c.broker].ID, Leaders: c.leads,
			Partitions: int(topic.End - topic.First), Cap: int(topic.LeaderCap)}
		if !plan.limitsTopic(&x) {
			return topicRefusal(&x)
		}
	}
	return nil
}

// distance returns how far a broker is from its share of a load; the report has it.
func (r *Report) distance(broker int32, m Metric) *Distance {
	i, _ := slices.BinarySearchFunc(r.Brokers, broker, func(b BrokerReport, id int32) int { return int(b.Broker) - int(id) })
	return &r.Brokers[i].Loads[m]
}

// limits reports whether the plan names the load of the broker, on that side, as at its limit.
func (p *Proposal) limits(t *tripped) bool {
	return slices.ContainsFunc(p.Limits, func(l Limit) bool {
		return l.Broker == t.broker && l.Load == t.load && l.Side == t.at.Side
	})
}

func (p *Proposal) limitsTopic(x *ConcentratedTopic) bool {
	return slices.ContainsFunc(p.TopicSpread.Concentrated, func(c ConcentratedTopic) bool {
		return c.Topic == x.Topic && c.Broker == x.Broker && c.Limit != ""
	})
}
