package main

import (
	"context"
	"time"

	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

// memorySpeed is how much faster than real time the cluster in memory lives, so that minutes of copying take seconds.
const memorySpeed = 60

func openMemory(o *options) *cluster {
	skew := []sim.SkewOption{sim.WithBrokers(o.brokers)}
	if o.empty {
		skew = append(skew, sim.WithEmptyBroker())
	}
	world := sim.Skewed(o.seed, skew...)
	world.Follow(time.Now, memorySpeed)
	client := world.Client(nil)
	return &cluster{
		name: "Cluster in memory", source: client, executor: client,
		peek:    func(ctx context.Context) (map[string][]byte, error) { return client.Journal().Load(ctx) },
		take:    func(context.Context) (reassign.Journal, error) { return client.Journal(), nil },
		limits:  reassign.Limits{Managed: true, Throttle: o.throttle, PollEvery: 100 * time.Millisecond, SizesEvery: 200 * time.Millisecond},
		measure: func(context.Context) error { return nil },
		close:   func() {},
	}
}
