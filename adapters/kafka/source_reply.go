package kafka

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/balance"
	meter "github.com/kafka-pilot/pilot/internal/measure"
)

// hasty is how many times the patience with one broker a call may take that any broker can answer: the first gets half
// of it, the next half of what is left.
const hasty = 4

// reply is what one broker told in a round.
type reply struct {
	broker  int32
	ends    map[balance.TopicPartition]meter.Offsets
	seeds   map[balance.TopicPartition]meter.Seed
	sized   time.Time // when it told sizes
	sizes   []sizeOf  // nil: it did not
	grouped bool      // it told everything of the groups that it coordinates
	groups  []groupOffsets
	failed  error // why there is no more
}

// sizeOf is the size of one replica.
type sizeOf struct {
	balance.TopicPartition
	bytes int64
}

// ask asks all brokers side by side, but for those that were silent a short while ago.
func (s *Source) ask(ctx context.Context, q *questions) []reply {
	asked := slices.DeleteFunc(slices.Clone(q.alive), func(b int32) bool { return q.silent[b] })
	replies := make([]reply, len(asked))
	slots := make(chan struct{}, atOnce)
	var wait sync.WaitGroup
	for i, broker := range asked {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			replies[i] = s.askBroker(ctx, q, broker)
		})
	}
	wait.Wait()
	return replies
}

// askBroker asks one broker for all that it knows, one thing after the other until it fails. Sizes come directly after
// the ends of logs, because the two are compared.
func (s *Source) askBroker(ctx context.Context, q *questions, broker int32) reply {
	ctx, cancel := context.WithTimeout(ctx, s.config.Patience)
	defer cancel()
	call := func(f func(*sarama.Broker) error) error { return s.client.onBroker(ctx, broker, measure, f) }
	r := reply{broker: broker}
	led := q.led[broker]
	if len(led) > 0 {
		r.ends, r.failed = asked(call, func(b *sarama.Broker) (map[balance.TopicPartition]meter.Offsets, error) {
			return askEnds(b, broker, led)
		})
	}
	if q.sizes && r.failed == nil {
		r.sizes, r.failed = asked(call, askSizes)
		r.sized = time.Now()
	}
	if r.failed != nil {
		return r
	}
	r.groups, r.failed = asked(call, askGroups)
	r.grouped = r.failed == nil
	if led := q.seedable(broker); len(led) > 0 && r.grouped {
		r.seeds, _ = asked(call, func(b *sarama.Broker) (map[balance.TopicPartition]meter.Seed, error) {
			return askSeeds(b, led, q.at.Add(-s.config.Window))
		}) // without them it takes a little longer to know the rates
	}
	return r
}

// fill puts in what the broker told of partitions.
func (r *reply) fill(sample *meter.Sample, find func(balance.TopicPartition) *meter.Partition) {
	for tp, offsets := range r.ends {
		if p := find(tp); p != nil {
			p.Offsets = offsets
		}
	}
	for tp, seed := range r.seeds {
		if p := find(tp); p != nil {
			p.Seed = seed
		}
	}
	if r.sizes == nil {
		return
	}
	sample.Sized[r.broker] = r.sized
	for _, size := range r.sizes {
		if p := find(size.TopicPartition); p != nil {
			p.Sizes = append(p.Sizes, meter.Size{Broker: r.broker, Bytes: size.bytes})
		}
	}
}

// askSizes asks a broker for the size of each replica in its log directories that work. A copy on its way to another
// directory of the same broker does not count.
func askSizes(b *sarama.Broker) ([]sizeOf, error) {
	dirs, err := askLogDirs(b, nil)
	if err != nil {
		return nil, err
	}
	sizes := []sizeOf{}
	for _, dir := range dirs {
		for _, t := range dir.Topics {
			for _, p := range t.Partitions {
				if !p.IsTemporary {
					sizes = append(sizes, sizeOf{balance.TopicPartition{Topic: t.Topic, Partition: p.PartitionID}, p.Size})
				}
			}
		}
	}
	slices.SortFunc(sizes, func(a, b sizeOf) int { return cmp.Or(a.Compare(b.TopicPartition), cmp.Compare(b.bytes, a.bytes)) })
	return slices.CompactFunc(sizes, func(a, b sizeOf) bool { return a.TopicPartition == b.TopicPartition }), nil
}
