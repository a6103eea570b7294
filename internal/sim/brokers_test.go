package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
	"github.com/kafka-pilot/pilot/safety"
)

func TestKilledBrokerLeadsUntilItsSessionIsOver(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	client := world.Client(nil)
	require.NoError(t, world.Kill(1))
	pass(world, 8.999)
	require.Equal(t, "[1 2 3] isr [1 2 3] leader 1", state(at(t, world, orders0)))
	require.Contains(t, look(t, client).Alive, int32(1), "registered and not fenced yet")
	pass(world, 0.001)
	require.Equal(t, "[1 2 3] isr [2 3] leader 2", state(at(t, world, orders0)))
	require.NotContains(t, look(t, client).Alive, int32(1))

	require.NoError(t, world.Start(1))
	pass(world, 3)
	require.Equal(t, "[1 2 3] isr [2 3 1] leader 2", state(at(t, world, orders0)), "it is back in sync and does not lead")
}

func TestStoppedBrokerHandsOverAtOnce(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	require.NoError(t, world.Stop(1))
	require.Equal(t, "[1 2 3] isr [2 3] leader 2", state(at(t, world, orders0)))
}

func TestQuickRestartEndsTheOldSession(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	require.NoError(t, world.Kill(1))
	pass(world, 1)
	require.NoError(t, world.Start(1))
	require.Equal(t, "[1 2 3] isr [2 3] leader 2", state(at(t, world, orders0)))
	pass(world, 3)
	require.Equal(t, "[1 2 3] isr [2 3 1] leader 2", state(at(t, world, orders0)))
}

func TestReplicasThatLeftAShortISRMayLeadAgain(t *testing.T) {
	world := sixBrokers(t)
	createOrders(t, world, sim.TopicSpec{MinISR: 2}, 1, 2)
	require.NoError(t, world.Stop(2))
	require.NoError(t, world.Stop(1))
	require.Equal(t, "[1 2] isr [] leader -1", state(at(t, world, orders0)))
	require.NoError(t, world.Start(2))
	pass(world, 3)
	require.Equal(t, "[1 2] isr [2] leader 2", state(at(t, world, orders0)))
	require.NoError(t, world.Start(1))
	pass(world, 3)
	require.Equal(t, "[1 2] isr [2 1] leader 2", state(at(t, world, orders0)))
}

func TestCopiedBytesSurviveARestartOfTheReceiver(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	require.Equal(t, reassign.CodeOK, submit(t, world.Client(nil), orders0, 4, 2, 1))
	pass(world, 5)
	require.NoError(t, world.Kill(4))
	pass(world, 60)
	require.Equal(t, int64(50*megabyte), bytesOn(t, world, orders0, 4))
	require.NoError(t, world.Start(4))
	pass(world, 3+5)
	require.Equal(t, "[4 2 1] isr [1 2 4] leader 1", state(at(t, world, orders0)))
}

func TestBrokersAreNamedInErrors(t *testing.T) {
	world := sixBrokers(t)
	require.ErrorContains(t, world.Kill(9), "broker 9 does not exist")
	require.ErrorContains(t, world.AddBroker(balance.Broker{ID: 1}), "broker 1 exists already")
	require.ErrorContains(t, world.AddBroker(balance.Broker{ID: -1}), "not negative")
}

func TestWithoutAControllerNothingChanges(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	client := world.Client(nil)
	require.Equal(t, reassign.CodeOK, submit(t, client, orders0, 4, 2, 1))
	world.StopController()
	_, err := client.Submit(t.Context(), []reassign.Target{{TopicPartition: orders0, Replicas: []int32{1, 2, 3}}})
	require.ErrorIs(t, err, sim.ErrNoController)
	_, err = client.Look(t.Context(), reassign.Query{})
	require.ErrorIs(t, err, sim.ErrNoController)
	_, err = client.SetThrottles(t.Context(), nil)
	require.ErrorIs(t, err, sim.ErrNoController)
	require.ErrorIs(t, world.Reassign(orders0, 1, 2, 3), sim.ErrNoController)
	require.False(t, world.ElectPreferred(orders0))
	health, err := client.Health(t.Context())
	require.NoError(t, err)
	require.Equal(t, safety.ControllerUnhealthy, health.Controller)

	require.NoError(t, world.Kill(2))
	pass(world, 3600)
	require.Equal(t, "[4 2 1 3] +[4] -[3] isr [1 2 3] leader 1", state(at(t, world, orders0)))
	require.Equal(t, int64(100*megabyte), bytesOn(t, world, orders0, 4), "copying goes on")

	world.StartController()
	require.Equal(t, "[4 2 1] isr [1 2 4] leader 1", state(at(t, world, orders0)))
	pass(world, 9)
	require.Equal(t, "[4 2 1] isr [1 4] leader 1", state(at(t, world, orders0)), "sessions begin anew with the controller")
}

func TestPreferredLeadersAreElectedInTheBackground(t *testing.T) {
	world := sixBrokers(t, func(c *sim.Config) { c.AutoLeader = 5 * time.Minute })
	createOrders(t, world, sim.TopicSpec{}, 1, 2, 3)
	require.Equal(t, reassign.CodeOK, submit(t, world.Client(nil), orders0, 3, 2, 1))
	pass(world, 299)
	require.Equal(t, int32(1), at(t, world, orders0).Leader)
	pass(world, 1)
	require.Equal(t, int32(3), at(t, world, orders0).Leader)
}

func TestBandwidthIsSharedFairly(t *testing.T) {
	world := sixBrokers(t)
	for topic, replicas := range map[string][]int32{"a": {1}, "b": {1}, "c": {2}} {
		require.NoError(t, world.CreateTopic(sim.TopicSpec{Name: topic, Assignment: [][]int32{replicas}, Bytes: 100 * megabyte}))
	}
	client := world.Client(nil)
	name := func(topic string) balance.TopicPartition { return balance.TopicPartition{Topic: topic} }
	submit(t, client, name("a"), 3)
	submit(t, client, name("b"), 4)
	submit(t, client, name("c"), 4)
	pass(world, 1)
	require.Equal(t, int64(5*megabyte), bytesOn(t, world, name("a"), 3), "1 sends to both")
	require.Equal(t, int64(5*megabyte), bytesOn(t, world, name("b"), 4))
	require.Equal(t, int64(5*megabyte), bytesOn(t, world, name("c"), 4), "4 receives from both")

	require.NoError(t, world.SetBandwidth(4, 2*megabyte))
	pass(world, 1)
	require.Equal(t, int64(14*megabyte), bytesOn(t, world, name("a"), 3), "what 4 leaves of the bandwidth of 1 goes to 3")
	require.Equal(t, int64(6*megabyte), bytesOn(t, world, name("b"), 4))
}
