package kafka

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/balance"
	meter "github.com/kafka-pilot/pilot/internal/measure"
)

// Round says what one round of measuring found.
type Round struct {
	At         time.Time // when it began
	Took       time.Duration
	Partitions int     // that exist
	Answered   int     // of which the leader told how far they have been written
	Groups     int     // that may be reading
	Sizes      bool    // sizes were asked for too
	Silent     []int32 // brokers that are alive and did not answer everything, sorted
}

// silence is how long a broker that did not answer in time is left in peace: asking it costs each round the patience.
const silence = 10 * time.Second

// Sample takes one round: it asks the leaders how far each partition has been written, the coordinators how far each
// group has read, and, when that is due, all brokers for the sizes of their replicas. Brokers are asked side by side;
// one that does not answer within the patience is left out, and what only it knows becomes unknown after two and a half
// intervals. One round at a time is under way; Sample waits for it and takes another one.
//
// An error means that nothing was measured. It wraps *DeniedError when the user lacks a permission.
func (s *Source) Sample(ctx context.Context) (Round, error) { return s.sample(ctx, false) }

func (s *Source) sample(ctx context.Context, sizes bool) (Round, error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return Round{}, context.Cause(ctx)
	}
	q, err := s.questions(ctx)
	if err != nil {
		return Round{}, fmt.Errorf("measuring the cluster: %w", err)
	}
	q.sizes = q.sizes || sizes
	replies := s.ask(ctx, q)
	if ctx.Err() != nil {
		return Round{}, context.Cause(ctx)
	}
	if err := s.deniedIn(ctx, q, replies); err != nil {
		return Round{}, fmt.Errorf("measuring the cluster: %w", err)
	}
	sample := q.sample(replies)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history.Add(sample)
	s.note(q, replies)
	return q.round(sample, replies), nil
}

// questions are what to ask in a round.
type questions struct {
	at       time.Time
	alive    []int32
	silent   map[int32]bool // brokers that are not asked
	topics   []*sarama.TopicMetadata
	settings map[sarama.Uuid]settings
	led      map[int32][]balance.TopicPartition // by leader
	sizes    bool
	seeds    bool
	keys     map[balance.TopicPartition]meter.Key
}

// questions finds out which partitions exist, and who leads them.
func (s *Source) questions(ctx context.Context) (*questions, error) {
	ctx, cancel := context.WithTimeout(ctx, hasty*s.config.Patience)
	defer cancel()
	q := &questions{at: time.Now(), led: map[int32][]balance.TopicPartition{}, keys: map[balance.TopicPartition]meter.Key{}}
	seen, err := s.inspect(ctx, measure)
	if err != nil {
		return nil, err
	}
	q.alive, q.topics = alive(seen.brokers), seen.topics
	if q.settings, err = s.settings.of(ctx, s.client, q.topics); err != nil {
		return nil, fmt.Errorf("reading the settings of topics: %w", err)
	}
	seen.each(func(tp balance.TopicPartition, key meter.Key, p *sarama.PartitionMetadata) {
		q.keys[tp] = key
		if p.Leader >= 0 {
			q.led[p.Leader] = append(q.led[p.Leader], tp)
		}
	})
	s.schedule(q)
	return q, nil
}

// schedule decides what is due in the round.
func (s *Source) schedule(q *questions) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q.seeds = s.rounded.IsZero()
	q.sizes = q.at.Sub(s.sized) >= s.config.SizesEvery
	q.silent = map[int32]bool{}
	for broker, at := range s.silent {
		q.silent[broker] = q.at.Sub(at) < silence
	}
}

// note remembers what the next round depends on.
func (s *Source) note(q *questions, replies []reply) {
	s.rounded = time.Now()
	if q.sizes {
		s.sized = q.at
	}
	for i := range replies {
		if isSilence(replies[i].failed) {
			s.silent[replies[i].broker] = s.rounded
		}
	}
	maps.DeleteFunc(s.silent, func(_ int32, at time.Time) bool { return s.rounded.Sub(at) > silence })
}

