package maintenance

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kafka-pilot/pilot/balance"
)

// This file holds every sentence of this package.

// maxNamed is how many partitions a sentence names; the lists beside it have all.
const maxNamed = 3

// Why a partition cannot be moved.
const (
	reassigned    = "It is being reassigned already."
	nothingToCopy = "No live broker has it in sync, so there is nothing to copy from."
)

func tooFewBrokers(factor int) string {
	return fmt.Sprintf("Too few brokers are left for its replication factor of %d.", factor)
}

func racksWouldFall(before, after rackCount) string {
	if after.known < before.known {
		return fmt.Sprintf("Its replicas are in %s and only %d could be kept.", count(before.known, "rack", "racks"), after.known)
	}
	return "A replica outside of the racks of the others could not be kept there."
}

func belowMinISR(left, minISR int) string {
	if left < 1 {
		return "No replica would be left."
	}
	return fmt.Sprintf("It would be left with %s, below its min.insync.replicas of %d.", count(left, "replica", "replicas"), minISR)
}

// Why a drain is refused.
func unknownBroker(broker int32) string {
	return fmt.Sprintf("The cluster has no broker %d.", broker)
}

func lastBroker(broker int32) string {
	return fmt.Sprintf("Broker %d cannot be drained: no other broker is active, so nothing could take its replicas.", broker)
}

func notPreservable(broker int32, blocked []Blocked, overridable bool) string {
	text := fmt.Sprintf("Broker %d cannot be drained, as %s the replication factor and the racks: %s.",
		broker, count(len(blocked), "partition cannot keep", "partitions cannot keep"), listBlocked(blocked))
	if overridable {
		return text + " Add brokers, or repeat the request with force to drain it with fewer replicas or racks for these."
	}
	return text + " Add brokers: force would leave some with fewer replicas than min.insync.replicas."
}

func belowMinISRMessage(broker int32, stuck []Blocked) string {
	return fmt.Sprintf("Broker %d cannot be drained, not even with force: %s be left with fewer replicas than "+
		"min.insync.replicas, so that acks=all producers would stall: %s. Add brokers, or lower min.insync.replicas first.",
		broker, count(len(stuck), "partition would", "partitions would"), listBlocked(stuck))
}

func notInMaintenance(broker int32) string {
	return fmt.Sprintf("Broker %d is not in maintenance.", broker)
}

// reason says what a move does for the drain.
func reason(broker int32, t *task, to []int32) string {
	var parts []string
	switch len(t.given) {
	case 0:
		parts = append(parts, "its replica is given up")
	case 1:
		parts = append(parts, fmt.Sprintf("its replica goes to broker %d", t.given[0]))
	default:
		parts = append(parts, "its replica and those on brokers that are down go to brokers "+listBrokers(t.given))
	}
	if t.p.Leader != to[0] {
		parts = append(parts, fmt.Sprintf("leadership goes to broker %d", to[0]))
	}
	return fmt.Sprintf("Broker %d is drained: %s.", broker, strings.Join(parts, ", "))
}

// warnings are what whoever starts a drain should read; each list has its own sentence.
func warnings(broker int32, single, behind, thin []balance.TopicPartition, waiting []Blocked) []string {
	all := []string{}
	say := func(n int, format string, args ...any) {
		if n > 0 {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	say(len(single), "%s a single replica and cannot be read or written if broker %d stops before the drain has ended: %s.",
		count(len(single), "partition has", "partitions have"), broker, listPartitions(single))
	say(len(behind), "%s under-replicated, and the move ends only when all remaining replicas are in sync: %s.",
		count(len(behind), "partition is", "partitions are"), listPartitions(behind))
	say(len(thin), "%s left with just min.insync.replicas, so that one replica less stalls acks=all producers: %s.",
		count(len(thin), "partition is", "partitions are"), listPartitions(thin))
	say(len(waiting), "%s on the broker for now, so it is not empty when these moves have ended: %s.",
		count(len(waiting), "partition stays", "partitions stay"), listBlocked(waiting))
	return all
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

func listBlocked(blocked []Blocked) string {
	var names []balance.TopicPartition
	for _, b := range blocked {
		names = append(names, b.TopicPartition)
	}
	return listPartitions(names)
}

// listPartitions writes "a-0, a-1 and a-2", or "a-0, a-1, a-2 and 9 more".
func listPartitions(partitions []balance.TopicPartition) string {
	var names []string
	for _, p := range partitions[:min(len(partitions), maxNamed)] {
		names = append(names, p.String())
	}
	if more := len(partitions) - maxNamed; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return join(names)
}

func listBrokers(brokers []int32) string {
	var names []string
	for _, b := range brokers {
		names = append(names, strconv.Itoa(int(b)))
	}
	return join(names)
}

func join(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
