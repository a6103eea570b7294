package kafka

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/IBM/sarama"
)

// inventory knows the topics and their numbers of partitions, to name them all to the controller. It is read anew when
// it is older than freshFor and than twenty times what reading it took: on a cluster of a hundred thousand partitions
// that is a second's work for a broker.
type inventory struct {
	mu      sync.Mutex
	counts  map[string]int32
	freshAt time.Time // until when it is fresh
	sighted bool      // no topic is hidden from this user
}

const freshFor = 10 * time.Second

// known returns the partition count of every topic. The map is the caller's.
func (x *Executor) known(ctx context.Context) (map[string]int32, error) {
	i := &x.topics
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.counts != nil && time.Now().Before(i.freshAt) {
		return maps.Clone(i.counts), nil
	}
	began := time.Now()
	answer, err := x.client.metadata(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading all topics: %w", err)
	}
	counts := map[string]int32{}
	for _, t := range answer.Topics {
		for _, p := range t.Partitions {
			counts[t.Name] = max(counts[t.Name], p.ID+1)
		}
	}
	if !i.sighted {
		if err := x.seesAll(ctx, counts); err != nil {
			return nil, err
		}
		i.sighted = true
	}
	i.counts, i.freshAt = counts, time.Now().Add(max(freshFor, 20*time.Since(began)))
	return maps.Clone(counts), nil
}

// seesAll finds out whether topics are hidden from this user: metadata leaves out what it may not describe, without an
// error, and so "nothing in flight" would mean nothing. What the brokers have on disk is shown in whole.
func (x *Executor) seesAll(ctx context.Context, counts map[string]int32) error {
	brokers, err := x.client.describeCluster(ctx)
	if err != nil {
		return err
	}
	hidden := map[string]bool{}
	answers := askEach(ctx, x.client, alive(brokers), measure, patience[measure], func(b *sarama.Broker, _ int32) ([]sarama.DescribeLogDirsResponseDirMetadata, error) {
		return askLogDirs(b, nil)
	})
	for _, a := range answers {
		var lacks *DeniedError
		if errors.As(a.err, &lacks) {
			return a.err
		}
		for _, dir := range a.value {
			for _, t := range dir.Topics {
				if _, seen := counts[t.Topic]; !seen {
					hidden[t.Topic] = true
				}
			}
		}
	}
	for part := range slices.Chunk(slices.Sorted(maps.Keys(hidden)), batch) {
		err := x.client.onAny(ctx, measure, func(b *sarama.Broker) error {
			answer, err := askMetadata(b, part)
			if err != nil {
				return err
			}
			for _, t := range answer.Topics {
				if t.Err == sarama.ErrTopicAuthorizationFailed {
					return denied(fmt.Sprintf("DESCRIBE on topic %q, and perhaps on others", t.Name), t.Err)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
