package sim

import (
	"cmp"
	"context"
	"slices"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

// Look implements reassign.Executor. Adding, removing and, while a reassignment is in flight, the replicas come from
// the controller; the rest is metadata and may trail it.
func (c *Client) Look(ctx context.Context, q reassign.Query) (reassign.View, error) {
	var view reassign.View
	err := c.call(ctx, Call{Op: OpLook, Items: len(q.Partitions)}, func(e Effect) (err error) {
		view, err = c.world.look(q, e)
		return err
	})
	if err != nil {
		return reassign.View{}, err
	}
	return view, nil
}

func (c *Cluster) look(q reassign.Query, e Effect) (reassign.View, error) {
	if e.Deny {
		return reassign.View{}, ErrDenied
	}
	if c.controllerDown {
		return reassign.View{}, ErrNoController
	}
	v := reassign.View{At: c.stamp(), Alive: c.alive()}
	asked := make(map[balance.TopicPartition]bool, len(q.Partitions))
	for _, tp := range slices.Compact(slices.SortedFunc(slices.Values(q.Partitions), balance.TopicPartition.Compare)) {
		asked[tp] = true
		if live, ok := c.live(tp, q.Sizes); ok {
			v.Partitions = append(v.Partitions, live)
		} else {
			v.Missing = append(v.Missing, tp)
		}
	}
	c.each(func(p *partition) {
		if p.inFlight() && !asked[p.name()] {
			v.Foreign = append(v.Foreign, p.name())
		}
	})
	return v, nil
}

func (c *Cluster) alive() []int32 {
	var alive []int32
	for _, b := range c.brokers {
		if !b.fenced {
			alive = append(alive, b.id)
		}
	}
	return alive
}

// live joins metadata with the controller's list, as a client has to.
func (c *Cluster) live(tp balance.TopicPartition, sizes bool) (reassign.Live, bool) {
	p := c.seenPartition(tp.Topic, tp.Partition)
	if p == nil {
		return reassign.Live{}, false
	}
	i := c.seen(p)
	l := reassign.Live{
		TopicPartition: tp, TopicID: p.topic.uuid, Leader: i.leader,
		Replicas: slices.Clone(i.replicas), ISR: slices.Clone(i.isr), MinISR: int32(p.minISR()),
	}
	if listed := c.partition(tp); listed != nil && listed.inFlight() {
		l.Replicas = slices.Clone(listed.replicas)
		l.Adding, l.Removing = slices.Clone(listed.adding), slices.Clone(listed.removing)
	}
	if sizes {
		l.Sizes = c.sizes(tp)
	}
	return l, true
}

// sizes asks the brokers that answer what they hold of a partition.
func (c *Cluster) sizes(tp balance.TopicPartition) []reassign.ReplicaSize {
	p := c.partition(tp)
	if p == nil {
		return nil
	}
	var sizes []reassign.ReplicaSize
	for _, l := range p.logs {
		if c.broker(l.broker).up() {
			sizes = append(sizes, reassign.ReplicaSize{Broker: l.broker, Bytes: p.bytes(l)})
		}
	}
	slices.SortFunc(sizes, func(a, b reassign.ReplicaSize) int { return cmp.Compare(a.Broker, b.Broker) })
	return sizes
}

// Submit implements reassign.Executor. Beyond 10,000 partitions the rest comes back as CodeUnknown and is not done.
func (c *Client) Submit(ctx context.Context, targets []reassign.Target) ([]reassign.Outcome, error) {
	name := func(i int) balance.TopicPartition { return targets[i].TopicPartition }
	return c.control(ctx, OpSubmit, len(targets), name, func(i int) (reassign.Code, string) {
		return c.world.alter(targets[i].TopicPartition, targets[i].Replicas)
	})
}

// Elect implements reassign.Executor.
func (c *Client) Elect(ctx context.Context, partitions []balance.TopicPartition) ([]reassign.Outcome, error) {
	name := func(i int) balance.TopicPartition { return partitions[i] }
	return c.control(ctx, OpElect, len(partitions), name, func(i int) (reassign.Code, string) {
		p := c.world.partition(partitions[i])
		if p == nil {
			return reassign.CodeMissing, "no such topic or partition"
		}
		if !c.world.preferred(p) {
			return reassign.CodeNotInSync, "the first replica is down or not in sync"
		}
		return reassign.CodeOK, ""
	})
}

// Cancel implements reassign.Executor.
func (c *Client) Cancel(ctx context.Context, partitions []balance.TopicPartition) ([]reassign.Outcome, error) {
	name := func(i int) balance.TopicPartition { return partitions[i] }
	return c.control(ctx, OpCancel, len(partitions), name, func(i int) (reassign.Code, string) {
		return c.world.cancel(partitions[i])
	})
}

// control sends a call that the controller has to answer, item by item.
func (c *Client) control(ctx context.Context, op Op, n int, name func(int) balance.TopicPartition,
	act func(int) (reassign.Code, string)) ([]reassign.Outcome, error) {
	var outcomes []reassign.Outcome
	err := c.call(ctx, Call{Op: op, Items: n}, func(e Effect) error {
		if c.world.controllerDown {
			return ErrNoController
		}
		outcomes = e.each(n, name, func(i int) (reassign.Code, string) {
			if i >= mostRecords {
				return reassign.CodeUnknown, "too many in one request: send it again"
			}
			return act(i)
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return outcomes, nil
}
