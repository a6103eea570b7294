package safety

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/kafka-pilot/pilot/balance"
)

// Codes of the refusals of CheckReplicaSet. They never change their meaning.
const (
	codeEmptySet         = "replicas_empty"
	codeNegativeBroker   = "replicas_negative_broker"
	codeDuplicateBroker  = "replicas_duplicate_broker"
	codeUnknownBroker    = "replicas_unknown_broker"
	codeIneligibleBroker = "replicas_ineligible_broker"
	codeBelowFloor       = "replicas_below_floor"
	codeAboveFactor      = "replicas_above_factor"
)

// CheckReplicaSet judges the replicas that an operator wants for p, a partition of c as it is now; nil means that the
// set is acceptable (row SAFE-05). A set is refused when
//
//  1. it is empty, or names a broker that is negative, named twice or not in the cluster;
//  2. it names a broker that is unavailable or in maintenance: Kafka accepts those, and the move never ends;
//  3. it has fewer brokers than the floor, the larger of the partition's replication factor and
//     min.insync.replicas + 1: otherwise one replica less would stop acks=all producers;
//  4. it has more brokers than that: a move never grows the factor in passing.
//
// Replicas that a reassignment in flight adds do not count into the factor.
func CheckReplicaSet(c *balance.Cluster, p *balance.Partition, to []int32) *balance.Refusal {
	if len(to) == 0 {
		return refuse(codeEmptySet, emptySet(p.Name()))
	}
	for i, b := range to {
		switch broker := findBroker(c, b); {
		case b < 0:
			return refuse(codeNegativeBroker, negativeBroker(p.Name(), b))
		case slices.Contains(to[:i], b):
			return refuse(codeDuplicateBroker, duplicateBroker(p.Name(), b))
		case broker == nil:
			return refuse(codeUnknownBroker, unknownBroker(p.Name(), b))
		case broker.State != balance.Active:
			return refuse(codeIneligibleBroker, ineligibleBroker(p.Name(), b, broker.State))
		}
	}
	factor, minISR := originalFactor(p), minISR(c, p.Topic)
	floor := max(factor, int(minISR)+1)
	switch {
	case len(to) < floor:
		return refuse(codeBelowFloor, belowFloor(p.Name(), len(to), floor, factor, minISR))
	case len(to) > floor:
		return refuse(codeAboveFactor, aboveFactor(p.Name(), len(to), floor))
	}
	return nil
}

func refuse(code, message string) *balance.Refusal {
	return &balance.Refusal{Code: code, Message: message}
}

// originalFactor is the replication factor before a reassignment in flight.
func originalFactor(p *balance.Partition) int {
	if p.Moving == nil {
		return len(p.Replicas)
	}
	return len(p.Replicas) - len(p.Moving.Adding) + len(p.Moving.Removing)
}

// minISR is a topic's effective min.insync.replicas, 0 when it is not known.
func minISR(c *balance.Cluster, topic string) int32 {
	i, found := slices.BinarySearchFunc(c.Topics, topic, func(t balance.Topic, name string) int { return strings.Compare(t.Name, name) })
	if !found {
		return 0
	}
	return c.Topics[i].MinISR
}

func findBroker(c *balance.Cluster, id int32) *balance.Broker {
	i, found := slices.BinarySearchFunc(c.Brokers, id, func(b balance.Broker, id int32) int { return cmp.Compare(b.ID, id) })
	if !found {
		return nil
	}
	return &c.Brokers[i]
}

func findPartition(c *balance.Cluster, name balance.TopicPartition) *balance.Partition {
	i := sort.Search(len(c.Partitions), func(i int) bool { return c.Partitions[i].Name().Compare(name) >= 0 })
	if i == len(c.Partitions) || c.Partitions[i].Name() != name {
		return nil
	}
	return &c.Partitions[i]
}
