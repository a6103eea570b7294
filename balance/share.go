package balance

import (
	"fmt"

	"github.com/kafka-pilot/pilot/internal/dense"
)

// Loads that carry essentially nothing are not balanced: below these means per active broker (row BAL-04).
var noTraffic = Load{Disk: 1 << 20, ProducerMessages: 1, ProducerBytes: 1024, ConsumerMessages: 1, ConsumerBytes: 1024}

// ground is what every calculation on one reading starts from: who is active, what everybody carries, what the fair
// shares are.
type ground struct {
	c      *Cluster
	policy Policy

	active []int // indexes into c.Brokers
	index  brokerIndex
	rack   []int    // broker index → rack number
	racks  []int    // rack number → active brokers in it
	names  []string // rack number → name
	racked bool     // shares and placements follow the racks: asked for, and every broker's rack known

	load  []Load // broker index → load now
	total Load   // over active brokers
	unit  Load   // one partition
	fair  []Load // broker index → fair share; zero unless active
	live  [NumMetrics]bool
	floor Load // minimum difference per load, 0 is none
	below [NumMetrics]bool

	spread spread       // topics and their caps
	flat   *dense.Model // the reading as flat arrays, once somebody asked for them
}

func newGround(c *Cluster, p Policy) (*ground, error) {
	p, err := p.complete()
	if err != nil {
		return nil, err
	}
	g := &ground{c: c, policy: p, index: newBrokerIndex(c.Brokers)}
	for i := range c.Brokers {
		if c.Brokers[i].State == Active {
			g.active = append(g.active, i)
		}
	}
	g.numberRacks()
	g.load = g.loads()
	g.sum()
	g.fair = g.fairShares()
	if p.Shares != nil {
		if err := g.customShares(); err != nil {
			return nil, err
		}
	}
	g.floor = g.floors()
	g.below = g.belowFloor()
	g.spread.of, g.spread.topics = g.topics()
	return g, nil
}

// numberRacks gives racks numbers in the order of the brokers. Without rack awareness, or when a rack is unknown,
// there is one rack: placement by racks that are half known would be no placement at all.
func (g *ground) numberRacks() {
	g.rack = make([]int, len(g.c.Brokers))
	g.racked = g.policy.RackAware
	number := map[string]int{}
	for i := range g.c.Brokers {
		name := g.c.Brokers[i].Rack
		g.racked = g.racked && name != ""
		r, ok := number[name]
		if !ok {
			r = len(g.names)
			number[name] = r
			g.names = append(g.names, name)
			g.racks = append(g.racks, 0)
		}
		g.rack[i] = r
		if g.c.Brokers[i].State == Active {
			g.racks[r]++
		}
	}
}

// loads adds up what every broker carries.
func (g *ground) loads() []Load {
	load := make([]Load, len(g.c.Brokers))
	for i := range g.c.Partitions {
		p := &g.c.Partitions[i]
		for k, b := range p.Replicas {
			l := &load[g.index.find(b)]
			l[Disk] += float64(p.ReplicaSize(k))
			if b != p.Leader {
				l[Followers]++
				continue
			}
			l[Leaders]++
			l[ProducerMessages] += p.ProduceMessages
			l[ProducerBytes] += p.ProduceBytes
			l[ConsumerMessages] += p.ConsumeMessages
			l[ConsumerBytes] += p.ConsumeBytes
		}
	}
	return load
}

func (g *ground) sum() {
	for _, b := range g.active {
		for m := range g.total {
			g.total[m] += g.load[b][m]
		}
	}
	replicas := g.total[Leaders] + g.total[Followers]
	for m := range g.unit {
		switch of := g.total[Leaders]; {
		case m == int(Leaders) || m == int(Followers):
			g.unit[m] = 1
		case m == int(Disk):
			g.unit[m] = ratio(g.total[m], replicas)
		default:
			g.unit[m] = ratio(g.total[m], of)
		}
		g.live[m] = m <= int(Followers) || len(g.active) > 0 && g.total[m]/float64(len(g.active)) >= noTraffic[m]
	}
}

func ratio(a, b float64) float64 {
	if b <= 0 {
		return 0
	}
	return a / b
}

