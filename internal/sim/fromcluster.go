package sim

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/kafka-pilot/pilot/balance"
)

// FromCluster makes a cluster that reads as r does: brokers, placement, sizes, rates and what is in flight. Brokers
// that are unavailable are down and fenced; maintenance is a notion of ours that Kafka does not know, so such brokers
// are up. A copy in flight begins anew. A partition without in-sync replicas given has all that are up in sync. Config.Start is not used: virtual
// time begins at r.TakenAt unless that is zero.
func FromCluster(r *balance.Cluster, cfg Config) (*Cluster, error) {
	if !r.TakenAt.IsZero() {
		cfg.Start = r.TakenAt
	}
	c := New(cfg)
	for _, b := range r.Brokers {
		if err := c.addBroker(b, b.State != balance.Unavailable); err != nil {
			return nil, err
		}
	}
	for _, t := range r.Topics {
		if c.byName[t.Name] != nil {
			return nil, fmt.Errorf("topic %s is listed twice", t.Name)
		}
		c.insertTopic(c.topicFrom(t))
	}
	partitions := slices.Clone(r.Partitions)
	slices.SortStableFunc(partitions, func(a, b balance.Partition) int { return a.Name().Compare(b.Name()) })
	for i := range partitions {
		if err := c.addFrom(&partitions[i]); err != nil {
			return nil, fmt.Errorf("%v: %w", partitions[i].Name(), err)
		}
	}
	c.settle()
	return c, nil
}

func (c *Cluster) topicFrom(t balance.Topic) *topic {
	spec := TopicSpec{Name: t.Name, MinISR: t.MinISR, SegmentBytes: t.SegmentBytes, Compacted: t.Compacted, Internal: t.Internal}
	return &topic{spec: spec, uuid: cmp.Or(t.ID, c.newID()), deleted: never}
}

// addFrom adds one partition; those of a topic come in order.
func (c *Cluster) addFrom(r *balance.Partition) error {
	t := c.byName[r.Topic]
	if t == nil {
		t = c.topicFrom(balance.Topic{Name: r.Topic})
		c.insertTopic(t)
	}
	if int(r.ID) != len(t.parts) {
		return fmt.Errorf("partitions are numbered from 0 without gaps, and the next is %d", len(t.parts))
	}
	p := &partition{topic: t, id: r.ID, leader: r.Leader, replicas: r.Replicas, isr: r.ISR, end: r.LeaderSize()}
	if r.Moving != nil {
		p.adding, p.removing = r.Moving.Adding, r.Moving.Removing
		p.replicas = slices.Concat(r.Replicas, without(p.removing, r.Replicas))
	}
	if why := c.badTarget(p.replicas); why != "" {
		return errors.New(why)
	}
	if !containsAll(p.replicas, p.isr) {
		return fmt.Errorf("in-sync replicas %v are not all among the replicas %v", p.isr, p.replicas)
	}
	c.completeFrom(p)
	p.rates = Rates{r.ProduceMessages, r.ProduceBytes, r.ConsumeMessages, r.ConsumeBytes}
	if c.cfg.HoldSizes {
		p.retention = max(1, p.end)
	}
	p.fitLogs()
	p.follow()
	for i, b := range r.Replicas {
		switch l := p.log(b); {
		case p.inSync(b):
			l.extra = r.ReplicaSize(i) - p.end
		case !slices.Contains(p.adding, b): // an adding one begins anew: a reading counts it at its final size
			l.end = max(0, min(p.end-1, r.ReplicaSize(i)))
		}
	}
	t.parts = append(t.parts, p)
	return nil
}

// completeFrom fills in the in-sync replicas and the leader where a reading leaves them open or they are down.
func (c *Cluster) completeFrom(p *partition) {
	down := func(b int32) bool { return !c.broker(b).up() }
	if len(p.isr) == 0 {
		p.isr = without(p.replicas, p.adding)
	}
	lost := p.isr
	p.isr = slices.DeleteFunc(slices.Clone(p.isr), down)
	p.eligible = nil
	if len(p.isr) == 0 {
		p.eligible = slices.Sorted(slices.Values(lost))
	}
	if !p.inSync(p.leader) {
		p.leader = c.elect(p, p.change(), p.eligible)
	}
}
