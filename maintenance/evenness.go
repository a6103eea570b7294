package maintenance

import (
	"math"

	"github.com/kafka-pilot/pilot/balance"
)

// inbound is a load beside the seven that balancing knows: the bytes per second that a broker receives, which is what
// producers write to every partition that it hosts. Left out, a drain piles the busy followers onto few brokers.
const (
	inbound  = balance.NumMetrics
	numLoads = balance.NumMetrics + 1
)

// loads holds the seven loads and inbound.
type loads [numLoads]float64

// usualWeights rank the loads where the policy does not: the seven as in balancing, and inbound below all of them.
var usualWeights = loads{3, 3, 2.5, 1.5, 2, 1.5, 2, 1}

// evenness keeps what every broker carries while a drain is planned, and finds the broker that a load suits best. A
// broker's load counts relative to its fair share. The measure is the weighted sum of the squares, so that loads go
// where there is least, and one overloaded broker is worse than two half as overloaded.
type evenness struct {
	have   []loads // by place of the broker
	share  []loads
	weight loads
}

// cost is what adding d to the broker at a place adds to the measure, in billionths: integers, since sums of floats
// may differ in their last bits between processors.
func (e *evenness) cost(at int, d *loads) int64 {
	sum := 0.0
	for k := range d {
		share := e.share[at][k]
		if d[k] == 0 || share == 0 {
			continue
		}
		have, more := e.have[at][k]/share, d[k]/share
		sum += float64(e.weight[k] * float64(more*float64(float64(2*have)+more)))
	}
	return int64(math.Round(min(max(sum, -1e9), 1e9) * 1e9))
}

// best returns the place to which d adds least; of equal ones the first.
func (e *evenness) best(places []int, d *loads) int {
	best, least := -1, int64(math.MaxInt64)
	for _, at := range places {
		if cost := e.cost(at, d); cost < least {
			best, least = at, cost
		}
	}
	return best
}

func (e *evenness) add(at int, d *loads) {
	for k := range d {
		e.have[at][k] += d[k]
	}
}

func (e *evenness) remove(at int, d *loads) {
	for k := range d {
		e.have[at][k] -= d[k]
	}
}

// size orders partitions for placing: the largest part of a fair share that any load of d is, in billionths.
func (e *evenness) size(d *loads) int64 {
	most := 0.0
	for k := range d {
		if mean := e.mean(k); mean > 0 {
			most = max(most, d[k]/mean)
		}
	}
	return int64(math.Round(min(most, 1e9) * 1e9))
}

// mean is the mean share of one load over the brokers that have one.
func (e *evenness) mean(k int) float64 {
	sum, n := 0.0, 0
	for at := range e.share {
		if e.share[at][k] > 0 {
			sum, n = sum+e.share[at][k], n+1
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// asLeader is what a partition adds to the broker that takes over leadership of a replica it has.
func asLeader(p *balance.Partition) loads {
	return loads{
		balance.Leaders: 1, balance.Followers: -1,
		balance.ProducerMessages: p.ProduceMessages, balance.ProducerBytes: p.ProduceBytes,
		balance.ConsumerMessages: p.ConsumeMessages, balance.ConsumerBytes: p.ConsumeBytes,
	}
}

// asFollower is what a partition adds to the broker that gets a replica. The copy has the size of the leader.
func asFollower(p *balance.Partition) loads {
	return loads{balance.Followers: 1, balance.Disk: float64(p.LeaderSize()), inbound: p.ProduceBytes}
}

func (l loads) plus(o loads) loads {
	for k := range l {
		l[k] += o[k]
	}
	return l
}

// newEvenness counts what every broker carries now. Shares are those of package balance among the brokers that are left,
// racks and a custom share rule included, of everything that there is. It fails for a reading or a policy that
// contradicts itself.
func newEvenness(p *planner) (*evenness, error) {
	report, err := balance.NewReport(p.c, p.o.Policy)
	if err != nil {
		return nil, err
	}
	e := &evenness{have: make([]loads, len(p.c.Brokers)), share: make([]loads, len(p.c.Brokers)), weight: usualWeights}
	if p.o.Policy.Weights != (balance.Load{}) {
		copy(e.weight[:], p.o.Policy.Weights[:])
	}
	e.setShares(p, report, e.count(p))
	return e, nil
}

// count adds up what every broker carries, and returns the total.
func (e *evenness) count(p *planner) (total loads) {
	for i := range p.c.Partitions {
		part := &p.c.Partitions[i]
		led, held := asLeader(part), asFollower(part)
		for k, id := range part.Replicas {
			d := held
			d[balance.Disk] = float64(part.ReplicaSize(k))
			if id == part.Leader {
				d = d.plus(led)
			}
			e.add(p.at[id], &d)
			total = total.plus(d)
		}
	}
	return total
}

// leastShare is the smallest share that a broker counts as having, as a part of the equal one: a rule that gives a
// broker nothing makes it the last to receive, not one whose load is never looked at.
const leastShare = 0.01

// setShares divides the total among the brokers that may receive, in proportion to their fair shares.
func (e *evenness) setShares(p *planner, r balance.Report, total loads) {
	var sum loads
	for i := range r.Brokers {
		for k := range r.Brokers[i].Loads {
			sum[k] += r.Brokers[i].Loads[k].FairShare
		}
	}
	n := float64(len(r.Brokers))
	for i := range r.Brokers {
		share := &e.share[p.at[r.Brokers[i].Broker]]
		for k := range share {
			equal := total[k] / n
			share[k] = equal
			from := k
			if k == inbound {
				from = int(balance.Followers) // what a broker receives goes with what it hosts
			}
			if sum[from] > 0 {
				share[k] = max(total[k]*r.Brokers[i].Loads[from].FairShare/sum[from], equal*leastShare)
			}
		}
	}
}
