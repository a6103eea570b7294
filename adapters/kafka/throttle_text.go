package kafka

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kafka-pilot/pilot/reassign"
)

// everyReplica is the list that throttles every replica of a topic.
const everyReplica = "*"

// longestList is how many bytes a list may have. Past 32,767 a broker closes the connection on whoever sets it, and
// Kafka 4.0 changes its controller on whoever appends to it.
const longestList = 30_000

// parseList reads a list of throttled replicas as Kafka writes it: "*" or "0:1,0:2". set says whether it is set at
// all.
func parseList(text string, set bool) (reassign.ThrottleList, error) {
	list := reassign.ThrottleList{Set: set}
	text = strings.TrimSpace(text)
	switch {
	case !set || text == "":
		return list, nil
	case text == everyReplica:
		list.All = true
		return list, nil
	}
	for element := range strings.SplitSeq(text, ",") {
		partition, broker, both := strings.Cut(strings.TrimSpace(element), ":")
		p, wrongPartition := strconv.ParseInt(partition, 10, 32)
		b, wrongBroker := strconv.ParseInt(broker, 10, 32)
		if !both || wrongPartition != nil || wrongBroker != nil {
			return list, fmt.Errorf("%q is no partition:broker", oneLine(element))
		}
		list.Entries = append(list.Entries, reassign.ThrottleEntry{Partition: int32(p), Broker: int32(b)})
	}
	return list, nil
}

// formatList writes entries as Kafka reads them.
func formatList(entries []reassign.ThrottleEntry) string {
	texts := make([]string, len(entries))
	for i, e := range entries {
		texts[i] = fmt.Sprintf("%d:%d", e.Partition, e.Broker)
	}
	return strings.Join(texts, ",")
}

// edited returns what a list holds once entries were added and others taken away.
func edited(have, add, drop []reassign.ThrottleEntry) []reassign.ThrottleEntry {
	list := slices.Clone(have)
	for _, e := range add {
		if !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	return slices.DeleteFunc(list, func(e reassign.ThrottleEntry) bool { return slices.Contains(drop, e) })
}
