package pilot_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

// even is a cluster of five brokers without racks that needs no plan: every broker leads and follows alike.
func even(t *testing.T) *sim.Cluster {
	t.Helper()
	world := sim.New(sim.Config{})
	for id := int32(1); id <= 5; id++ {
		require.NoError(t, world.AddBroker(balance.Broker{ID: id, Host: "k"}))
	}
	var placement [][]int32
	for i := range int32(100) {
		placement = append(placement, []int32{i%5 + 1, (i+1+i/5%4)%5 + 1})
	}
	require.NoError(t, world.CreateTopic(sim.TopicSpec{
		Name: "orders", Assignment: placement, MinISR: 1, Bytes: 100_000_000,
		RetentionBytes: 100_000_000, Rates: sim.Rates{ProduceMessages: 100, ProduceBytes: 100_000, ConsumeMessages: 100, ConsumeBytes: 100_000},
	}))
	world.Follow(time.Now, 1)
	return world
}

// reversed is the same replicas in another order: a change of placement that is done at once.
func reversed(replicas []int32) []int32 {
	r := slices.Clone(replicas)
	slices.Reverse(r)
	return r
}

// outside returns a partition that a plan leaves alone.
func outside(t *testing.T, world *sim.Cluster, plan *balance.Proposal) reassign.Live {
	t.Helper()
	for _, p := range world.Partitions() {
		named := func(m balance.Move) bool { return m.Name() == p.TopicPartition }
		if !slices.ContainsFunc(plan.Moves, named) {
			return p
		}
	}
	require.FailNow(t, "the plan moves everything")
	return reassign.Live{}
}

// receiver returns a broker that the plan gives a replica to.
func receiver(t *testing.T, plan *balance.Proposal) int32 {
	t.Helper()
	for b := int32(1); b <= 5; b++ {
		if gives(plan, b) {
			return b
		}
	}
	require.FailNow(t, "the plan copies nothing")
	return -1
}

// gives reports whether a plan gives a broker a replica.
func gives(plan *balance.Proposal, broker int32) bool {
	return slices.ContainsFunc(plan.Moves, func(m balance.Move) bool {
		return slices.Contains(m.To, broker) && !slices.Contains(m.From, broker)
	})
}

// follower returns a replica that does not lead.
func follower(m balance.Move) int32 {
	for _, b := range m.From {
		if b != m.FromLeader {
			return b
		}
	}
	return -1
}

func kill(t *testing.T, world *sim.Cluster, brokers ...int32) {
	t.Helper()
	for _, b := range brokers {
		require.NoError(t, world.Kill(b))
	}
}
