package kafka

import (
	"context"
	"time"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/balance"
	meter "github.com/kafka-pilot/pilot/internal/measure"
)

// surroundings is the whole cluster as one broker shows it. What is in flight comes from the controller through it, the
// rest is its own metadata.
type surroundings struct {
	at       time.Time
	brokers  []brokerInfo
	topics   []*sarama.TopicMetadata
	listed   listing
	trailing map[balance.TopicPartition]bool // partitions that look older than what is known of them
}

// sightedAs is what a reading showed of a partition.
type sightedAs struct {
	replicas int
	epoch    int32
}

// lookAround looks at the whole cluster. Metadata of a broker trails the controller's list, by seconds when the broker
// is busy: a partition that seems to have more replicas than before though it is not in flight has been moved just
// now. Others are asked then, for up to a second.
func (s *Source) lookAround(ctx context.Context) (*surroundings, error) {
	ctx, cancel := context.WithTimeout(ctx, hasty*s.config.Patience)
	defer cancel()
	for try := 0; ; try++ {
		seen, err := s.glanceAround(ctx, try)
		if err != nil {
			return nil, err
		}
		if s.compare(seen); len(seen.trailing) == 0 || try == len(rereads) {
			s.remember(seen)
			return seen, nil
		}
		if err := pause(ctx, rereads[try]); err != nil {
			return nil, err
		}
	}
}

// glanceAround asks one broker for everything, the controller's list first: what follows is never older than it by
// more than the broker trails. Topics that were not known before make it do so again.
func (s *Source) glanceAround(ctx context.Context, try int) (*surroundings, error) {
	counts := s.knownTopics()
	call := func(f func(*sarama.Broker) error) error { return s.client.onAnyFrom(ctx, measure, try, f) }
	seen, err := asked(call, func(b *sarama.Broker) (*surroundings, error) {
		seen, counts := &surroundings{at: time.Now().UTC()}, counts
		for again := true; again; {
			var err error
			if seen.listed, err = askListing(b, counts); err != nil {
				return nil, err
			}
			if err = seen.askMetadata(b); err != nil {
				return nil, err
			}
			counts, again = countPartitions(seen.topics, counts)
		}
		return seen, seen.askBrokers(b)
	})
	if err == nil {
		s.client.learn(seen.brokers)
	}
	return seen, err
}

// inspect asks one broker for all brokers and topics.
func (s *Source) inspect(ctx context.Context, p purpose) (*surroundings, error) {
	call := func(f func(*sarama.Broker) error) error { return s.client.onAny(ctx, p, f) }
	seen, err := asked(call, func(b *sarama.Broker) (*surroundings, error) {
		seen := &surroundings{at: time.Now().UTC()}
		if err := seen.askMetadata(b); err != nil {
			return nil, err
		}
		return seen, seen.askBrokers(b)
	})
	if err == nil {
		s.client.learn(seen.brokers)
	}
	return seen, err
}

func (seen *surroundings) askMetadata(b *sarama.Broker) error {
	answer, err := askMetadata(b, nil)
	if err == nil {
		seen.topics = answer.Topics
	}
	return err
}

func (seen *surroundings) askBrokers(b *sarama.Broker) (err error) {
	seen.brokers, err = askCluster(b)
	return err
}

func (s *Source) knownTopics() map[string]int32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts
}

// countPartitions returns how many partitions each topic has, and whether some of them were not known before.
func countPartitions(topics []*sarama.TopicMetadata, before map[string]int32) (counts map[string]int32, more bool) {
	counts = make(map[string]int32, len(topics))
	for _, t := range topics {
		for _, p := range t.Partitions {
			counts[t.Name] = max(counts[t.Name], p.ID+1)
		}
		more = more || counts[t.Name] > before[t.Name]
	}
	return counts, more
}

// compare finds the partitions that look older than in the reading before.
func (s *Source) compare(seen *surroundings) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen.trailing = map[balance.TopicPartition]bool{}
	seen.each(func(tp balance.TopicPartition, key meter.Key, p *sarama.PartitionMetadata) {
		before, known := s.sighted[key]
		if known && seen.listed[tp] == nil && (len(p.Replicas) > before.replicas || p.LeaderEpoch < before.epoch) {
			seen.trailing[tp] = true
		}
	})
}

// remember keeps what the next reading is compared with. A partition in flight counts with the replicas that it is to
// have.
func (s *Source) remember(seen *surroundings) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sighted = make(map[meter.Key]sightedAs, len(s.sighted))
	seen.each(func(tp balance.TopicPartition, key meter.Key, p *sarama.PartitionMetadata) {
		n := len(p.Replicas)
		if status := seen.listed[tp]; status != nil {
			n = max(len(status.Replicas)-len(status.RemovingReplicas), len(status.Replicas)-len(status.AddingReplicas))
		}
		s.sighted[key] = sightedAs{n, p.LeaderEpoch}
	})
	s.counts, _ = countPartitions(seen.topics, nil)
}

// each visits all partitions.
func (seen *surroundings) each(visit func(balance.TopicPartition, meter.Key, *sarama.PartitionMetadata)) {
	for _, t := range seen.topics {
		for _, p := range t.Partitions {
			visit(balance.TopicPartition{Topic: t.Name, Partition: p.ID}, meter.Key{Topic: meter.TopicID(t.Uuid), Partition: p.ID}, p)
		}
	}
}
