package scenario

import (
	"math"
	"slices"

	"github.com/kafka-pilot/pilot/balance"
)

// Goods are what a plan does beyond the seven loads.
type Goods struct {
	Copies        int // replicas on brokers that did not have them
	LeaderChanges int
	Reordered     int // partitions of which the order of the followers alone changes

	// Pairs of a topic and a broker that holds more replicas of it than 1.2 times its share, rounded up, and one more.
	PairsBefore, PairsAfter, PairsNew int

	// Filled is how far below the mean the brokers that were empty end with inbound replication, the worst of them, as a
	// fraction of the mean; Worse is by how much the broker that gets worse most does so.
	Filled, Worse float64
}

// Measure works the goods out from the placements alone.
func Measure(c *balance.Cluster, p *balance.Proposal) Goods {
	var g Goods
	target := targets(c, p)
	for i := range p.Moves {
		m := &p.Moves[i]
		for _, b := range m.To {
			if !slices.Contains(m.From, b) {
				g.Copies++
			}
		}
		if m.FromLeader != m.ToLeader {
			g.LeaderChanges++
		} else if sameBrokers(m.From, m.To) {
			g.Reordered++
		}
	}
	g.pairs(c, target)
	g.inbound(c, target)
	return g
}

// targets returns where every partition is after the plan.
func targets(c *balance.Cluster, p *balance.Proposal) [][]int32 {
	target := make([][]int32, len(c.Partitions))
	k := 0
	for i := range c.Partitions {
		target[i] = c.Partitions[i].Replicas
		if k < len(p.Moves) && p.Moves[k].Name() == c.Partitions[i].Name() {
			target[i] = p.Moves[k].To
			k++
		}
	}
	return target
}

func sameBrokers(a, b []int32) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// pairs counts, topic by topic.
func (g *Goods) pairs(c *balance.Cluster, target [][]int32) {
	t := newTally(c)
	for first := 0; first < len(c.Partitions); {
		end := first
		for ; end < len(c.Partitions) && c.Partitions[end].Topic == c.Partitions[first].Topic; end++ {
			t.add(c.Partitions[end].Replicas, target[end])
		}
		for b := range c.Brokers {
			most := t.most(b)
			if t.before[b] > most {
				g.PairsBefore++
			}
			if t.after[b] > most {
				g.PairsAfter++
				if t.after[b] > t.before[b] {
					g.PairsNew++
				}
			}
		}
		t.reset()
		first = end
	}
}

// tally counts the replicas of one topic.
type tally struct {
	place         map[int32]int // broker ID → place
	rack          []string      // place → rack
	active        map[string]int
	before, after []int // place → replicas
	held          map[string]int
}

func newTally(c *balance.Cluster) *tally {
	t := &tally{place: map[int32]int{}, active: map[string]int{}, held: map[string]int{},
		before: make([]int, len(c.Brokers)), after: make([]int, len(c.Brokers))}
	for i := range c.Brokers {
		t.place[c.Brokers[i].ID] = i
		t.rack = append(t.rack, c.Brokers[i].Rack)
		if c.Brokers[i].State == balance.Active {
			t.active[c.Brokers[i].Rack]++
		}
	}
	return t
}

func (t *tally) add(now, then []int32) {
	for _, b := range now {
		t.before[t.place[b]]++
		t.held[t.rack[t.place[b]]]++
	}
	for _, b := range then {
		t.after[t.place[b]]++
	}
}

func (t *tally) reset() {
	clear(t.before)
	clear(t.after)
	clear(t.held)
}

// most is how many replicas of the topic a broker should hold: the share is that of the active brokers in the racks that
// hold it, or of its own rack's, where unequal racks leave each of them more.
func (t *tally) most(b int) int {
	replicas, brokers := 0, 0
	for rack, n := range t.held {
		replicas += n
		brokers += t.active[rack]
	}
	if brokers == 0 {
		return math.MaxInt
	}
	share := float64(replicas) / float64(brokers)
	if n := t.active[t.rack[b]]; n > 0 {
		share = math.Max(share, float64(t.held[t.rack[b]])/float64(n))
	}
	return int(math.Ceil(1.2*share-1e-9)) + 1
}

// inbound is what brokers receive: the produced bytes of every replica they host.
func (g *Goods) inbound(c *balance.Cluster, target [][]int32) {
	before, after := map[int32]float64{}, map[int32]float64{}
	hosted := map[int32]bool{}
	sum := 0.0
	for i := range c.Partitions {
		p := &c.Partitions[i]
		for _, b := range p.Replicas {
			before[b] += p.ProduceBytes
			hosted[b] = true
			sum += p.ProduceBytes
		}
		for _, b := range target[i] {
			after[b] += p.ProduceBytes
		}
	}
	active := 0
	for _, b := range c.Brokers {
		if b.State == balance.Active {
			active++
		}
	}
	mean := sum / float64(max(1, active))
	if mean == 0 {
		return
	}
	for _, b := range c.Brokers {
		if b.State != balance.Active {
			continue
		}
		if !hosted[b.ID] {
			g.Filled = math.Max(g.Filled, (mean-after[b.ID])/mean)
		}
		g.Worse = math.Max(g.Worse, (math.Abs(after[b.ID]-mean)-math.Abs(before[b.ID]-mean))/mean)
	}
}
