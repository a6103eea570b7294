package balance

import (
	"fmt"
	"math"
	"slices"
)

// maxRate and maxBytes bound what a reading may hold, so that sums stay exact: a thousand brokers at these values
// still add up. They are far beyond any broker.
const (
	maxRate  = 1e12    // messages or bytes per second of one partition
	maxBytes = 1 << 50 // bytes of one replica
	maxTotal = 1 << 60 // bytes of all replicas
)

// Validate reports the first thing in which the reading contradicts itself: the error names the broker or partition,
// the field, the value and what is wrong with it.
func (c *Cluster) Validate() error {
	if err := checkSize(len(c.Partitions)); err != nil {
		return err
	}
	for i := range c.Brokers {
		b := &c.Brokers[i]
		switch {
		case b.ID < 0:
			return fmt.Errorf("broker %d: id is negative", b.ID)
		case i > 0 && c.Brokers[i-1].ID == b.ID:
			return fmt.Errorf("broker %d: id appears twice", b.ID)
		case int(b.State) >= len(brokerStates):
			return fmt.Errorf("broker %d: state %d does not exist", b.ID, b.State)
		case i > 0 && c.Brokers[i-1].ID > b.ID:
			return fmt.Errorf("broker %d: brokers are not sorted by id: call Sort", b.ID)
		}
	}
	known := newBrokerIndex(c.Brokers)
	if err := c.validateTopics(); err != nil {
		return err
	}
	var total int64
	for i := range c.Partitions {
		p := &c.Partitions[i]
		if i > 0 {
			switch n := c.Partitions[i-1].Name().Compare(p.Name()); {
			case n == 0:
				return fmt.Errorf("partition %s: appears twice", p.Name())
			case n > 0:
				return fmt.Errorf("partition %s: partitions are not sorted by topic and id: call Sort", p.Name())
			}
		}
		if err := p.validate(&known); err != nil {
			return fmt.Errorf("partition %s: %w", p.Name(), err)
		}
		for k := range p.Replicas {
			total += p.ReplicaSize(k)
		}
		if total > maxTotal {
			return fmt.Errorf("partition %s: sizeBytes of all replicas up to this one add up to more than %d bytes: is the unit right?", p.Name(), int64(maxTotal))
		}
	}
	return nil
}

func (c *Cluster) validateTopics() error {
	for i := range c.Topics {
		t := &c.Topics[i]
		switch {
		case t.Name == "":
			return fmt.Errorf("topic %d in the list: name is empty", i)
		case i > 0 && c.Topics[i-1].Name == t.Name:
			return fmt.Errorf("topic %s: appears twice", t.Name)
		case i > 0 && c.Topics[i-1].Name > t.Name:
			return fmt.Errorf("topic %s: topics are not sorted by name: call Sort", t.Name)
		case t.SegmentBytes < 0:
			return fmt.Errorf("topic %s: segmentBytes %d is negative", t.Name, t.SegmentBytes)
		case t.MinISR < 0:
			return fmt.Errorf("topic %s: minInsyncReplicas %d is negative", t.Name, t.MinISR)
		}
	}
	return nil
}

func (p *Partition) validate(known *brokerIndex) error {
	switch {
	case p.Topic == "":
		return fmt.Errorf("topic is empty")
	case p.ID < 0:
		return fmt.Errorf("partition %d is negative", p.ID)
	case len(p.Replicas) == 0:
		return fmt.Errorf("replicas is empty: a partition has at least one")
	case len(p.ReplicaBytes) > 0 && len(p.ReplicaBytes) != len(p.Replicas):
		return fmt.Errorf("replicaBytes has %d numbers for %d replicas", len(p.ReplicaBytes), len(p.Replicas))
	}
	for i, b := range p.Replicas {
		if known.find(b) < 0 {
			return fmt.Errorf("replicas names broker %d, which is not among the brokers", b)
		}
		if slices.Contains(p.Replicas[:i], b) {
			return fmt.Errorf("replicas names broker %d twice", b)
		}
	}
	for _, b := range p.ISR {
		if !slices.Contains(p.Replicas, b) && !p.moves(b) {
			return fmt.Errorf("isr names broker %d, which is not a replica", b)
		}
	}
	if p.Leader != -1 && !slices.Contains(p.Replicas, p.Leader) && !p.moves(p.Leader) {
		return fmt.Errorf("leader %d is not among its replicas %v", p.Leader, p.Replicas)
	}
	return p.validateNumbers()
}

// moves reports whether broker b takes part in the reassignment in flight.
func (p *Partition) moves(b int32) bool {
	return p.Moving != nil && (slices.Contains(p.Moving.Removing, b) || slices.Contains(p.Moving.Adding, b))
}

func (p *Partition) validateNumbers() error {
	for _, r := range []struct {
		field string
		value float64
	}{
		{"produceMessages", p.ProduceMessages}, {"produceBytes", p.ProduceBytes},
		{"consumeMessages", p.ConsumeMessages}, {"consumeBytes", p.ConsumeBytes},
	} {
		if math.IsNaN(r.value) || r.value < 0 || r.value > maxRate {
			return fmt.Errorf("%s %g is not a rate between 0 and %g per second", r.field, r.value, float64(maxRate))
		}
	}
	if p.SizeBytes < 0 || p.SizeBytes > maxBytes {
		return fmt.Errorf("sizeBytes %d is not between 0 and %d", p.SizeBytes, int64(maxBytes))
	}
	for i, n := range p.ReplicaBytes {
		if n < 0 || n > maxBytes {
			return fmt.Errorf("replicaBytes[%d] %d is not between 0 and %d", i, n, int64(maxBytes))
		}
	}
	return nil
}
