package kafka

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

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

// glance asks one broker for everything, the controller's list first: what follows is never older than it by more
// than the broker trails.
func (x *Executor) glance(ctx context.Context, try int, counts map[string]int32, topics []string) (*sight, error) {
	call := func(f func(*sarama.Broker) error) error { return x.client.onAnyFrom(ctx, control, try, f) }
	s, err := asked(call, func(b *sarama.Broker) (*sight, error) {
		next := &sight{topics: map[string]*sarama.TopicMetadata{}}
		var err error
		if next.listed, err = askListing(b, counts); err != nil {
			return nil, err
		}
		next.at = time.Now()
		if next.brokers, err = askCluster(b); err != nil {
			return nil, err
		}
		for part := range slices.Chunk(topics, batch) {
			answer, err := askMetadata(b, part)
			if err != nil {
				return nil, err
			}
			if err := next.add(answer.Topics); err != nil {
				return nil, err
			}
		}
		return next, nil
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