// sample brings the replies into the form that rates are made of.
func (q *questions) sample(replies []reply) meter.Sample {
	sample := meter.Sample{At: q.at, Sized: map[int32]time.Time{}, AllGroups: len(replies) == len(q.alive)}
	at := map[meter.Key]int{}
	for _, t := range q.topics {
		for _, p := range t.Partitions {
			key := meter.Key{Topic: meter.TopicID(t.Uuid), Partition: p.ID}
			at[key] = len(sample.Partitions)
			sample.Partitions = append(sample.Partitions, meter.Partition{Key: key, Sparse: q.settings[t.Uuid].sparse()})
		}
	}
	find := func(tp balance.TopicPartition) *meter.Partition {
		if key, known := q.keys[tp]; known {
			return &sample.Partitions[at[key]]
		}
		return nil
	}
	for i := range replies {
		replies[i].fill(&sample, find)
		sample.AllGroups = sample.AllGroups && replies[i].grouped
		for _, g := range replies[i].groups {
			sample.Groups = append(sample.Groups, g.named(q.keys))
		}
	}
	return sample
}

func (q *questions) round(sample meter.Sample, replies []reply) Round {
	r := Round{At: q.at, Took: time.Since(q.at), Partitions: len(sample.Partitions), Groups: len(sample.Groups), Sizes: q.sizes}
	for i := range sample.Partitions {
		if !sample.Partitions[i].Offsets.At.IsZero() {
			r.Answered++
		}
	}
	answered := map[int32]bool{}
	for i := range replies {
		answered[replies[i].broker] = replies[i].failed == nil
	}
	for _, b := range q.alive {
		if !answered[b] {
			r.Silent = append(r.Silent, b)
		}
	}
	return r
}

// deniedIn returns everything that the user may not see, by all that the brokers told.
func (s *Source) deniedIn(ctx context.Context, q *questions, replies []reply) error {
	hidden, known := map[string]bool{}, map[string]bool{}
	for _, t := range q.topics {
		known[t.Name] = true
	}
	var lacking []*DeniedError
	for i := range replies {
		var lacks *DeniedError
		if errors.As(replies[i].failed, &lacks) {
			lacking = append(lacking, lacks)
		}
		for _, size := range replies[i].sizes {
			if !known[size.Topic] {
				hidden[size.Topic] = true
			}
		}
	}
	lacks, err := s.client.deniedTopics(ctx, slices.Sorted(maps.Keys(hidden)))
	if err != nil {
		return err
	}
	if lacks != nil {
		lacking = append(lacking, lacks)
	}
	return allDenied(lacking)
}

// allDenied makes one error of several, each permission once.
func allDenied(lacking []*DeniedError) error {
	var permissions []string
	for _, l := range lacking {
		if !slices.Contains(permissions, l.Permission) {
			permissions = append(permissions, l.Permission)
		}
	}
	if len(permissions) == 0 {
		return nil
	}
	slices.Sort(permissions)
	return denied(strings.Join(permissions, "; "), lacking[0].Code)
}

// deniedTopics asks for topics that metadata leaves out, and returns the first that may not be described: it leaves
// those out without an error, so that a cluster would seem to be empty. Topics that have gone or that have just come are
// none of them.
func (c *Client) deniedTopics(ctx context.Context, topics []string) (*DeniedError, error) {
	call := func(f func(*sarama.Broker) error) error { return c.onAny(ctx, measure, f) }
	for part := range slices.Chunk(topics, batch) {
		answer, err := asked(call, func(b *sarama.Broker) (*sarama.MetadataResponse, error) { return askMetadata(b, part) })
		if err != nil {
			return nil, err
		}
		for _, t := range answer.Topics {
			if t.Err == sarama.ErrTopicAuthorizationFailed {
				return &DeniedError{fmt.Sprintf("DESCRIBE on topic %q, and perhaps on others", t.Name), t.Err}, nil
			}
		}
	}
	return nil, nil
}
