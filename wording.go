package pilot

import (
	"fmt"
	"strings"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/safety"
)

// mostNamed is how many partitions a sentence names; the subjects beside it have all.
const mostNamed = 3

func staleMessage(stale []balance.TopicPartition, repairs bool) string {
	text := fmt.Sprintf("%s no longer where this plan starts from: %s. Generate a new proposal",
		count(len(stale), "partition is", "partitions are"), listPartitions(stale))
	if repairs {
		return text + ", or repeat the request with force to make the other repairs."
	}
	return text + "."
}

// skippedNote is what an execution says about moves that it leaves out.
func skippedNote(stale []balance.TopicPartition, skipped []safety.Skipped) string {
	left := append([]balance.TopicPartition{}, stale...)
	for _, s := range skipped {
		left = append(left, s.TopicPartition)
	}
	if len(left) == 0 {
		return ""
	}
	return fmt.Sprintf("%s left out of the plan: %s", count(len(left), "partition was", "partitions were"), listPartitions(left))
}

// whySkipped gives the reason for the first of the moves left out.
func whySkipped(skipped []safety.Skipped) string {
	if len(skipped) == 0 {
		return ""
	}
	return fmt.Sprintf(": %v: %s", skipped[0].TopicPartition, strings.TrimSuffix(skipped[0].Reason, "."))
}

func listPartitions(partitions []balance.TopicPartition) string {
	var names []string
	for _, p := range partitions[:min(len(partitions), mostNamed)] {
		names = append(names, p.String())
	}
	if more := len(partitions) - mostNamed; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
