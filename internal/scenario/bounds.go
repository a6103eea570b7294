package scenario

import (
	"math"

	"github.com/kafka-pilot/pilot/balance"
)

// Bounds say what every plan that evens a cluster has to copy at least.
type Bounds struct {
	Bytes  float64
	Copies int
}

// LowerBounds works the bounds out from the report of the placement before the plan.
//
// When some broker is beyond the act line with its disk, every broker has to end within the threshold, and one partition,
// of its fair share. A broker that has too much gives the rest away, one that has too little gets it, and one byte
// copied helps at most one of each: so no plan copies less than all have too much together, or too little, whichever is
// more. Where the racks pin every partition to the same racks, no byte crosses them, and that holds for each rack by
// itself.
//
// The same goes for replicas: leaders and followers that a broker lacks have to be copied to it.
func LowerBounds(c *balance.Cluster, before *balance.Report, threshold float64) Bounds {
	rack := map[int32]int{}
	if pinned(c) {
		number := map[string]int{}
		for _, b := range c.Brokers {
			if _, ok := number[b.Rack]; !ok {
				number[b.Rack] = len(number)
			}
			rack[b.ID] = number[b.Rack]
		}
	}
	bytes, replicas := edges{}, edges{}
	disk := tripped(before, threshold, balance.Disk)
	counts := tripped(before, threshold, balance.Leaders) && tripped(before, threshold, balance.Followers)
	for i := range before.Brokers {
		b := &before.Brokers[i]
		r := rack[b.Broker]
		if disk {
			low, high := box(&b.Loads[balance.Disk], threshold)
			bytes.add(r, low-b.Loads[balance.Disk].Have, b.Loads[balance.Disk].Have-high)
		}
		if counts {
			l, f := &b.Loads[balance.Leaders], &b.Loads[balance.Followers]
			leadLow, leadHigh := box(l, threshold)
			followLow, followHigh := box(f, threshold)
			low, high := math.Ceil(leadLow-1e-9)+math.Ceil(followLow-1e-9), math.Floor(leadHigh+1e-9)+math.Floor(followHigh+1e-9)
			replicas.add(r, low-l.Have-f.Have, l.Have+f.Have-high)
		}
	}
	return Bounds{Bytes: bytes.sum(), Copies: int(replicas.sum())}
}

// box is where a load has to end.
func box(d *balance.Distance, threshold float64) (low, high float64) {
	return math.Max(0, d.FairShare*(1-threshold)-d.OnePartition), d.FairShare*(1+threshold) + d.OnePartition
}

func tripped(r *balance.Report, threshold float64, m balance.Metric) bool {
	for i := range r.Brokers {
		if r.Brokers[i].Loads[m].Distance > 2*threshold {
			return true
		}
	}
	return false
}

// edges add up, rack by rack, what is missing and what is too much.
type edges struct{ lacking, over map[int]float64 }

func (e *edges) add(rack int, lacking, over float64) {
	if e.lacking == nil {
		e.lacking, e.over = map[int]float64{}, map[int]float64{}
	}
	e.lacking[rack] += math.Max(0, lacking)
	e.over[rack] += math.Max(0, over)
}

func (e *edges) sum() float64 {
	n := 0.0
	for r := range len(e.lacking) {
		n += math.Max(e.lacking[r], e.over[r])
	}
	return n
}

// pinned reports whether every partition has exactly one replica in every rack, so that none can change its rack.
func pinned(c *balance.Cluster) bool {
	rack := map[int32]string{}
	all := map[string]bool{}
	for _, b := range c.Brokers {
		rack[b.ID] = b.Rack
		all[b.Rack] = true
	}
	for i := range c.Partitions {
		p := &c.Partitions[i]
		if len(p.Replicas) != len(all) {
			return false
		}
		for k, b := range p.Replicas {
			for _, o := range p.Replicas[:k] {
				if rack[b] == rack[o] {
					return false
				}
			}
		}
	}
	return true
}
