package sim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

// Reassign submits a target as another tool would. It fails where Kafka refuses.
func (c *Cluster) Reassign(tp balance.TopicPartition, target ...int32) error {
	return c.foreign(tp, func() (reassign.Code, string) { return c.alter(tp, target) })
}

// Revert cancels a reassignment as another tool would. It fails where Kafka refuses.
func (c *Cluster) Revert(tp balance.TopicPartition) error {
	return c.foreign(tp, func() (reassign.Code, string) { return c.cancel(tp) })
}

func (c *Cluster) foreign(tp balance.TopicPartition, act func() (reassign.Code, string)) error {
	c.lock()
	defer c.mu.Unlock()
	if c.controllerDown {
		return ErrNoController
	}
	code, why := act()
	c.settle()
	if code != reassign.CodeOK {
		return fmt.Errorf("%v: %s", tp, why)
	}
	return nil
}

// SetTopicThrottle sets both lists of throttled replicas of a topic as another tool would: "*", entries such as
// "0:1,0:2", or "" to remove the list.
func (c *Cluster) SetTopicThrottle(topic, leader, follower string) error {
	c.lock()
	defer c.mu.Unlock()
	t := c.byName[topic]
	if t == nil {
		return fmt.Errorf("topic %s does not exist", topic)
	}
	l, err := parseThrottled(leader)
	if err != nil {
		return err
	}
	f, err := parseThrottled(follower)
	if err != nil {
		return err
	}
	t.throttle = topicThrottle{leader: l, follower: f}
	c.trace("another tool throttles %s: %q, %q", topic, leader, follower)
	return nil
}

func parseThrottled(text string) (throttled, error) {
	switch text {
	case "":
		return throttled{}, nil
	case "*":
		return throttled{set: true, all: true}, nil
	}
	list := throttled{set: true}
	for _, entry := range strings.Split(text, ",") {
		partition, broker, _ := strings.Cut(entry, ":")
		p, errP := strconv.ParseInt(partition, 10, 32)
		b, errB := strconv.ParseInt(broker, 10, 32)
		if errP != nil || errB != nil {
			return throttled{}, fmt.Errorf("throttled replica %q: write partition:broker, such as 0:1", entry)
		}
		list.entries = append(list.entries, reassign.ThrottleEntry{Partition: int32(p), Broker: int32(b)})
	}
	slices.SortFunc(list.entries, compareEntry)
	list.entries = slices.Compact(list.entries)
	return list, nil
}

// SetBrokerThrottle sets both rates of a broker as another tool would, in bytes a second; a negative one is removed.
// It works for a broker that is down too, as by way of the controller's own listener.
func (c *Cluster) SetBrokerThrottle(id int32, leader, follower int64) error {
	return c.change(id, fmt.Sprintf("gets rates %d, %d from another tool", leader, follower), func(b *broker) {
		setRate(&b.own.leader, &leader)
		setRate(&b.own.follower, &follower)
	})
}

// SetDefaultThrottle sets the cluster-wide default rates in bytes a second; a negative one is removed. Throttles does
// not report them.
func (c *Cluster) SetDefaultThrottle(leader, follower int64) {
	c.lock()
	defer c.mu.Unlock()
	setRate(&c.defaultLimits.leader, &leader)
	setRate(&c.defaultLimits.follower, &follower)
	c.trace("default rates are %s, %s", rateText(c.defaultLimits.leader), rateText(c.defaultLimits.follower))
}

// ToolExecute does what "kafka-reassign-partitions --execute --additional --throttle" does: it replaces the lists of
// every topic with a reassignment in progress and the rates of every broker involved, whoever set them.
func (c *Cluster) ToolExecute(rate int64, targets ...reassign.Target) error {
	for _, t := range targets {
		if err := c.Reassign(t.TopicPartition, t.Replicas...); err != nil {
			return err
		}
	}
	c.lock()
	defer c.mu.Unlock()
	for _, t := range c.topics {
		if leader, follower := movingEntries(t); len(leader) > 0 {
			t.throttle = topicThrottle{leader: throttled{set: true, entries: leader}, follower: throttled{set: true, entries: follower}}
			for _, e := range slices.Concat(leader, follower) {
				b := c.broker(e.Broker)
				b.own = limits{leader: &rate, follower: &rate}
			}
		}
	}
	c.trace("another tool throttles all that moves to %d", rate)
	return nil
}

// movingEntries lists the sources and the destinations of the reassignments of a topic.
func movingEntries(t *topic) (leader, follower []reassign.ThrottleEntry) {
	for _, p := range t.parts {
		if !p.inFlight() {
			continue
		}
		for _, b := range without(p.replicas, p.adding) {
			leader = append(leader, reassign.ThrottleEntry{Partition: p.id, Broker: b})
		}
		for _, b := range p.adding {
			follower = append(follower, reassign.ThrottleEntry{Partition: p.id, Broker: b})
		}
	}
	slices.SortFunc(leader, compareEntry)
	slices.SortFunc(follower, compareEntry)
	return leader, follower
}

// ToolVerify does what "kafka-reassign-partitions --verify" does with a file that names these topics: once nothing is
// in progress anywhere it deletes the rates of all brokers that are up and the lists of the topics, whoever set them.
// It reports whether it did.
func (c *Cluster) ToolVerify(topics ...string) bool {
	c.lock()
	defer c.mu.Unlock()
	busy := false
	c.each(func(p *partition) { busy = busy || p.inFlight() })
	if busy {
		return false
	}
	for _, b := range c.brokers {
		if b.up() {
			b.own = limits{}
		}
	}
	for _, name := range topics {
		if t := c.byName[name]; t != nil {
			t.throttle = topicThrottle{}
		}
	}
	c.trace("another tool clears throttles")
	return true
}

func rateText(rate *int64) string {
	if rate == nil {
		return "none"
	}
	return strconv.FormatInt(*rate, 10)
}
