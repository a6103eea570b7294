package safety

import (
	"slices"

	"github.com/kafka-pilot/pilot/balance"
)

// Severities of a RackAdvisory.
const (
	rackHigh    = "high"    // rack-aware placement cannot be trusted
	rackWarning = "warning" // placement is as even as it can be, and the loss of a rack still takes several replicas
)

// RackAdvisory says why rack-aware placement protects less than it seems to (row SAFE-08).
type RackAdvisory struct {
	Severity      string `json:"severity"`
	Summary       string `json:"summary"`
	Racks         int    `json:"racks"`         // racks of the brokers that are not in maintenance
	LargestFactor int    `json:"largestFactor"` // the largest replication factor
	// BrokersWithoutRack host replicas and have no broker.rack, sorted.
	BrokersWithoutRack []int32 `json:"brokersWithoutRack,omitempty"`
	// CoLocated counts the partitions with more replicas in one rack than an even spread has, or with several on
	// brokers without a rack. CoLocatedPartitions names up to a hundred of them, sorted.
	CoLocated           int      `json:"coLocated,omitempty"`
	CoLocatedPartitions []string `json:"coLocatedPartitions,omitempty"`
	// WorstCase is the topic that the loss of one rack takes furthest below its min.insync.replicas.
	WorstCase *RackLoss `json:"worstCase,omitempty"`
	// AffectedTopics counts the topics that a warning is about.
	AffectedTopics int `json:"affectedTopics,omitempty"`
}

// RackLoss is what the loss of one rack leaves of a topic's partitions if all replicas were in sync before.
type RackLoss struct {
	Topic     string `json:"topic"`
	Survivors int    `json:"survivors"` // replicas left of a partition
	MinISR    int32  `json:"minInsyncReplicas"`
}

// RackSafety judges how far racks protect the replicas of c; nil means that there is nothing to say. The caller asks
// only where placement is rack-aware. It is high when a broker that hosts replicas has no rack, when replicas may be in
// one place, or when there is one rack for two replicas or more. It is a warning when there are just fewer racks than
// replicas and the loss of one would take a partition below its topic's min.insync.replicas, or that is not known.
func RackSafety(c *balance.Cluster) *RackAdvisory {
	a := &RackAdvisory{}
	rack := map[int32]string{}
	var racks []string
	for i := range c.Brokers {
		b := &c.Brokers[i]
		rack[b.ID] = b.Rack
		if b.Rack != "" && b.State != balance.Maintenance && !slices.Contains(racks, b.Rack) {
			racks = append(racks, b.Rack)
		}
	}
	a.Racks = len(racks)
	a.lookAtReplicas(c, rack)
	if len(a.BrokersWithoutRack) > 0 || a.CoLocated > 0 || a.Racks == 1 && a.LargestFactor > 1 {
		a.Severity, a.Summary = rackHigh, rackHighMessage(a)
		return a
	}
	if a.Racks < 2 || a.LargestFactor <= a.Racks || !a.lookAtLoss(c) {
		return nil
	}
	a.Severity, a.Summary = rackWarning, rackWarningMessage(a)
	return a
}

// lookAtReplicas finds hosts without a rack and replica sets that may be in one place.
func (a *RackAdvisory) lookAtReplicas(c *balance.Cluster, rack map[int32]string) {
	without := map[int32]bool{}
	for i := range c.Partitions {
		p := &c.Partitions[i]
		a.LargestFactor = max(a.LargestFactor, len(p.Replicas))
		for _, b := range p.Replicas {
			if rack[b] == "" && !without[b] {
				without[b] = true
				a.BrokersWithoutRack = append(a.BrokersWithoutRack, b)
			}
		}
		if a.coLocated(p, rack) {
			a.CoLocated++
			if len(a.CoLocatedPartitions) < maxSubjects {
				a.CoLocatedPartitions = append(a.CoLocatedPartitions, p.Name().String())
			}
		}
	}
	slices.Sort(a.BrokersWithoutRack)
}

// coLocated reports whether replicas of a partition may fail together although they need not.
func (a *RackAdvisory) coLocated(p *balance.Partition, rack map[int32]string) bool {
	most := 1
	if a.Racks > 0 {
		most = perRack(len(p.Replicas), a.Racks)
	}
	for i, b := range p.Replicas {
		same := 1
		for _, o := range p.Replicas[:i] {
			if rack[o] == rack[b] {
				same++
			}
		}
		if same > most || rack[b] == "" && same > 1 {
			return true
		}
	}
	return false
}

// perRack is the most replicas that an even spread of a factor puts in one rack.
func perRack(factor, racks int) int { return (factor + racks - 1) / racks }

// lookAtLoss works out what the loss of one rack does to each topic with more replicas than racks. It reports whether
// there is anything to say.
func (a *RackAdvisory) lookAtLoss(c *balance.Cluster) bool {
	below, unknown := 0, 0
	for first := 0; first < len(c.Partitions); {
		topic := c.Partitions[first].Topic
		factor, next := a.weakestFactor(c.Partitions, first)
		first = next
		if factor == 0 {
			continue
		}
		left, needed := factor-perRack(factor, a.Racks), minISR(c, topic)
		switch {
		case needed == 0:
			unknown++
		case left < int(needed):
			below++
			if w := a.WorstCase; w == nil || left-int(needed) < w.Survivors-int(w.MinISR) {
				a.WorstCase = &RackLoss{topic, left, needed}
			}
		}
	}
	a.AffectedTopics = below
	if below == 0 {
		a.AffectedTopics = unknown
	}
	return below+unknown > 0
}

// weakestFactor returns the smallest factor above the number of racks in the topic that starts at first, since that
// keeps the fewest replicas, or 0 when there is none, and where the next topic starts.
func (a *RackAdvisory) weakestFactor(partitions []balance.Partition, first int) (factor, next int) {
	for next = first; next < len(partitions) && partitions[next].Topic == partitions[first].Topic; next++ {
		if k := len(partitions[next].Replicas); k > a.Racks && (factor == 0 || k < factor) {
			factor = k
		}
	}
	return factor, next
}
