package maintenance

import (
	"slices"

	"github.com/kafka-pilot/pilot/balance"
)

// Options say how a broker is drained.
type Options struct {
	// Policy supplies the weights of the loads, the share rule and whether placement is rack-aware. Gates, the floor
	// and the cap on partitions are about optional moves and do not hold back a drain.
	Policy balance.Policy
	// Force drains what cannot keep its replication factor or its racks, as Plan describes.
	Force bool
}

// Drain is the plan that empties a broker. All lists are sorted by partition.
type Drain struct {
	Broker int32          `json:"broker"`
	Moves  []balance.Move `json:"moves"` // of kind balance.MoveDrain
	// ReducedFactor are the partitions that the moves leave with fewer replicas; only a forced drain has any.
	ReducedFactor []balance.TopicPartition `json:"reducedFactor"`
	// RackCollapses are the partitions that the moves leave on fewer racks; only a forced drain has any.
	RackCollapses []RackCollapse `json:"rackCollapses"`
	// Waiting are partitions of the broker that no move of this plan takes away, with the reason. Plan again when it
	// has passed: the broker is not empty before.
	Waiting []Blocked `json:"waiting"`
	// Warnings are sentences that whoever starts the drain should read.
	Warnings []string `json:"warnings"`
}

// RackCollapse is a partition that a forced drain leaves on fewer racks.
type RackCollapse struct {
	balance.TopicPartition
	Replicas []int32  `json:"replicas"` // the new replica set
	Racks    []string `json:"racks"`    // the rack of each replica, in the same order; "" is unknown
}

// Blocked is a partition that cannot be moved, with the reason as a sentence.
type Blocked struct {
	balance.TopicPartition
	Reason string `json:"reason"`
}

// Plan works out the moves that empty a broker, whatever state it is in. The caller has put the brokers in maintenance
// into c with Overlay. These are the rules, in this order:
//
//  1. Each replica of the broker goes to an active broker that does not hold the partition. So does each replica on
//     another broker that is unavailable, or in maintenance and out of sync: a move to a set that contains one would
//     never end.
//  2. A partition keeps its replication factor and spans at least as many racks as before, whether all brokers
//     without a rack count as one rack or as none. With Policy.RackAware its replicas are spread as evenly as the
//     remaining brokers allow.
//  3. Of the brokers that the rules leave, one that does not hold too much of the topic, and of those the one whose
//     loads stay most even, receives the replica.
//  4. Where the broker leads, leadership goes to a remaining replica that is in sync, evenly; with none in sync, to
//     the new replica, which is in sync when the move completes. Elsewhere the leader stays.
//  5. A partition that another reassignment is moving waits.
//
// Without Force a partition that cannot keep its factor and its racks refuses the drain with a *Refused that names all
// such partitions. With Force
//
//   - a partition that can keep its factor on fewer racks does so, and is a RackCollapse;
//   - a partition for which there are not enough brokers goes on with fewer replicas, but never with fewer than
//     min.insync.replicas: acks=all producers would stall, so the drain is refused and names them;
//   - a partition that no live broker has in sync stays where it is, since there is nothing to copy from.
//
// Plan also refuses a broker that is not in the cluster and one without which no active broker is left; these and the
// refusals above are a *Refused. Any other error means that the reading or the policy contradicts itself. Plan changes
// neither c nor o, and the order of brokers and partitions in c does not change the result.
func Plan(c *balance.Cluster, broker int32, o Options) (*Drain, error) {
	p := newPlanner(c, broker, o)
	if err := p.possible(); err != nil {
		return nil, err
	}
	p.sortOut()
	if err := p.refusal(); err != nil {
		return nil, err
	}
	if err := p.place(); err != nil {
		return nil, err
	}
	return p.result(), nil
}

// Hosted returns the partitions that a broker holds or is about to hold or to give up, sorted. It is empty when the
// broker can be stopped without taking a replica away.
func Hosted(c *balance.Cluster, broker int32) []balance.TopicPartition {
	var all []balance.TopicPartition
	for i := range c.Partitions {
		if involves(&c.Partitions[i], broker) {
			all = append(all, c.Partitions[i].Name())
		}
	}
	slices.SortFunc(all, balance.TopicPartition.Compare)
	return all
}

// involves reports whether a broker holds a replica of p or takes part in a reassignment of it.
func involves(p *balance.Partition, broker int32) bool {
	if slices.Contains(p.Replicas, broker) {
		return true
	}
	return p.Moving != nil && (slices.Contains(p.Moving.Adding, broker) || slices.Contains(p.Moving.Removing, broker))
}
