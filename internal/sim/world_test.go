package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

const (
	kilobyte = 1_000
	megabyte = 1_000_000
)

var orders0 = balance.TopicPartition{Topic: "orders", Partition: 0}

// sixBrokers is a cluster of brokers 1 to 6 in three racks, with 10 MB/s of copying each.
func sixBrokers(t *testing.T, changes ...func(*sim.Config)) *sim.Cluster {
	t.Helper()
	cfg := sim.Config{CopyBytes: 10 * megabyte}
	for _, change := range changes {
		change(&cfg)
	}
	world := sim.New(cfg)
	for id := int32(1); id <= 6; id++ {
		require.NoError(t, world.AddBroker(balance.Broker{ID: id, Host: "k", Rack: string(rune('a' + (id-1)%3))}))
	}
	return world
}

// withOrders is six brokers and a topic orders with one partition of 100 MB.
func withOrders(t *testing.T, replicas ...int32) *sim.Cluster {
	t.Helper()
	world := sixBrokers(t)
	createOrders(t, world, sim.TopicSpec{Bytes: 100 * megabyte}, replicas...)
	return world
}

func createOrders(t *testing.T, world *sim.Cluster, spec sim.TopicSpec, replicas ...int32) {
	t.Helper()
	spec.Name, spec.Assignment = "orders", [][]int32{replicas}
	require.NoError(t, world.CreateTopic(spec))
}

func at(t *testing.T, world *sim.Cluster, tp balance.TopicPartition) reassign.Live {
	t.Helper()
	live, ok := world.Partition(tp)
	require.True(t, ok, "%v does not exist", tp)
	return live
}

func bytesOn(t *testing.T, world *sim.Cluster, tp balance.TopicPartition, broker int32) int64 {
	t.Helper()
	for _, s := range at(t, world, tp).Sizes {
		if s.Broker == broker {
			return s.Bytes
		}
	}
	require.Fail(t, "no replica", "%v on broker %d", tp, broker)
	return 0
}

func submit(t *testing.T, c *sim.Client, tp balance.TopicPartition, replicas ...int32) reassign.Code {
	t.Helper()
	outcomes, err := c.Submit(t.Context(), []reassign.Target{{TopicPartition: tp, Replicas: replicas}})
	require.NoError(t, err)
	require.Len(t, outcomes, 1)
	return outcomes[0].Code
}

func cancel(t *testing.T, c *sim.Client, tp balance.TopicPartition) reassign.Code {
	t.Helper()
	outcomes, err := c.Cancel(t.Context(), []balance.TopicPartition{tp})
	require.NoError(t, err)
	return outcomes[0].Code
}

func elect(t *testing.T, c *sim.Client, tp balance.TopicPartition) reassign.Code {
	t.Helper()
	outcomes, err := c.Elect(t.Context(), []balance.TopicPartition{tp})
	require.NoError(t, err)
	return outcomes[0].Code
}

func look(t *testing.T, c *sim.Client, partitions ...balance.TopicPartition) reassign.View {
	t.Helper()
	view, err := c.Look(t.Context(), reassign.Query{Partitions: partitions, Sizes: true})
	require.NoError(t, err)
	return view
}

func pass(world *sim.Cluster, seconds float64) {
	world.Advance(time.Duration(seconds * float64(time.Second)))
}

func moving(t *testing.T, world *sim.Cluster, tp balance.TopicPartition) bool {
	t.Helper()
	live := at(t, world, tp)
	return live.InFlight()
}
