package sim_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

// Several programs, an operator and time at once: the race detector watches.
func TestManyMayUseOneCluster(t *testing.T) {
	world := small()
	var all sync.WaitGroup
	for n := range int32(4) {
		all.Go(func() {
			client := world.Client(func(sim.Call) sim.Effect { return sim.Effect{Delay: time.Millisecond} })
			tp := balance.TopicPartition{Topic: "orders", Partition: n % 3}
			for range 20 {
				_, _ = client.Look(t.Context(), reassign.Query{Partitions: []balance.TopicPartition{tp}, Sizes: true})
				_, _ = client.Submit(t.Context(), []reassign.Target{{TopicPartition: tp, Replicas: []int32{n + 1, n + 2, n + 3}}})
				_, _ = client.Read(t.Context())
				_, _ = client.Health(t.Context())
				world.Advance(time.Second)
				_ = world.Kill(n + 1)
				_ = world.Start(n + 1)
			}
		})
	}
	all.Wait()
	world.Advance(time.Hour)
	for _, p := range world.Partitions() {
		require.False(t, p.InFlight())
	}
}
