package sim

import (
	"context"
	"slices"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/safety"
)

// Read returns one reading: placement as metadata shows it, rates as they are set, sizes as they are now. Replicas
// that are being added and those on brokers that are down count at the size of the leader's.
func (c *Client) Read(ctx context.Context) (*balance.Cluster, error) {
	var reading *balance.Cluster
	err := c.call(ctx, Call{Op: OpRead}, func(e Effect) error {
		if e.Deny {
			return ErrDenied
		}
		reading = c.world.read()
		return nil
	})
	if err != nil {
		return nil, err
	}
	return reading, nil
}

func (c *Cluster) read() *balance.Cluster {
	r := &balance.Cluster{TakenAt: c.stamp()}
	for _, b := range c.brokers {
		state := balance.Active
		if b.fenced {
			state = balance.Unavailable
		}
		r.Brokers = append(r.Brokers, balance.Broker{ID: b.id, Host: b.host, Rack: b.rack, State: state})
	}
	for _, t := range c.seenTopics() {
		r.Topics = append(r.Topics, balance.Topic{
			Name: t.spec.Name, ID: t.uuid, Compacted: t.spec.Compacted, SegmentBytes: t.spec.SegmentBytes,
			MinISR: max(1, t.spec.MinISR), Internal: t.spec.Internal,
		})
		for _, p := range t.parts {
			if c.seenPartition(t.spec.Name, p.id) != nil {
				r.Partitions = append(r.Partitions, c.readPartition(p))
			}
		}
	}
	return r
}

func (c *Cluster) readPartition(p *partition) balance.Partition {
	i := c.seen(p)
	r := balance.Partition{
		Topic: p.topic.spec.Name, ID: p.id, Leader: i.leader,
		Replicas: slices.Clone(i.replicas), ISR: slices.Clone(i.isr), SizeBytes: p.leaderBytes(),
		ProduceMessages: p.rates.ProduceMessages, ProduceBytes: p.rates.ProduceBytes,
		ConsumeMessages: p.rates.ConsumeMessages, ConsumeBytes: p.rates.ConsumeBytes,
		Unmeasured: i.leader < 0,
	}
	if p.inFlight() && p.topic.deleted == never {
		r.Replicas = without(p.replicas, p.removing)
		r.Moving = &balance.Change{Adding: slices.Clone(p.adding), Removing: slices.Clone(p.removing)}
	}
	for _, b := range r.Replicas {
		size := r.SizeBytes
		if l := p.log(b); l != nil && c.broker(b).up() && !slices.Contains(p.adding, b) {
			size = p.bytes(l)
		}
		r.ReplicaBytes = append(r.ReplicaBytes, size)
	}
	return r
}

// Health looks at the cluster as it is now. Without a controller it says so and is no error.
func (c *Client) Health(ctx context.Context) (safety.Health, error) {
	var health safety.Health
	err := c.call(ctx, Call{Op: OpHealth}, func(e Effect) error {
		if e.Deny {
			return ErrDenied
		}
		health = c.world.health()
		return nil
	})
	if err != nil {
		return safety.Health{}, err
	}
	return health, nil
}

func (c *Cluster) health() safety.Health {
	h := safety.Health{At: c.stamp(), Controller: safety.ControllerHealthy, Alive: c.alive()}
	if c.controllerDown {
		h.Controller = safety.ControllerUnhealthy
	}
	for _, b := range c.brokers {
		h.Registered = append(h.Registered, b.id)
	}
	c.each(func(p *partition) {
		if p.inFlight() && !c.controllerDown {
			h.InFlight = append(h.InFlight, p.name())
		}
	})
	for _, t := range c.seenTopics() {
		for _, p := range t.parts {
			i := c.seen(p)
			want := without(i.replicas, p.adding)
			if p.created <= c.now-c.lag && len(i.isr) < len(want) {
				h.Shrunk = append(h.Shrunk, safety.ShrunkPartition{
					TopicPartition: p.name(), Replicas: len(want), InSync: len(i.isr), MinISR: p.minISR(), Out: outOf(want, i.isr),
				})
			}
		}
	}
	return h
}

// outOf returns the replicas that are not in sync, sorted.
func outOf(replicas, isr []int32) []int32 {
	var out []int32
	for _, b := range replicas {
		if !slices.Contains(isr, b) {
			out = append(out, b)
		}
	}
	slices.Sort(out)
	return out
}
