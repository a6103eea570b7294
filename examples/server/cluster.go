package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/adapters/kafka"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

// cluster is what a Service needs of a cluster, in memory or real.
type cluster struct {
	source      pilot.Source
	executor    reassign.Executor
	journal     reassign.Journal
	maintenance reassign.Journal
	measure     func(ctx context.Context) error // until the context ends
	close       func()
}

// simSpeed is how much faster than the clock the cluster in memory lives.
const simSpeed = 20

// openSim returns a cluster in memory that needs balancing.
func openSim() *cluster {
	world := sim.Skewed(1)
	world.Follow(time.Now, simSpeed)
	client := world.Client(nil)
	journal := client.Journal()
	idle := func(ctx context.Context) error {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	return &cluster{client, client, journal, journal, idle, func() {}}
}

// openKafka connects to a real cluster. The journals come last, since opening them stops another server that has them.
func openKafka(ctx context.Context, config kafka.ClientConfig) (*cluster, error) {
	client, err := kafka.Open(ctx, config)
	if err != nil {
		return nil, err
	}
	c, err := connect(ctx, client)
	if err != nil {
		client.Close()
		return nil, err
	}
	return c, nil
}

func connect(ctx context.Context, client *kafka.Client) (*cluster, error) {
	executor := kafka.NewExecutor(client)
	if err := executor.Check(ctx); err != nil {
		return nil, fmt.Errorf("the cluster cannot be balanced: %w", err)
	}
	source := kafka.NewSource(client, kafka.SourceConfig{})
	journal, err := kafka.OpenJournal(ctx, client, kafka.StateTopic)
	maintenance, other := kafka.OpenJournal(ctx, client, kafka.BrokerStateTopic)
	if err := errors.Join(err, other); err != nil {
		return nil, err
	}
	return &cluster{source, executor, journal, maintenance, source.Run, client.Close}, nil
}
