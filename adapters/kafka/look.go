package kafka

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

// rereads are the pauses before metadata that trails the controller is read again, from another broker each time.
var rereads = []time.Duration{50 * time.Millisecond, 150 * time.Millisecond, 400 * time.Millisecond}

// Look implements reassign.Executor. The partitions of q are read afresh. What else is in flight is asked of the
// controller for all topics that were known up to ten seconds ago, on a very large cluster somewhat longer; so a
// reassignment of a topic that has just been created may be missing from View.Foreign that long.
//
// Where the controller has finished with a partition and the metadata of a broker does not show that yet, Look asks
// others for up to a second. A partition is missing only when two answers say so.
func (x *Executor) Look(ctx context.Context, q reassign.Query) (reassign.View, error) {
	asked := slices.Compact(slices.SortedFunc(slices.Values(q.Partitions), balance.TopicPartition.Compare))
	s, err := x.see(ctx, asked)
	if err != nil {
		return reassign.View{}, fmt.Errorf("looking at the cluster: %w", err)
	}
	view := s.view(asked)
	names := topicsOf(view.Partitions)
	least, err := x.minISR(ctx, names)
	if err != nil {
		return reassign.View{}, fmt.Errorf("reading min.insync.replicas: %w", err)
	}
	for i := range view.Partitions {
		l := &view.Partitions[i]
		l.MinISR = least[l.Topic]
	}
	if q.Sizes {
		if err := x.measure(ctx, view.Partitions, s.brokers); err != nil {
			return reassign.View{}, fmt.Errorf("reading sizes: %w", err)
		}
	}
	return view, nil
}

// see looks until metadata and the controller agree, or the patience for that is used up.
func (x *Executor) see(ctx context.Context, asked []balance.TopicPartition) (*sight, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	counts, err := x.known(ctx)
	if err != nil {
		return nil, err
	}
	for _, tp := range asked {
		counts[tp.Topic] = max(counts[tp.Topic], tp.Partition+1)
	}
	topics := slices.Compact(names(asked))
	for try := 0; ; try++ {
		s, err := x.glance(ctx, try, counts, topics)
		if err != nil {
			return nil, err
		}
		trailing, unlisted := x.trailing(s, asked, try > 0)
		if len(trailing) == 0 {
			return s, nil
		}
		if try == len(rereads) {
			if unlisted {
				return nil, fmt.Errorf("no broker knows yet of partitions that are being reassigned, for example %v", trailing[0])
			}
			for _, tp := range trailing {
				x.ends.forget(tp)
			}
			return s, nil
		}
		if err := pause(ctx, rereads[try]); err != nil {
			return nil, err
		}
	}
}

// trailing returns the partitions of which metadata is older than the controller's list. unlisted means that it does
// not know some of those in flight at all. That one is missing is believed the second time.
func (x *Executor) trailing(s *sight, asked []balance.TopicPartition, again bool) (trailing []balance.TopicPartition, unlisted bool) {
	for _, tp := range asked {
		p, status := s.partition(tp), s.listed[tp]
		switch {
		case status != nil:
			x.ends.listed(tp, status)
			if p == nil {
				trailing, unlisted = append(trailing, tp), true
			}
		case p == nil:
			if !again {
				trailing = append(trailing, tp)
			}
		case x.ends.trails(tp, p.Replicas):
			trailing = append(trailing, tp)
		}
	}
	return trailing, unlisted
}

// minISR returns the effective min.insync.replicas by topic; 0 where it may not be read.
func (x *Executor) minISR(ctx context.Context, topics []string) (map[string]int32, error) {
	least := map[string]int32{}
	configs, err := x.topicConfigs(ctx, topics, []string{minISRKey})
	if err != nil {
		return nil, err
	}
	for topic, c := range configs {
		least[topic] = c.int32(minISRKey)
	}
	return least, nil
}

func names(partitions []balance.TopicPartition) []string {
	topics := make([]string, len(partitions))
	for i, tp := range partitions {
		topics[i] = tp.Topic
	}
	return topics
}

func topicsOf(partitions []reassign.Live) []string {
	topics := map[string]bool{}
	for i := range partitions {
		topics[partitions[i].Topic] = true
	}
	return slices.Sorted(maps.Keys(topics))
}

// pause waits, unless the context ends.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
