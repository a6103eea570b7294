package sim

import (
	"fmt"
	"slices"

	"github.com/kafka-pilot/pilot/balance"
)

// TopicSpec describes a topic to create.
type TopicSpec struct {
	Name string
	// Assignment gives the replicas of every partition in order, to all as many. nil lets the cluster place Partitions of Factor
	// replicas over the racks.
	Assignment [][]int32
	Partitions int
	Factor     int

	MinISR         int32 // min.insync.replicas; 0 is 1
	RetentionBytes int64 // bytes that a partition keeps; 0 keeps all
	SegmentBytes   int64 // segment.bytes, reported and not simulated; 0 is 1 GiB
	Compacted      bool  // reported and not simulated
	Internal       bool

	Bytes int64 // what every partition holds at first
	Rates Rates // of every partition
}

// Rates are what clients do with a partition, per second.
type Rates struct {
	ProduceMessages, ProduceBytes float64 // whole bytes count; a fraction is cut off
	ConsumeMessages, ConsumeBytes float64
}

type topic struct {
	spec     TopicSpec
	uuid     string
	created  int64
	deleted  int64 // never while it exists
	parts    []*partition
	throttle topicThrottle
}

// CreateTopic creates a topic with all replicas in sync. It fails when the name is taken or the assignment names a
// broker that is not up.
func (c *Cluster) CreateTopic(spec TopicSpec) error {
	c.lock()
	defer c.mu.Unlock()
	if c.byName[spec.Name] != nil {
		return fmt.Errorf("topic %s exists already: delete it first or use another name", spec.Name)
	}
	lists, err := c.assignment(spec)
	if err != nil {
		return fmt.Errorf("topic %s: %w", spec.Name, err)
	}
	if spec.SegmentBytes == 0 {
		spec.SegmentBytes = 1 << 30
	}
	t := &topic{spec: spec, uuid: c.newID(), created: c.now, deleted: never}
	for _, replicas := range lists {
		c.addPartition(t, replicas)
	}
	c.insertTopic(t)
	c.trace("topic %s is created with %d partitions", spec.Name, len(t.parts))
	return nil
}

func (c *Cluster) assignment(spec TopicSpec) ([][]int32, error) {
	if spec.Assignment == nil {
		return c.place(spec.Partitions, spec.Factor, len(c.topics))
	}
	for i, replicas := range spec.Assignment {
		if have := len(spec.Assignment[0]); len(replicas) != have {
			return nil, fmt.Errorf("partition %d has %d replicas, not %d as partition 0: give all the same number", i, len(replicas), have)
		}
		if why := c.badTarget(replicas); why != "" {
			return nil, fmt.Errorf("partition %d: %s", i, why)
		}
		for _, b := range replicas {
			if !c.broker(b).up() {
				return nil, fmt.Errorf("partition %d: broker %d is down: start it first", i, b)
			}
		}
	}
	return spec.Assignment, nil
}

func (c *Cluster) addPartition(t *topic, replicas []int32) *partition {
	p := &partition{
		topic: t, id: int32(len(t.parts)), created: c.now,
		leader: replicas[0], replicas: slices.Clone(replicas), isr: slices.Clone(replicas),
		end: t.spec.Bytes, retention: t.spec.RetentionBytes, rates: t.spec.Rates,
	}
	if p.retention > 0 {
		p.start = max(0, p.end-p.retention)
	}
	p.fitLogs()
	p.follow()
	t.parts = append(t.parts, p)
	return p
}

// DeleteTopic deletes a topic with its data, its throttles and its reassignments.
func (c *Cluster) DeleteTopic(name string) error {
	c.lock()
	defer c.mu.Unlock()
	t := c.byName[name]
	if t == nil {
		return fmt.Errorf("topic %s does not exist", name)
	}
	delete(c.byName, name)
	i, _ := slices.BinarySearchFunc(c.topics, name, compareTopic)
	c.topics = slices.Delete(c.topics, i, i+1)
	t.deleted = c.now
	c.ghosts = slices.DeleteFunc(c.ghosts, func(g *topic) bool { return g.deleted <= c.now-longestLag })
	c.ghosts = append(c.ghosts, t)
	c.trace("topic %s is deleted", name)
	return nil
}

// AddPartitions adds n partitions to a topic. As in Kafka they get as many replicas as one of the present partitions
// has at the moment, which is too many while that one is reassigned.
func (c *Cluster) AddPartitions(name string, n int) error {
	c.lock()
	defer c.mu.Unlock()
	t := c.byName[name]
	if t == nil {
		return fmt.Errorf("topic %s does not exist", name)
	}
	factor := len(t.parts[modelPartition(len(t.parts))].replicas)
	lists, err := c.place(n, factor, len(t.parts))
	if err != nil {
		return fmt.Errorf("topic %s: %w", name, err)
	}
	for _, replicas := range lists {
		p := c.addPartition(t, replicas)
		p.end, p.start = 0, 0
		p.follow()
	}
	c.trace("topic %s grows to %d partitions", name, len(t.parts))
	return nil
}

// modelPartition returns the partition of n whose replica count new ones get: the first in Kafka's hash order, which
// was seen to be the last of 1, 3 and 6 and one in the middle of 20.
func modelPartition(n int) int {
	if n <= 6 {
		return n - 1
	}
	return n / 2
}

// Fill writes bytes into a partition at once. Replicas out of sync have to copy them.
func (c *Cluster) Fill(tp balance.TopicPartition, bytes int64) error {
	return c.onPartition(tp, func(p *partition) { p.grow(max(0, bytes)); p.follow() })
}

// SetRates changes what clients do with a partition.
func (c *Cluster) SetRates(tp balance.TopicPartition, r Rates) error {
	return c.onPartition(tp, func(p *partition) { p.rates = r })
}

// Stall stops a follower from fetching. It leaves the in-sync replicas after Config.LagTime, and until then its
// partition takes no writes. Unstall lets it fetch again. The leader's own replica cannot stall.
func (c *Cluster) Stall(tp balance.TopicPartition, broker int32) error {
	return c.onReplica(tp, broker, func(p *partition, l *log) error {
		if p.leader == broker {
			return fmt.Errorf("%v: broker %d leads it: stall a follower", tp, broker)
		}
		l.stalled, l.shrink = true, c.now+c.cfg.LagTime.Milliseconds()
		return nil
	})
}

// Unstall lets a stalled follower fetch again.
func (c *Cluster) Unstall(tp balance.TopicPartition, broker int32) error {
	return c.onReplica(tp, broker, func(p *partition, l *log) error {
		l.stalled, l.shrink = false, never
		return nil
	})
}

func (c *Cluster) onReplica(tp balance.TopicPartition, broker int32, f func(*partition, *log) error) error {
	var err error
	missing := c.onPartition(tp, func(p *partition) {
		if l := p.log(broker); l != nil {
			err = f(p, l)
		} else {
			err = fmt.Errorf("%v has no replica on broker %d", tp, broker)
		}
	})
	if missing != nil {
		return missing
	}
	return err
}

func (c *Cluster) onPartition(tp balance.TopicPartition, f func(*partition)) error {
	c.lock()
	defer c.mu.Unlock()
	p := c.partition(tp)
	if p == nil {
		return fmt.Errorf("%v does not exist", tp)
	}
	f(p)
	c.settle()
	return nil
}
