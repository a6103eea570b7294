package safety

import (
	"fmt"
	"strings"

	"github.com/kafka-pilot/pilot/balance"
)

// This file holds every sentence of this package, so that REST, MCP and the library say the same. The golden file
// testdata/messages.golden pins them.

const (
	rollingRestartMessage = "A rolling restart is in progress, which excludes partition moves. Wait until it has ended."
	alteredMessage        = "Moves of this plan had to be changed, so its expected effect no longer holds. Generate a new proposal."
	staleMessage          = "The placement of partitions changed since this plan was made. " +
		"Generate a new proposal, or repeat the request with force."
	throttlesMessage = "Another tool manages replication throttles (PILOT_THROTTLE_MANAGED=false), so nothing limits the " +
		"moves unless it does. Repeat the request with force if it does."

	noProposalMessage = "No proposal has been calculated yet."
)

// waitingMessages are what a decision says while it waits and the evidence has no sentence of its own.
var waitingMessages = map[balance.Status]string{
	Collecting: "Measurements are being collected.",
	Settling:   "Measurements do not reflect the latest moves yet.",
	Monitoring: "Pilot is checking that the imbalance lasts.",
	Running:    "Moves are being executed.",
}

var titles = map[balance.Status]string{
	balance.RepairRecommended:    "Repair recommended",
	balance.RebalanceRecommended: "Rebalance recommended",
	Collecting:                   "Collecting measurements",
	Settling:                     "Settling after moves",
	Monitoring:                   "Monitoring",
	balance.NoneNeeded:           "No rebalance needed",
	balance.AtLimit:              "Balanced, at its limit",
	balance.Paused:               "Balancing paused",
	Running:                      "Rebalancing",
}

func controllerMessage(s ControllerState) string {
	if s == ControllerUnhealthy {
		return "The cluster has no active controller. Partitions cannot be moved safely until one is elected."
	}
	return "No broker answered whether the cluster has an active controller. Partitions cannot be moved safely until one does."
}

func majorityMessage(down, registered int) string {
	if registered == 0 {
		return "No broker is registered with the cluster. Partitions cannot be moved safely until most of them are back."
	}
	return fmt.Sprintf("%d of %d brokers are unavailable. Partitions cannot be moved safely until most of them are back.",
		down, registered)
}

func shrinkMessage(partitions []balance.TopicPartition) string {
	return fmt.Sprintf("%s had replicas out of sync for %d minutes or more: %s. "+
		"Replication does not keep up, and moves would add to its work.",
		count(len(partitions), "partition has", "partitions have"), int(sustainedAfter.Minutes()), listPartitions(partitions))
}

func receiverMessage(brokers []int32) string {
	return fmt.Sprintf("%s not available and would receive replicas, so the moves would never end. Generate a new proposal.",
		listBrokers(brokers, "is", "are"))
}

func inFlightMessage(partitions []balance.TopicPartition) string {
	return fmt.Sprintf("%s being reassigned by another tool: %s. "+
		"Wait until that has ended, or repeat the request with force: these are left alone in any case.",
		count(len(partitions), "partition is", "partitions are"), listPartitions(partitions))
}

// blockedMessage is the message of a proposal whose moves something speaks against.
func blockedMessage(proposal string, finding Finding) string {
	return strings.TrimSpace(proposal + " The plan cannot be applied now. " + finding.Message)
}

// The refusals of an operator's replica set.
func emptySet(p balance.TopicPartition) string {
	return fmt.Sprintf("The replica set of %s is empty: name at least one broker.", p)
}

func negativeBroker(p balance.TopicPartition, broker int32) string {
	return fmt.Sprintf("The replica set of %s names broker %d: broker IDs are not negative.", p, broker)
}

func duplicateBroker(p balance.TopicPartition, broker int32) string {
	return fmt.Sprintf("The replica set of %s names broker %d more than once.", p, broker)
}

func unknownBroker(p balance.TopicPartition, broker int32) string {
	return fmt.Sprintf("The replica set of %s names broker %d, which the cluster does not have.", p, broker)
}

func ineligibleBroker(p balance.TopicPartition, broker int32, s balance.BrokerState) string {
	if s == balance.Maintenance {
		return fmt.Sprintf("The replica set of %s names broker %d, which is in maintenance.", p, broker)
	}
	return fmt.Sprintf("The replica set of %s names broker %d, which is unavailable.", p, broker)
}

func belowFloor(p balance.TopicPartition, have, floor, factor int, minISR int32) string {
	return fmt.Sprintf("The replica set of %s has %s, below its floor of %d: "+
		"the larger of its replication factor (%d) and min.insync.replicas + 1 (%d).",
		p, count(have, "broker", "brokers"), floor, factor, minISR+1)
}

func aboveFactor(p balance.TopicPartition, have, floor int) string {
	return fmt.Sprintf("The replica set of %s has %s where %d are needed: a move never grows the replication factor in passing.",
		p, count(have, "broker", "brokers"), floor)
}

// The reasons for leaving a partition out of a plan.
func noSubstitute(dead []int32, factor int) string {
	return fmt.Sprintf("%s not available, and no other broker can keep the replication factor of %d and the racks.",
		listBrokers(dead, "is", "are"), factor)
}

func leaderUnavailable(broker int32) string {
	return fmt.Sprintf("Broker %d should take over leadership and is not available.", broker)
}

func nothingLeft(dead []int32) string {
	return fmt.Sprintf("%s not available, and without the move nothing changes.", listBrokers(dead, "is", "are"))
}

// substitutedReason is what a changed move says beside its own reason.
func substitutedReason(reason string, dead []int32) string {
	return strings.TrimSpace(reason + " " + listBrokers(dead, "was", "were") + " not available and replaced.")
}

// The summaries of the rack advisory.
func rackHighMessage(a *RackAdvisory) string {
	var why []string
	if n := len(a.BrokersWithoutRack); n > 0 {
		why = append(why, fmt.Sprintf("%s no broker.rack", listBrokers(a.BrokersWithoutRack, "has", "have")))
	}
	if a.CoLocated > 0 {
		partitions := count(a.CoLocated, "partition has", "partitions have")
		why = append(why, partitions+" replicas that may be in one place")
	}
	if a.Racks == 1 && a.LargestFactor > 1 {
		why = append(why, fmt.Sprintf("there is a single rack for up to %d replicas", a.LargestFactor))
	}
	return capital(strings.Join(why, "; ")) +
		". Replicas that look spread over racks may fail together: treat rack-aware placement as best effort."
}

func rackWarningMessage(a *RackAdvisory) string {
	perRack := (a.LargestFactor + a.Racks - 1) / a.Racks
	head := fmt.Sprintf("Replication factors go up to %d with only %d racks.", a.LargestFactor, a.Racks)
	if w := a.WorstCase; w != nil {
		return head + fmt.Sprintf(" The loss of one rack would leave topic %s %s in sync with min.insync.replicas %d, "+
			"so acks=all producers would stall; this concerns %s.",
			w.Topic, count(w.Survivors, "replica", "replicas"), w.MinISR, count(a.AffectedTopics, "topic", "topics"))
	}
	return head + fmt.Sprintf(" The loss of one rack takes up to %s of a partition at once; "+
		"min.insync.replicas is not known for %s.",
		count(perRack, "replica", "replicas"), count(a.AffectedTopics, "topic", "topics"))
}
