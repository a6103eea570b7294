package sim

import (
	"slices"

	"github.com/kafka-pilot/pilot/balance"
)

// layout places the partitions of a reading evenly. All loads are integers, in fractions of the cluster's total, so
// that every machine finds the same placement.
type layout struct {
	r      *balance.Cluster
	factor int
	loads  [][balance.NumMetrics]int64 // of each partition; Followers and Disk are those of one replica
	have   [][balance.NumMetrics]int64 // of each broker, by position
}

// whole is the total of every load.
const whole = int64(1e8)

func newLayout(r *balance.Cluster, factor int) *layout {
	l := &layout{
		r: r, factor: factor,
		loads: make([][balance.NumMetrics]int64, len(r.Partitions)), have: make([][balance.NumMetrics]int64, len(r.Brokers)),
	}
	var total balance.Load
	for i := range r.Partitions {
		for m, v := range l.load(&r.Partitions[i]) {
			total[m] += v
		}
	}
	for i := range r.Partitions {
		for m, v := range l.load(&r.Partitions[i]) {
			l.loads[i][m] = int64(v * float64(whole) / max(1, total[m]))
		}
	}
	l.loads = l.perReplica()
	return l
}

func (l *layout) load(p *balance.Partition) balance.Load {
	return balance.Load{1, 1, float64(p.SizeBytes), p.ProduceMessages, p.ProduceBytes, p.ConsumeMessages, p.ConsumeBytes}
}

// perReplica divides what several replicas of a partition carry together.
func (l *layout) perReplica() [][balance.NumMetrics]int64 {
	for i := range l.loads {
		l.loads[i][balance.Followers] /= int64(l.factor - 1)
		l.loads[i][balance.Disk] /= int64(l.factor)
	}
	return l.loads
}

// spread gives every partition a leader in turn and followers in other racks, then improves that until it is even or
// nothing helps. It reports whether the placement is even.
func (l *layout) spread() bool {
	n := len(l.r.Brokers)
	for i := range l.r.Partitions {
		p := &l.r.Partitions[i]
		p.Replicas = []int32{int32(i%n) + 1}
		for len(p.Replicas) < l.factor {
			p.Replicas = append(p.Replicas, l.lightest(p, i/n))
		}
		l.count(i, 1)
	}
	for !l.isEven() && l.improve() {
	}
	for i := range l.r.Partitions {
		p := &l.r.Partitions[i]
		p.Leader, p.ISR = p.Replicas[0], slices.Clone(p.Replicas)
	}
	return l.isEven()
}

// lightest returns the broker with the fewest followers among those whose rack the partition is not in; equal ones
// take turns.
func (l *layout) lightest(p *balance.Partition, turn int) int32 {
	best, n := int32(0), len(l.r.Brokers)
	for k := range n {
		id := int32((k+turn)%n) + 1
		if !rackTaken(p.Replicas, id) && (best == 0 || l.have[id-1][balance.Followers] < l.have[best-1][balance.Followers]) {
			best = id
		}
	}
	return best
}

func rackTaken(replicas []int32, id int32) bool {
	return slices.ContainsFunc(replicas, func(b int32) bool { return (b-id)%3 == 0 })
}

// count adds a partition as it is placed to its brokers' loads, or with -1 takes it off.
func (l *layout) count(i int, sign int64) {
	load, replicas := l.loads[i], l.r.Partitions[i].Replicas
	for k, b := range replicas {
		have := &l.have[b-1]
		have[balance.Disk] += sign * load[balance.Disk]
		if k > 0 {
			have[balance.Followers] += sign * load[balance.Followers]
			continue
		}
		for _, m := range leaderLoads {
			have[m] += sign * load[m]
		}
	}
}

var leaderLoads = []balance.Metric{
	balance.Leaders, balance.ProducerMessages, balance.ProducerBytes, balance.ConsumerMessages, balance.ConsumerBytes,
}

// isEven reports whether every load of every broker is within 2% of the equal share, counts give or take a replica.
func (l *layout) isEven() bool {
	fair := whole / int64(len(l.have))
	for _, have := range l.have {
		for m, v := range have {
			slack := fair / 50
			if balance.Metric(m) <= balance.Followers {
				slack += l.loads[0][m]
			}
			if max(v-fair, fair-v) > slack {
				return false
			}
		}
	}
	return true
}

// score is the sum of the squared distances from the equal share.
func (l *layout) score() int64 {
	fair, sum := whole/int64(len(l.have)), int64(0)
	for _, have := range l.have {
		for _, v := range have {
			sum += (v - fair) / 1000 * ((v - fair) / 1000)
		}
	}
	return sum
}

// improve goes once over every change of one and of two partitions and reports whether any helped.
func (l *layout) improve() bool {
	better := false
	for i := range l.r.Partitions {
		for k := range l.r.Partitions[i].Replicas {
			for id := int32(1); int(id) <= len(l.r.Brokers); id++ {
				better = l.try(func() bool { return l.replace(i, k, id) }, i) || better
			}
		}
		for j := range i {
			a, b := l.r.Partitions[i].Replicas[0], l.r.Partitions[j].Replicas[0]
			if a != b {
				better = l.try(func() bool { return l.lead(i, b) && l.lead(j, a) }, i, j) || better
			}
		}
	}
	return better
}

// try makes a change of one or two partitions, of at most three replicas each, and keeps it if it is possible and helps.
func (l *layout) try(change func() bool, partitions ...int) bool {
	var saved [2][3]int32
	before := l.score()
	for n, i := range partitions {
		copy(saved[n][:], l.r.Partitions[i].Replicas)
		l.count(i, -1)
	}
	done := change()
	for _, i := range partitions {
		l.count(i, 1)
	}
	if done && l.score() < before {
		return true
	}
	for n, i := range partitions {
		l.count(i, -1)
		copy(l.r.Partitions[i].Replicas, saved[n][:])
		l.count(i, 1)
	}
	return false
}

// replace puts another broker at position k, or swaps it with the place where that broker is already.
func (l *layout) replace(i, k int, id int32) bool {
	replicas := l.r.Partitions[i].Replicas
	if at := slices.Index(replicas, id); at >= 0 {
		replicas[at], replicas[k] = replicas[k], id
		return at != k
	}
	if rackOf(replicas[k]) != rackOf(id) && rackTaken(replicas, id) {
		return false
	}
	replicas[k] = id
	return true
}

// lead makes a broker the leader, by swapping it with the one in place or by replacing that.
func (l *layout) lead(i int, id int32) bool { return l.replace(i, 0, id) }
