package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

// Partitions returns every partition as the controller has it, with sizes, sorted. Unlike a Client's answers it never
// trails, never fails and counts as no call: it is for checking.
func (c *Cluster) Partitions() []reassign.Live {
	c.lock()
	defer c.mu.Unlock()
	var all []reassign.Live
	c.each(func(p *partition) { all = append(all, c.truth(p)) })
	return all
}

// Partition returns one partition as the controller has it, and whether it exists.
func (c *Cluster) Partition(tp balance.TopicPartition) (reassign.Live, bool) {
	c.lock()
	defer c.mu.Unlock()
	if p := c.partition(tp); p != nil {
		return c.truth(p), true
	}
	return reassign.Live{}, false
}

func (c *Cluster) truth(p *partition) reassign.Live {
	l := reassign.Live{
		TopicPartition: p.name(), TopicID: p.topic.uuid, Leader: p.leader, MinISR: int32(p.minISR()),
		Replicas: slices.Clone(p.replicas), ISR: slices.Clone(p.isr),
		Adding: slices.Clone(p.adding), Removing: slices.Clone(p.removing),
	}
	for _, log := range p.logs {
		l.Sizes = append(l.Sizes, reassign.ReplicaSize{Broker: log.broker, Bytes: p.bytes(log)})
	}
	slices.SortFunc(l.Sizes, func(a, b reassign.ReplicaSize) int { return int(a.Broker) - int(b.Broker) })
	return l
}

// AllThrottles returns what is set on every broker, be it down, and every topic. It is for checking.
func (c *Cluster) AllThrottles() reassign.Throttles {
	c.lock()
	defer c.mu.Unlock()
	var all reassign.Throttles
	for _, b := range c.brokers {
		all.Brokers = append(all.Brokers, b.throttle())
	}
	for _, t := range c.topics {
		all.Topics = append(all.Topics, t.throttles())
	}
	return all
}

// Dump writes the state as text, a line for each broker, topic, partition and journal key: equal runs have equal dumps.
func (c *Cluster) Dump() string {
	c.lock()
	defer c.mu.Unlock()
	var out strings.Builder
	fmt.Fprintf(&out, "at %dms, calls %d, controller down %t, default rates %s, %s\n", c.now, c.calls, c.controllerDown,
		rateText(c.defaultLimits.leader), rateText(c.defaultLimits.follower))
	for _, b := range c.brokers {
		fmt.Fprintf(&out, "broker %d rack %q running %t fenced %t rates %s, %s\n",
			b.id, b.rack, b.running, b.fenced, rateText(b.own.leader), rateText(b.own.follower))
	}
	for _, t := range c.topics {
		fmt.Fprintf(&out, "topic %s %s throttled %q, %q\n", t.spec.Name, t.uuid, &t.throttle.leader, &t.throttle.follower)
		for _, p := range t.parts {
			l := c.truth(p)
			fmt.Fprintf(&out, "  %d leader %d replicas %v adding %v removing %v isr %v eligible %v sizes %v\n",
				p.id, l.Leader, l.Replicas, l.Adding, l.Removing, l.ISR, p.eligible, l.Sizes)
		}
	}
	keys := make([]string, 0, len(c.journal.values))
	for key := range c.journal.values {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		fmt.Fprintf(&out, "journal %s %q\n", key, c.journal.values[key])
	}
	return out.String()
}
