package balance

import (
	"slices"

	"github.com/kafka-pilot/pilot/internal/search"
)

// limits explains every broker that stays beyond the act line although a plan was looked for (row PLAN-10).
func (g *ground) limits(trips []tripped, after *Report) []Limit {
	var list []Limit
	still := g.tripped(after)
	causes := map[Metric]Cause{}
	for _, t := range still {
		if !slices.ContainsFunc(trips, func(o tripped) bool { return o.broker == t.broker && o.load == t.load }) {
			continue
		}
		cause, known := g.heldBy(t)
		if !known {
			if _, asked := causes[t.load]; !asked {
				causes[t.load] = g.causeOf(t.load, after)
			}
			cause = causes[t.load]
		}
		l := Limit{Broker: t.broker, Load: t.load, Side: t.at.Side, Distance: t.at.Distance, Cause: cause}
		l.Reason, l.Help = limitReason(&l), limitHelp(cause)
		list = append(list, l)
	}
	if list == nil {
		list = []Limit{}
	}
	return list
}

// heldBy finds the causes that can be read off the broker and the load alone: too few partitions carry the load, or
// one large partition makes it.
func (g *ground) heldBy(t tripped) (Cause, bool) {
	carrying := 0
	large := 0.0
	for i := range g.c.Partitions {
		p := &g.c.Partitions[i]
		size := carried(p, t.load)
		if size > 0 {
			carrying++
		}
		if p.Leader == t.broker || t.load == Disk && slices.Contains(p.Replicas, t.broker) {
			large = max(large, size)
		}
	}
	switch {
	case t.load != Leaders && t.load != Followers && carrying < len(g.active):
		return CauseTooFewPartitions, true
	case t.load != Leaders && t.load != Followers && t.at.Side == Above && large >= t.at.FairShare:
		return CauseLargePartition, true
	}
	return "", false
}

func carried(p *Partition, m Metric) float64 {
	switch m {
	case Disk:
		return float64(p.LeaderSize())
	case ProducerMessages:
		return p.ProduceMessages
	case ProducerBytes:
		return p.ProduceBytes
	case ConsumerMessages:
		return p.ConsumeMessages
	case ConsumerBytes:
		return p.ConsumeBytes
	}
	return 1
}

// causeOf plans again with one thing released at a time and names the first release that helps the load.
func (g *ground) causeOf(load Metric, after *Report) Cause {
	worst, now := g.worst(after, load), g.report(g.load)
	helps := func(free released) bool {
		problem := g.problem(&now, free)
		problem.Restarts = 0 // a cause needs a direction, not the best plan
		r := g.report(g.moved(g.moves(problem, search.Search(problem))))
		return g.worst(&r, load) < worst-0.01
	}
	if helps(released{cooldown: true}) {
		return CauseRecentMoves
	}
	if twin, ok := twinOf(load); ok {
		free := released{}
		free.loads[twin] = true
		if helps(free) {
			return CauseMessagesVsBytes
		}
	}
	if helps(released{floors: true}) {
		return CauseMinimumDifference
	}
	all := released{}
	for m := range all.loads {
		all.loads[m] = Metric(m) != load
	}
	if helps(all) {
		return CauseOtherLoads
	}
	if g.largePartition(load) {
		return CauseLargePartition
	}
	return CauseReplicaPlacement
}

// twinOf returns the messages of a byte load and the other way round.
func twinOf(m Metric) (Metric, bool) {
	switch m {
	case ProducerMessages:
		return ProducerBytes, true
	case ProducerBytes:
		return ProducerMessages, true
	case ConsumerMessages:
		return ConsumerBytes, true
	case ConsumerBytes:
		return ConsumerMessages, true
	}
	return 0, false
}

func (g *ground) largePartition(load Metric) bool {
	if load == Leaders || load == Followers || len(g.active) == 0 {
		return false
	}
	share := g.total[load] / float64(len(g.active))
	for i := range g.c.Partitions {
		if carried(&g.c.Partitions[i], load) >= share/4 {
			return true
		}
	}
	return false
}

func (g *ground) worst(r *Report, m Metric) float64 {
	d := 0.0
	for i := range r.Brokers {
		d = max(d, r.Brokers[i].Loads[m].Distance)
	}
	return d
}
