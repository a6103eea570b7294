package kafkatest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/IBM/sarama"
)

const joinTime = time.Minute

// reader is one consumer group of a load, and sarama's handler for it.
type reader struct {
	group  Group
	load   uint64
	member sarama.ConsumerGroup
	seen   map[string]map[int32]*sequence // filled before the group starts, then only read

	joined    chan struct{}
	joinOnce  sync.Once
	stop      context.CancelFunc
	consuming sync.WaitGroup
}

// newReader puts the group at the end of its topics and starts it, before the first record of the load exists.
func (l *Load) newReader(c *Cluster, g Group) (*reader, error) {
	r := &reader{group: g, load: l.id, joined: make(chan struct{}), seen: map[string]map[int32]*sequence{}}
	for _, topic := range g.Topics {
		r.seen[topic] = map[int32]*sequence{}
		for _, s := range l.topic(topic).streams {
			r.seen[topic][s.Partition] = &sequence{lastOffset: -1}
		}
	}
	// A coordinator that has just been elected refuses commits while it reads its log.
	err := c.await("group "+g.Name+" stands at the end of its topics", func() error {
		return c.admin(func(a sarama.ClusterAdmin) error { return moveToEnd(a, g) })
	})
	if err != nil {
		return nil, err
	}
	config := client()
	config.Consumer.Offsets.Initial = sarama.OffsetOldest // used only for partitions added later
	config.Consumer.MaxWaitTime = 250 * time.Millisecond
	config.Net.ReadTimeout = 15 * time.Second
	if r.member, err = sarama.NewConsumerGroup(c.runningBootstrap(), g.Name, config); err != nil {
		return nil, err
	}
	var ctx context.Context
	ctx, r.stop = context.WithCancel(context.Background())
	r.consuming.Go(func() { r.consume(ctx) })
	return r, nil
}

func moveToEnd(a sarama.ClusterAdmin, g Group) error {
	topics, err := a.DescribeTopics(g.Topics)
	if err != nil {
		return err
	}
	ask := map[string]map[int32]int64{}
	for _, t := range topics {
		ask[t.Name] = map[int32]int64{}
		for _, p := range t.Partitions {
			ask[t.Name][p.ID] = sarama.OffsetNewest
		}
	}
	ends, err := a.ListOffsets(ask, nil)
	if err != nil {
		return err
	}
	commit := map[string]map[int32]sarama.OffsetAndMetadata{}
	for topic, partitions := range ends {
		commit[topic] = map[int32]sarama.OffsetAndMetadata{}
		for p, end := range partitions {
			if end.Err != sarama.ErrNoError {
				return fmt.Errorf("end of %s-%d: %w", topic, p, end.Err)
			}
			commit[topic][p] = sarama.OffsetAndMetadata{Offset: end.Offset, LeaderEpoch: -1}
		}
	}
	answer, err := a.AlterConsumerGroupOffsets(g.Name, commit, nil)
	if err != nil {
		return err
	}
	for topic, partitions := range answer.Errors {
		for p, code := range partitions {
			if code != sarama.ErrNoError {
				return fmt.Errorf("commit %s-%d: %w", topic, p, code)
			}
		}
	}
	return nil
}

// consume joins again after every rebalance and every error, which a dead coordinator makes inevitable.
func (r *reader) consume(ctx context.Context) {
	for ctx.Err() == nil {
		if err := r.member.Consume(ctx, r.group.Topics, r); err != nil && pause(ctx, 250*time.Millisecond) != nil {
			return
		}
	}
}

func (r *reader) awaitJoin() error {
	select {
	case <-r.joined:
		return nil
	case <-time.After(joinTime):
		return fmt.Errorf("group %s has no partitions after %v", r.group.Name, joinTime)
	}
}

// Setup is called by sarama when the member has its partitions.
func (r *reader) Setup(sarama.ConsumerGroupSession) error {
	r.joinOnce.Do(func() { close(r.joined) })
	return nil
}

// Cleanup is called by sarama before a rebalance.
func (r *reader) Cleanup(sarama.ConsumerGroupSession) error { return nil }

// ConsumeClaim is called by sarama once for each partition of a session.
func (r *reader) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	s := r.seen[claim.Topic()][claim.Partition()]
	for {
		select {
		case <-session.Context().Done():
			return nil
		case m, ok := <-claim.Messages():
			if !ok {
				return nil
			}
			if number, ours := numberOf(m.Value, r.load); ours && s != nil {
				s.read(m.Offset, number)
			}
			session.MarkMessage(m, "")
		}
	}
}

// finish waits for the last record of every stream, leaves the group and adds its counts to the result.
func (r *reader) finish(topics []*topicLoad, deadline time.Time, result *LoadResult) error {
	ctx, cancel := context.WithDeadline(context.Background(), deadline)
	defer cancel()
	for !r.reached(topics) && pause(ctx, pollTime) == nil {
	}
	r.stop()
	err := r.member.Close()
	r.consuming.Wait()
	for _, t := range topics {
		for _, s := range t.streams {
			if q := r.seen[t.name][s.Partition]; q != nil {
				q.finish(s.sent)
				result.Consumed += q.consumed
				result.Gaps += q.gaps
				result.Duplicates += q.duplicates
				result.Redelivered += q.redelivered
			}
		}
	}
	if errors.Is(err, sarama.ErrClosedClient) {
		return nil
	}
	return err
}

func (r *reader) reached(topics []*topicLoad) bool {
	for _, t := range topics {
		for _, s := range t.streams {
			if q := r.seen[t.name][s.Partition]; q != nil && !q.reached(s.sent) {
				return false
			}
		}
	}
	return true
}
