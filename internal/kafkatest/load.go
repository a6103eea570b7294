package kafkatest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/IBM/sarama"
)

// drainTime is how long Load.Stop waits for consumers to read what was acknowledged.
const drainTime = time.Minute

// Stream is the steady traffic into one partition.
type Stream struct {
	Topic     string
	Partition int32
	Messages  float64 // per second, more than 0
	Bytes     float64 // per second, the records' values; a value has at least 16 bytes
}

// Streams is the same traffic for partitions 0 to n-1 of a topic.
func Streams(topic string, n int, messages, bytes float64) []Stream {
	all := make([]Stream, n)
	for p := range all {
		all[p] = Stream{Topic: topic, Partition: int32(p), Messages: messages, Bytes: bytes}
	}
	return all
}

// Group is a consumer group of one member that reads whole topics, each of which needs at least one stream.
type Group struct {
	Name   string
	Topics []string
}

// LoadConfig is what a load produces and who reads it.
type LoadConfig struct {
	Streams []Stream
	Groups  []Group
}

// LoadResult counts records over the whole time of a load. In a cluster that works there are no ProducerErrors, Gaps or
// Duplicates, and Consumed is Produced times the number of groups that read each record.
type LoadResult struct {
	Produced       int64   // acknowledged by the whole in-sync set
	ProducerErrors int64   // given up by the producer, after a minute of retries if it can be retried
	Consumed       int64   // read for the first time, by all groups together
	Gaps           int64   // numbers a group never saw although a later one came, or the load ended
	Duplicates     int64   // records that are in the log twice
	Redelivered    int64   // records a group read again after a rebalance; this is not an error
	FirstErrors    []error // the first few errors of producers
}

// Load is traffic in the background, from StartLoad to Stop.
type Load struct {
	id       uint64
	stop     context.CancelFunc
	stopping context.Context
	kafka    sarama.Client
	topics   []*topicLoad
	readers  []*reader

	once   sync.Once
	result LoadResult
	err    error
}

// StartLoad begins to produce and consume, and returns once all groups have their partitions. Every producer is
// idempotent and waits for the whole in-sync set. A stream that was held up, for instance by a missing leader, makes up
// for at most one second of the time it lost. At the test's end a load must be stopped before its cluster is.
func (c *Cluster) StartLoad(config LoadConfig) (*Load, error) {
	if err := config.check(); err != nil {
		return nil, fmt.Errorf("start load: %w", err)
	}
	l := &Load{id: rand.Uint64()}
	l.stopping, l.stop = context.WithCancel(context.Background())
	if err := l.start(c, config); err != nil {
		_, stopErr := l.Stop()
		return nil, errors.Join(fmt.Errorf("start load: %w", err), stopErr)
	}
	return l, nil
}

func (config LoadConfig) check() error {
	for _, s := range config.Streams {
		if s.Messages <= 0 || s.Bytes < 0 {
			return fmt.Errorf("stream %s-%d has %g messages and %g bytes a second: give more than 0 messages", s.Topic, s.Partition, s.Messages, s.Bytes)
		}
	}
	for _, g := range config.Groups {
		for _, topic := range g.Topics {
			if !slices.ContainsFunc(config.Streams, func(s Stream) bool { return s.Topic == topic }) {
				return fmt.Errorf("group %s reads topic %s, which no stream writes", g.Name, topic)
			}
		}
	}
	return nil
}

func (l *Load) start(c *Cluster, config LoadConfig) (err error) {
	for _, s := range config.Streams {
		l.topic(s.Topic).add(s)
	}
	for _, g := range config.Groups {
		r, err := l.newReader(c, g)
		if err != nil {
			return fmt.Errorf("group %s: %w", g.Name, err)
		}
		l.readers = append(l.readers, r)
	}
	for _, r := range l.readers {
		if err := r.awaitJoin(); err != nil {
			return err
		}
	}
	if l.kafka, err = sarama.NewClient(c.runningBootstrap(), exactlyOnce()); err != nil {
		return err
	}
	for _, t := range l.topics {
		if err := t.start(l.stopping, l.kafka, l.id); err != nil {
			return fmt.Errorf("topic %s: %w", t.name, err)
		}
	}
	return nil
}

func (l *Load) topic(name string) *topicLoad {
	for _, t := range l.topics {
		if t.name == name {
			return t
		}
	}
	t := &topicLoad{name: name}
	l.topics = append(l.topics, t)
	return t
}

// Stop ends production, waits until every group has read what was produced, for a minute at most, and returns the
// counts. What is missing then is counted as gaps. Stopping again returns the same.
func (l *Load) Stop() (LoadResult, error) {
	l.once.Do(func() {
		l.stop()
		for _, t := range l.topics {
			t.finish(&l.result)
		}
		deadline := time.Now().Add(drainTime)
		var errs []error
		for _, r := range l.readers {
			errs = append(errs, r.finish(l.topics, deadline, &l.result))
		}
		if l.kafka != nil {
			errs = append(errs, l.kafka.Close())
		}
		l.err = errors.Join(errs...)
	})
	return l.result, l.err
}