// fairShares is the rule of row BAL-02: the equal share, clipped to what the racks allow.
func (g *ground) fairShares() []Load {
	fair := make([]Load, len(g.c.Brokers))
	if len(g.active) == 0 {
		return fair
	}
	if !g.racked {
		for _, b := range g.active {
			for m := range g.total {
				fair[b][m] = g.total[m] / float64(len(g.active))
			}
		}
		return fair
	}
	bounds := g.rackBounds()
	var byRack [NumMetrics][]float64
	for m := range byRack {
		byRack[m] = fill(g.total[m], g.racks, bounds.low[m], bounds.high[m])
	}
	// bounds of followers are those of all replicas
	replicas := fill(g.total[Leaders]+g.total[Followers], g.racks, bounds.low[Followers], bounds.high[Followers])
	for _, b := range g.active {
		r := g.rack[b]
		for m := range byRack {
			fair[b][m] = byRack[m][r] / float64(g.racks[r])
		}
		fair[b][Followers] = max(0, replicas[r]-byRack[Leaders][r]) / float64(g.racks[r])
	}
	return fair
}

// bounds are the least and the most of each load that a rack can hold.
type bounds struct{ low, high [NumMetrics][]float64 }

func (g *ground) rackBounds() bounds {
	var b bounds
	for m := range b.low {
		b.low[m], b.high[m] = make([]float64, len(g.racks)), make([]float64, len(g.racks))
	}
	spread := g.quotaTable()
	for k, sum := range g.sumByFactor(len(spread.low)) {
		for r := range g.racks {
			l, h := float64(spread.low[k][r]), float64(spread.high[k][r])
			for m := range sum {
				switch {
				case m == int(Followers) || m == int(Disk):
					b.low[m][r] += float64(l * sum[m])
					b.high[m][r] += float64(h * sum[m])
				default:
					if h >= 1 {
						b.high[m][r] += sum[m]
					}
					if int(l) == k {
						b.low[m][r] += sum[m]
					}
				}
			}
		}
	}
	return b
}

// sumByFactor adds up what the partitions of each replication factor carry: each once, as a leader and as one follower.
func (g *ground) sumByFactor(factors int) []Load {
	sums := make([]Load, factors)
	for i := range g.c.Partitions {
		p := &g.c.Partitions[i]
		s := &sums[len(p.Replicas)]
		s[Leaders]++
		s[Followers]++
		s[Disk] += float64(p.LeaderSize())
		s[ProducerMessages] += p.ProduceMessages
		s[ProducerBytes] += p.ProduceBytes
		s[ConsumerMessages] += p.ConsumeMessages
		s[ConsumerBytes] += p.ConsumeBytes
	}
	return sums
}

// quotaTable holds the quotas of every factor in use.
type quotaTable struct{ low, high [][]int32 }

func (g *ground) quotaTable() quotaTable {
	most := 0
	for i := range g.c.Partitions {
		most = max(most, len(g.c.Partitions[i].Replicas))
	}
	t := quotaTable{make([][]int32, most+1), make([][]int32, most+1)}
	for k := range t.low {
		t.low[k], t.high[k] = quotas(k, g.racks)
	}
	return t
}

// customShares asks the policy's share rule and checks the laws that ShareRule states.
func (g *ground) customShares() error {
	usual := make([]BrokerShare, len(g.active))
	for i, b := range g.active {
		usual[i] = BrokerShare{g.c.Brokers[b].ID, g.fair[b]}
	}
	got := g.policy.Shares.FairShares(g.c, append([]BrokerShare(nil), usual...))
	if len(got) != len(usual) {
		return fmt.Errorf("share rule returned %d shares for %d active brokers: return one for each", len(got), len(usual))
	}
	var sum Load
	for i, s := range got {
		if s.Broker != usual[i].Broker {
			return fmt.Errorf("share rule returned broker %d at place %d, expected broker %d: keep the order", s.Broker, i, usual[i].Broker)
		}
		for m, v := range s.Share {
			if !(v >= 0) {
				return fmt.Errorf("share rule gave broker %d %g %s: a share is zero or more", s.Broker, v, Metric(m).Phrase())
			}
			sum[m] += v
		}
		g.fair[g.active[i]] = s.Share
	}
	for m := range sum {
		if d := sum[m] - g.total[m]; d > 1e-6*(1+g.total[m]) || -d > 1e-6*(1+g.total[m]) {
			return fmt.Errorf("share rule gave out %g of %g %s: the shares of a load add up to its total", sum[m], g.total[m], Metric(m).Phrase())
		}
	}
	return nil
}
