package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

func TestDeletedTopicTakesItsMovesAndThrottlesAlong(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	client := world.Client(nil)
	before := at(t, world, orders0).TopicID
	require.Equal(t, reassign.CodeOK, submit(t, client, orders0, 4, 2, 1))
	require.NoError(t, world.SetTopicThrottle("orders", "0:1", "0:4"))
	require.NoError(t, world.DeleteTopic("orders"))
	require.Equal(t, []balance.TopicPartition{orders0}, look(t, client, orders0).Missing)
	require.Equal(t, reassign.CodeMissing, submit(t, client, orders0, 4, 2, 1))
	require.Equal(t, reassign.CodeMissing, cancel(t, client, orders0))
	require.Equal(t, reassign.CodeMissing, elect(t, client, orders0))
	require.Error(t, world.DeleteTopic("orders"))

	createOrders(t, world, sim.TopicSpec{}, 1, 2, 3)
	require.Error(t, world.CreateTopic(sim.TopicSpec{Name: "orders", Partitions: 1, Factor: 1}))
	require.NotEqual(t, before, at(t, world, orders0).TopicID, "the same name, another topic")
	require.Equal(t, reassign.CodeNothingInFlight, cancel(t, client, orders0))
	require.False(t, lists(t, client).Leader.Set)
}

// As seen: which partition of a topic gives new ones their number of replicas.
func TestGrowthInMidMoveInflatesTheFactor(t *testing.T) {
	for name, c := range map[string]struct {
		partitions, moving, factor int
	}{
		"the only one moves":       {1, 0, 4},
		"the last of three moves":  {3, 2, 4},
		"the first of three moves": {3, 0, 2},
		"the last of six moves":    {6, 5, 4},
		"the last of twenty moves": {20, 19, 2},
	} {
		t.Run(name, func(t *testing.T) {
			world := sixBrokers(t)
			assignment := make([][]int32, c.partitions)
			for i := range assignment {
				assignment[i] = []int32{1, 2}
			}
			require.NoError(t, world.CreateTopic(sim.TopicSpec{Name: "orders", Assignment: assignment, Bytes: megabyte}))
			moving := balance.TopicPartition{Topic: "orders", Partition: int32(c.moving)}
			require.Equal(t, reassign.CodeOK, submit(t, world.Client(nil), moving, 3, 4))
			require.NoError(t, world.AddPartitions("orders", 1))
			added := balance.TopicPartition{Topic: "orders", Partition: int32(c.partitions)}
			require.Len(t, at(t, world, added).Replicas, c.factor)
		})
	}
	require.Error(t, sixBrokers(t).AddPartitions("nothing", 1))
}

func TestNewPartitionsAreSpreadOverRacks(t *testing.T) {
	world := sixBrokers(t)
	require.NoError(t, world.CreateTopic(sim.TopicSpec{Name: "orders", Partitions: 12, Factor: 3}))
	leaders := map[int32]int{}
	for _, p := range world.Partitions() {
		racks := map[int32]bool{}
		for _, b := range p.Replicas {
			racks[(b-1)%3] = true
		}
		require.Len(t, racks, 3, "%v", p.Replicas)
		leaders[p.Leader]++
	}
	require.Len(t, leaders, 6)
}

func TestTopicsThatCannotBe(t *testing.T) {
	for name, c := range map[string]struct {
		spec sim.TopicSpec
		why  string
	}{
		"too many replicas":     {sim.TopicSpec{Partitions: 1, Factor: 7}, "7 replicas need as many brokers"},
		"no partition":          {sim.TopicSpec{Factor: 1}, "at least 1"},
		"an unknown broker":     {sim.TopicSpec{Assignment: [][]int32{{1, 9}}}, "broker 9 is not registered"},
		"a broker twice":        {sim.TopicSpec{Assignment: [][]int32{{1, 1}}}, "listed twice"},
		"unequal factors":       {sim.TopicSpec{Assignment: [][]int32{{1, 2}, {1}}}, "give all the same number"},
		"no replica":            {sim.TopicSpec{Assignment: [][]int32{{}}}, "empty"},
		"a broker that is down": {sim.TopicSpec{Assignment: [][]int32{{6}}}, "broker 6 is down"},
	} {
		t.Run(name, func(t *testing.T) {
			world := sixBrokers(t)
			if name == "a broker that is down" {
				require.NoError(t, world.Stop(6))
			}
			c.spec.Name = "orders"
			require.ErrorContains(t, world.CreateTopic(c.spec), c.why)
			require.Empty(t, world.Partitions())
		})
	}
}

func TestLogsGrowWithTheProduceRate(t *testing.T) {
	world := sixBrokers(t)
	createOrders(t, world, sim.TopicSpec{Bytes: megabyte, Rates: sim.Rates{ProduceBytes: 1_500}}, 1, 2, 3)
	pass(world, 0.5)
	pass(world, 0.001)
	pass(world, 0.001)
	for _, b := range []int32{1, 2, 3} {
		require.Equal(t, int64(megabyte+753), bytesOn(t, world, orders0, b))
	}
	require.NoError(t, world.SetRates(orders0, sim.Rates{}))
	pass(world, 60)
	require.Equal(t, int64(megabyte+753), bytesOn(t, world, orders0, 1))
	require.NoError(t, world.Fill(orders0, 1_000))
	require.Equal(t, int64(megabyte+1_753), bytesOn(t, world, orders0, 2))
}

func TestRetentionHoldsASize(t *testing.T) {
	world := sixBrokers(t)
	spec := sim.TopicSpec{Bytes: 50 * megabyte, RetentionBytes: 100 * megabyte, Rates: sim.Rates{ProduceBytes: megabyte}}
	createOrders(t, world, spec, 1, 2, 3)
	pass(world, 1_000)
	require.Equal(t, int64(100*megabyte), bytesOn(t, world, orders0, 1))

	require.Equal(t, reassign.CodeOK, submit(t, world.Client(nil), orders0, 4, 2, 3))
	require.NoError(t, world.SetBandwidth(4, megabyte/2))
	pass(world, 300)
	require.Equal(t, int64(0), bytesOn(t, world, orders0, 4), "retention deletes faster than the copy proceeds")
	require.NoError(t, world.SetBandwidth(4, 3*megabyte))
	pass(world, 51)
	require.Equal(t, "[4 2 3] isr [2 3 4] leader 4", state(at(t, world, orders0)))
}

func TestWritesWaitForInSyncReplicas(t *testing.T) {
	world := sixBrokers(t)
	createOrders(t, world, sim.TopicSpec{MinISR: 2, Rates: sim.Rates{ProduceBytes: megabyte}}, 1, 2, 3)
	require.Error(t, world.Stall(orders0, 1), "the leader does not fetch")
	require.Error(t, world.Stall(orders0, 6))
	require.NoError(t, world.Stall(orders0, 3))
	pass(world, 30)
	require.Equal(t, int64(0), bytesOn(t, world, orders0, 1), "until the laggard leaves the in-sync replicas")
	pass(world, 10)
	require.Equal(t, int64(10*megabyte), bytesOn(t, world, orders0, 1))
	require.NoError(t, world.Stop(2))
	pass(world, 10)
	require.Equal(t, int64(10*megabyte), bytesOn(t, world, orders0, 1), "one in-sync replica is below min.insync.replicas")
}
