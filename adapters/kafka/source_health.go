package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/balance"
	meter "github.com/kafka-pilot/pilot/internal/measure"
	"github.com/kafka-pilot/pilot/safety"
)

// controllerPatience is how long Health waits for the controller. The death of one of three takes 2.6 seconds.
const controllerPatience = 10 * time.Second

// Health looks at the cluster now: the controller is asked for what is in flight, one broker for everything else. A
// controller that does not answer is no error; then what is in flight is not known.
func (s *Source) Health(ctx context.Context) (safety.Health, error) {
	seen, err := s.inspect(ctx, control)
	if err != nil {
		return safety.Health{}, fmt.Errorf("looking at the cluster: %w", err)
	}
	h := safety.Health{At: seen.at, Alive: alive(seen.brokers)}
	for _, b := range seen.brokers {
		h.Registered = append(h.Registered, b.ID)
	}
	if h.Controller, err = s.ping(ctx, seen); err != nil {
		return safety.Health{}, fmt.Errorf("asking the controller: %w", err)
	}
	h.InFlight = seen.listed.sorted(nil)
	h.Shrunk = seen.shrunk()
	if err := s.addMinISR(ctx, seen, h.Shrunk); err != nil {
		return safety.Health{}, fmt.Errorf("reading min.insync.replicas: %w", err)
	}
	return h, nil
}

// ping asks the controller for what is in flight. That it answers proves that there is an active one.
func (s *Source) ping(ctx context.Context, seen *surroundings) (safety.ControllerState, error) {
	limit := controllerPatience
	if deadline, limited := ctx.Deadline(); limited {
		limit = min(limit, time.Until(deadline)*3/4) // so that there is time to say so
	}
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	counts, _ := countPartitions(seen.topics, nil)
	call := func(f func(*sarama.Broker) error) error { return s.client.onAny(within, control, f) }
	listed, err := asked(call, func(b *sarama.Broker) (listing, error) { return askListing(b, counts) })
	var lacks *DeniedError
	var code sarama.KError
	switch {
	case err == nil:
		seen.listed = listed
		return safety.ControllerHealthy, nil
	case ctx.Err() != nil:
		return safety.ControllerUnknown, context.Cause(ctx)
	case errors.As(err, &lacks), errors.Is(err, ErrClosed):
		return safety.ControllerUnknown, err
	case errors.As(err, &code):
		return safety.ControllerUnhealthy, nil
	}
	return safety.ControllerUnknown, nil
}

// shrunk returns the partitions with replicas out of sync, sorted. Replicas that are being added are not expected to
// be in sync.
func (seen *surroundings) shrunk() []safety.ShrunkPartition {
	var found []safety.ShrunkPartition
	seen.each(func(tp balance.TopicPartition, _ meter.Key, p *sarama.PartitionMetadata) {
		expected := p.Replicas
		if status := seen.listed[tp]; status != nil {
			expected = minus(expected, status.AddingReplicas)
		}
		if len(p.Isr) >= len(expected) {
			return
		}
		out := minus(expected, p.Isr)
		slices.Sort(out)
		found = append(found, safety.ShrunkPartition{TopicPartition: tp, Replicas: len(expected), InSync: len(p.Isr), Out: out})
	})
	slices.SortFunc(found, func(a, b safety.ShrunkPartition) int { return a.Compare(b.TopicPartition) })
	return found
}

// addMinISR fills in min.insync.replicas.
func (s *Source) addMinISR(ctx context.Context, seen *surroundings, shrunk []safety.ShrunkPartition) error {
	if len(shrunk) == 0 {
		return nil
	}
	of, err := s.settings.of(ctx, s.client, seen.topics)
	if err != nil {
		return err
	}
	ids := map[string]sarama.Uuid{}
	for _, t := range seen.topics {
		ids[t.Name] = t.Uuid
	}
	for i := range shrunk {
		shrunk[i].MinISR = int(of[ids[shrunk[i].Topic]].minISR)
	}
	return nil
}
