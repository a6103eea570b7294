package kafka

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

// rereads are the pauses before metadata that trails the controller is read again, from another broker each time.
var rereads = []time.Duration{50 * time.Millisecond, 150 * time.Millisecond, 400 * time.Millisecond}

// sight is what one broker said in one go. What is in flight comes from the controller through it, the rest is its own
// metadata.
type sight struct {
	at      time.Time
	brokers []brokerInfo
	listed  listing
	topics  map[string]*sarama.TopicMetadata
}

// partition returns what metadata says of a partition, nil when there is none.
func (s *sight) partition(tp balance.TopicPartition) *sarama.PartitionMetadata {
	if t := s.topics[tp.Topic]; t != nil {
		for _, p := range t.Partitions {
			if p.ID == tp.Partition {
				return p
			}
		}
	}
	return nil
}

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

// glance asks one broker for everything, the controller's list first: what follows is never older than it by more
// than the broker trails.
func (x *Executor) glance(ctx context.Context, try int, counts map[string]int32, topics []string) (*sight, error) {
	var s *sight
	err := x.client.onAnyFrom(ctx, control, try, func(b *sarama.Broker) error {
		next := &sight{topics: map[string]*sarama.TopicMetadata{}}
		var err error
		if next.listed, err = askListing(b, counts); err != nil {
			return err
		}
		next.at = time.Now()
		if next.brokers, err = askCluster(b); err != nil {
			return err
		}
		for part := range slices.Chunk(topics, batch) {
			answer, err := askMetadata(b, part)
			if err != nil {
				return err
			}
			if err := next.add(answer.Topics); err != nil {
				return err
			}
		}
		s = next
		return nil
	})
	if err == nil {
		x.client.learn(s.brokers)
	}
	return s, err
}

func (s *sight) add(topics []*sarama.TopicMetadata) error {
	for _, t := range topics {
		switch t.Err {
		case sarama.ErrUnknownTopicOrPartition, sarama.ErrInvalidTopic:
		case sarama.ErrTopicAuthorizationFailed:
			return denied(fmt.Sprintf("DESCRIBE on topic %q", t.Name), t.Err)
		default: // of no concern here, for example that a partition has no leader
			s.topics[t.Name] = t
		}
	}
	return nil
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

// view is the sight of the partitions asked about.
func (s *sight) view(asked []balance.TopicPartition) reassign.View {
	v := reassign.View{At: s.at, Alive: alive(s.brokers)}
	mine := map[balance.TopicPartition]bool{}
	for _, tp := range asked {
		mine[tp] = true
		p := s.partition(tp)
		if p == nil {
			v.Missing = append(v.Missing, tp)
			continue
		}
		l := reassign.Live{
			TopicPartition: tp, TopicID: s.topics[tp.Topic].Uuid.String(),
			Leader: p.Leader, Replicas: p.Replicas, ISR: p.Isr,
		}
		if status := s.listed[tp]; status != nil {
			l.Replicas, l.Adding, l.Removing = status.Replicas, status.AddingReplicas, status.RemovingReplicas
		}
		v.Partitions = append(v.Partitions, l)
	}
	v.Foreign = s.listed.sorted(mine)
	return v
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

// measure adds the sizes of the replicas on the brokers that answer.
func (x *Executor) measure(ctx context.Context, partitions []reassign.Live, brokers []brokerInfo) error {
	hosted := map[int32][]balance.TopicPartition{}
	at := map[balance.TopicPartition]*reassign.Live{}
	up := alive(brokers)
	for i := range partitions {
		l := &partitions[i]
		at[l.TopicPartition] = l
		for _, b := range l.Replicas {
			if slices.Contains(up, b) {
				hosted[b] = append(hosted[b], l.TopicPartition)
			}
		}
	}
	answers := askEach(ctx, x.client, slices.Sorted(maps.Keys(hosted)), control, brokerPatience,
		func(b *sarama.Broker, id int32) ([]sarama.DescribeLogDirsResponseDirMetadata, error) {
			return askLogDirs(b, hosted[id])
		})
	var lacks *DeniedError
	for _, a := range answers {
		if errors.As(a.err, &lacks) || ctx.Err() != nil {
			return a.err
		}
		addSizes(at, a.broker, a.value)
	}
	return nil
}
