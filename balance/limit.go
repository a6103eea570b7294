package balance

import (
	"math"
	"slices"

	"github.com/kafka-pilot/pilot/internal/search"
)

// limiter finds out why loads stay beyond the act line although a plan was looked for (row PLAN-10).
type limiter struct {
	*ground
	d      *draft
	causes map[Metric]Cause
	large  map[Metric]*large
	freed  map[released]*Report // where the search gets to from the plan with this released
}

// large is how a load is spread over partitions.
type large struct {
	carrying int       // partitions that carry the load
	largest  []float64 // broker index → the largest partition there
	alone    []bool    // broker index → one partition puts it beyond the act line, wherever the others are
	rest     float64   // what the brokers without such a partition carry together
	others   int       // how many they are
}

// limits explains every broker that stays beyond the act line.
func (g *ground) limits(trips []tripped, d *draft) []Limit {
	l := limiter{ground: g, d: d, causes: map[Metric]Cause{}, large: map[Metric]*large{}, freed: map[released]*Report{}}
	list := []Limit{}
	for _, t := range g.tripped(&d.reach) {
		if !slices.ContainsFunc(trips, func(o tripped) bool { return o.broker == t.broker && o.load == t.load }) {
			continue
		}
		list = append(list, newLimit(t, l.cause(t)))
	}
	return list
}

func newLimit(t tripped, cause Cause) Limit {
	x := Limit{Broker: t.broker, Load: t.load, Side: t.at.Side, Distance: t.at.Distance, Cause: cause}
	x.Reason, x.Help = limitReason(&x), limitHelp(cause)
	return x
}

func (l *limiter) cause(t tripped) Cause {
	if cause := l.proven(t); cause != "" {
		return cause
	}
	if _, asked := l.causes[t.load]; !asked {
		l.causes[t.load] = l.released(t.load)
	}
	return l.causes[t.load]
}

// proven finds the causes that can be read off the numbers: too few partitions carry the load, or large partitions put
// their own brokers beyond the act line wherever they are, which leaves the others too little.
func (l *limiter) proven(t tripped) Cause {
	if t.load == Leaders || t.load == Followers {
		return ""
	}
	x := l.large[t.load]
	if x == nil {
		x = l.sizes(t.load)
		l.large[t.load] = x
	}
	least := t.at.FairShare*(1-l.actLine()) - t.at.OnePartition
	switch b := l.index.find(t.broker); {
	case x.carrying < len(l.active):
		return CauseTooFewPartitions
	case t.at.Side == Above && x.alone[b]:
		return CauseLargePartition
	case t.at.Side == Below && x.others > 0 && x.rest/float64(x.others) < least:
		return CauseLargePartition
	}
	return ""
}

// sizes looks at the partitions where the plan leaves them.
func (l *limiter) sizes(m Metric) *large {
	x := &large{largest: make([]float64, len(l.c.Brokers)), alone: make([]bool, len(l.c.Brokers))}
	for i := range l.c.Partitions {
		size := carried(&l.c.Partitions[i], m)
		if size <= 0 {
			continue
		}
		x.carrying++
		if m != Disk {
			x.note(int(l.d.result.At[l.d.result.Lead[i]]), size)
			continue
		}
		first, end := l.d.problem.Slots(int32(i))
		for _, b := range l.d.result.At[first:end] {
			x.note(int(b), size)
		}
	}
	x.rest = l.total[m]
	for _, b := range l.active {
		if x.largest[b] > l.fair[b][m]*(1+l.actLine())+l.unit[m] {
			x.alone[b] = true
			x.rest -= x.largest[b]
		} else {
			x.others++
		}
	}
	return x
}

func (x *large) note(b int, size float64) { x.largest[b] = math.Max(x.largest[b], size) }

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

// causeMost and causeEach bound a search for a cause, in changes looked at, the latter for each replica: it asks in which
// direction there is room, not for the best plan.
const (
	causeMost = 2_000_000
	causeEach = 200
)

// released goes on from the plan with one thing released at a time and names the first release that helps the load.
func (l *limiter) released(load Metric) Cause {
	worst := l.worst(l.with(released{}), load) // what going on gains is not put down to what is released
	helps := func(free released) bool { return l.worst(l.with(free), load) < worst-0.01 }
	if l.anyCooling() && helps(released{cooldown: true}) {
		return CauseRecentMoves
	}
	if twin, ok := twinOf(load); ok {
		free := released{}
		free.loads[twin] = true
		if helps(free) {
			return CauseMessagesVsBytes
		}
	}
	if l.anyBelow() && helps(released{floors: true}) {
		return CauseMinimumDifference
	}
	all := released{}
	for m := range all.loads {
		all.loads[m] = Metric(m) != load
	}
	if helps(all) {
		return CauseOtherLoads
	}
	if l.largePartition(load) {
		return CauseLargePartition
	}
	return CauseReplicaPlacement
}

// with goes on from the plan with something released.
func (l *limiter) with(free released) *Report {
	if l.freed[free] == nil {
		problem := l.problem(&l.d.reach, free)
		problem.Restarts, problem.Refine = 0, false
		problem.Effort = min(causeMost, 100_000+int64(causeEach*len(problem.At)))
		l.d.continued(problem)
		r := l.report(l.moved(l.moves(problem, search.Search(problem))))
		l.freed[free] = &r
	}
	return l.freed[free]
}

func (g *ground) anyCooling() bool {
	return slices.ContainsFunc(g.c.Partitions, func(p Partition) bool { return p.Cooldown })
}

func (g *ground) anyBelow() bool { return slices.Contains(g.below[:], true) }

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

// largePartition reports whether a partition is at least a quarter of an equal share.
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
