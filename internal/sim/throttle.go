package sim

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/kafka-pilot/pilot/reassign"
)

// longestList is the most bytes that Kafka stores of a throttled-replicas list.
const longestList = 32_767

// limits are the two replication rates of a broker in bytes per second; nil is not set.
type limits struct{ leader, follower *int64 }

// topicThrottle holds the two lists of throttled replicas of a topic.
type topicThrottle struct{ leader, follower throttled }

// throttled is one list of throttled replicas, sorted.
type throttled struct {
	set, all bool
	entries  []reassign.ThrottleEntry
}

func compareEntry(a, b reassign.ThrottleEntry) int {
	return cmp.Or(cmp.Compare(a.Partition, b.Partition), cmp.Compare(a.Broker, b.Broker))
}

func (t *throttled) has(partition, broker int32) bool {
	if t.all {
		return true
	}
	_, found := slices.BinarySearchFunc(t.entries, reassign.ThrottleEntry{Partition: partition, Broker: broker}, compareEntry)
	return found
}

// edit returns the list with entries added and taken away. A list that becomes empty is removed.
func (t *throttled) edit(add, drop []reassign.ThrottleEntry) throttled {
	entries := slices.Concat(t.entries, add)
	entries = slices.DeleteFunc(entries, func(e reassign.ThrottleEntry) bool { return slices.Contains(drop, e) })
	slices.SortFunc(entries, compareEntry)
	entries = slices.Compact(entries)
	if len(entries) == 0 && (len(drop) > 0 || !t.set) {
		return throttled{}
	}
	return throttled{set: true, entries: entries}
}

// length returns the bytes of the list as a config value, such as "0:1,0:2".
func (t *throttled) length() int {
	n := max(0, len(t.entries)-1)
	for _, e := range t.entries {
		n += len(strconv.Itoa(int(e.Partition))) + 1 + len(strconv.Itoa(int(e.Broker)))
	}
	return n
}

func (t *throttled) list() reassign.ThrottleList {
	return reassign.ThrottleList{Set: t.set, All: t.all, Entries: slices.Clone(t.entries)}
}

func (t *throttled) String() string {
	if t.all {
		return "*"
	}
	var parts []string
	for _, e := range t.entries {
		parts = append(parts, strconv.Itoa(int(e.Partition))+":"+strconv.Itoa(int(e.Broker)))
	}
	return strings.Join(parts, ",")
}

// effective returns the rates in force on a broker: its own before the cluster-wide default.
func (c *Cluster) effective(b *broker) limits {
	return limits{leader: cmp.Or(b.own.leader, c.defaultLimits.leader), follower: cmp.Or(b.own.follower, c.defaultLimits.follower)}
}

// listedOut returns the in-sync traffic that counts against a broker's leader rate: what it sends of the partitions
// that name it in their leader list.
func (c *Cluster) listedOut(broker int32) int64 {
	var bytes int64
	c.each(func(p *partition) {
		if p.leader == broker && p.topic.throttle.leader.has(p.id, broker) {
			bytes += c.writeRate(p) * int64(max(0, len(p.isr)-1))
		}
	})
	return bytes
}

// listedIn returns the in-sync traffic that counts against a broker's follower rate.
func (c *Cluster) listedIn(broker int32) int64 {
	var bytes int64
	c.each(func(p *partition) {
		if p.leader != broker && p.inSync(broker) && p.topic.throttle.follower.has(p.id, broker) {
			bytes += c.writeRate(p)
		}
	})
	return bytes
}
