package maintenance

import (
	"slices"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/safety"
)

// planner works out one drain. Brokers are named by their place in c.Brokers.
type planner struct {
	broker int32
	live   bool // the drained broker is not down
	o      Options
	c      *balance.Cluster // sorted, with the drained broker in maintenance
	at     map[int32]int    // broker ID → place
	minISR map[string]int

	tasks   []*task
	waiting []Blocked
	blocked []Blocked // stop the drain unless it is forced
	stuck   []Blocked // stop the drain even then
	even    *evenness
	topics  *topicSpread
}

// task is one partition that leaves the broker.
type task struct {
	p      *balance.Partition
	keep   []int32   // replicas that stay, in order
	open   []int     // places in p.Replicas that get a new broker
	given  []int32   // brokers for the open places, in the order of open; a forced drain may give fewer
	racks  rackCount // what the replicas must span in the end
	hand   bool      // leadership has to go to another broker
	leader int32     // the leader in the end; noLeader is the first new replica
}

// noLeader is the leader of a partition that has none.
const noLeader = -1

func newPlanner(c *balance.Cluster, broker int32, o Options) *planner {
	p := &planner{broker: broker, o: o, c: sorted(c), at: map[int32]int{}, minISR: map[string]int{}}
	for i := range p.c.Brokers {
		b := &p.c.Brokers[i]
		p.at[b.ID] = i
		if b.ID == broker {
			p.live = b.State != balance.Unavailable
			b.State = balance.Maintenance
		}
	}
	for i := range p.c.Topics {
		p.minISR[p.c.Topics[i].Name] = int(p.c.Topics[i].MinISR)
	}
	return p
}

// sorted returns c in order, with brokers of its own that may be changed. A reading is in order as a rule, so its
// partitions are copied only if they are not.
func sorted(c *balance.Cluster) *balance.Cluster {
	out := *c
	out.Brokers, out.Topics = slices.Clone(c.Brokers), slices.Clone(c.Topics)
	inOrder := slices.IsSortedFunc(c.Partitions, func(a, b balance.Partition) int { return a.Name().Compare(b.Name()) })
	if !inOrder {
		out.Partitions = slices.Clone(c.Partitions)
	}
	out.Sort()
	return &out
}

// possible refuses a drain that makes no sense for any partition.
func (p *planner) possible() error {
	if _, known := p.at[p.broker]; !known {
		return &Refused{Code: UnknownBroker, Message: unknownBroker(p.broker)}
	}
	if p.receiving() == 0 {
		return &Refused{Code: LastBroker, Message: lastBroker(p.broker)}
	}
	return nil
}

// receiving is how many brokers may get replicas.
func (p *planner) receiving() (n int) {
	for i := range p.c.Brokers {
		if p.c.Brokers[i].State == balance.Active {
			n++
		}
	}
	return n
}

// state is the state of a broker. The drained one is in maintenance, one that the reading does not have unavailable.
func (p *planner) state(id int32) balance.BrokerState {
	if i, known := p.at[id]; known {
		return p.c.Brokers[i].State
	}
	return balance.Unavailable
}

// sortOut looks at every partition of the broker and decides what can become of it.
func (p *planner) sortOut() {
	for i := range p.c.Partitions {
		part := &p.c.Partitions[i]
		switch {
		case !involves(part, p.broker):
		case part.Moving != nil:
			p.waiting = append(p.waiting, Blocked{part.Name(), reassigned})
		case !p.copyable(part):
			p.blocked = append(p.blocked, Blocked{part.Name(), nothingToCopy})
			p.waiting = append(p.waiting, Blocked{part.Name(), nothingToCopy})
		default:
			p.sortOutTask(p.newTask(part))
		}
	}
}

// copyable reports whether a live broker has the partition in sync.
func (p *planner) copyable(part *balance.Partition) bool {
	return slices.ContainsFunc(part.Replicas, func(id int32) bool {
		live := p.state(id) != balance.Unavailable && (id != p.broker || p.live)
		return live && inSync(part, id)
	})
}

// inSync reports whether a replica is in sync. A partition with a leader and no ISR, which Kafka does not know, is one
// whose ISR the reading does not tell.
func inSync(part *balance.Partition, id int32) bool {
	return slices.Contains(part.ISR, id) || len(part.ISR) == 0 && part.Leader >= 0
}

// newTask says which replicas stay and which places are open.
func (p *planner) newTask(part *balance.Partition) *task {
	t := &task{p: part, leader: part.Leader, racks: p.racks(part.Replicas)}
	for i, b := range part.Replicas {
		if p.stays(part, b) {
			t.keep = append(t.keep, b)
		} else {
			t.open = append(t.open, i)
		}
	}
	t.hand = p.state(part.Leader) != balance.Active || !slices.Contains(t.keep, part.Leader)
	return t
}

// stays reports whether a replica keeps its place.
func (p *planner) stays(part *balance.Partition, id int32) bool {
	switch p.state(id) {
	case balance.Active:
		return true
	case balance.Maintenance:
		return id != p.broker && inSync(part, id)
	}
	return false
}

// sortOutTask finds out whether the factor and the racks can be kept, and what force may do about it.
func (p *planner) sortOutTask(t *task) {
	name, factor, minISR := t.p.Name(), len(t.p.Replicas), p.minISR[t.p.Topic]
	free, racks := p.reach(t)
	missing := max(0, len(t.open)-free)
	switch {
	case missing > 0:
		p.blocked = append(p.blocked, Blocked{name, tooFewBrokers(factor)})
	case !racks.atLeast(t.racks):
		p.blocked = append(p.blocked, Blocked{name, racksWouldFall(t.racks, racks)})
	}
	if left := factor - missing; missing > 0 && left < max(1, minISR) {
		p.stuck = append(p.stuck, Blocked{name, belowMinISR(left, minISR)})
	}
	t.open = t.open[:len(t.open)-missing]
	t.racks = rackCount{min(t.racks.known, racks.known), min(t.racks.all, racks.all)}
	p.tasks = append(p.tasks, t)
}

// refusal returns why the drain as a whole cannot be made, or nil.
func (p *planner) refusal() error {
	switch {
	case len(p.stuck) > 0 && (p.o.Force || len(p.stuck) == len(p.blocked)):
		return &Refused{Code: BelowMinISR, Message: belowMinISRMessage(p.broker, p.stuck), Partitions: p.stuck}
	case len(p.blocked) > 0 && !p.o.Force:
		return &Refused{Code: string(safety.FactorNotPreservable), Message: notPreservable(p.broker, p.blocked, len(p.stuck) == 0),
			Overridable: len(p.stuck) == 0, Partitions: p.blocked}
	}
	return nil
}
