package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

// A move of 100 MB from [1 2 3] to [4 2 3] while 1 MB/s is written, looked at after ten seconds.
func TestThrottleIsWhatKafkaMakesOfIt(t *testing.T) {
	const none = -1
	for name, c := range map[string]struct {
		leader, follower         string // lists
		leaderRate, followerRate int64  // on every broker
		defaultRate              int64  // of both kinds
		copied                   int64
	}{
		"no throttle":                           {"", "", none, none, none, 100},
		"rates without lists do nothing":        {"", "", 1 * megabyte, 1 * megabyte, none, 100},
		"lists without rates do nothing":        {"*", "*", none, none, none, 100},
		"the receiver is held back":             {"", "0:4", none, 3 * megabyte, none, 30},
		"an entry for another broker is idle":   {"", "0:5", none, 3 * megabyte, none, 100},
		"two in-sync followers eat the rate":    {"0:1", "", 5 * megabyte, none, none, 30},
		"below the inbound there is none":       {"0:1", "", 100 * kilobyte, none, none, 0},
		"exactly the inbound is too little":     {"0:1", "", 2 * megabyte, none, none, 0},
		"the list names the leader":             {"0:2,0:3,0:4", "", 5 * megabyte, none, none, 100},
		"an in-sync follower eats its rate":     {"", "0:2,0:3,0:4", none, 3 * megabyte, none, 30},
		"everything is listed":                  {"*", "*", 6 * megabyte, 3 * megabyte, none, 30},
		"the default rate holds where no other": {"", "0:4", none, none, 2 * megabyte, 20},
		"the broker's own rate comes first":     {"", "0:4", none, 4 * megabyte, 2 * megabyte, 40},
		"zero stops for ever":                   {"", "0:4", none, 0, none, 0},
	} {
		t.Run(name, func(t *testing.T) {
			world := sixBrokers(t)
			createOrders(t, world, sim.TopicSpec{Bytes: 1000 * megabyte, Rates: sim.Rates{ProduceBytes: megabyte}}, 1, 2, 3)
			require.NoError(t, world.SetTopicThrottle("orders", c.leader, c.follower))
			for id := int32(1); id <= 6; id++ {
				require.NoError(t, world.SetBrokerThrottle(id, c.leaderRate, c.followerRate))
			}
			world.SetDefaultThrottle(c.defaultRate, c.defaultRate)
			require.Equal(t, reassign.CodeOK, submit(t, world.Client(nil), orders0, 4, 2, 3))
			pass(world, 10)
			require.Equal(t, c.copied*megabyte, bytesOn(t, world, orders0, 4))
			require.Len(t, at(t, world, orders0).ISR, 3, "in-sync replicas are never held back")
		})
	}
}

func TestThrottledFollowerCannotReturn(t *testing.T) {
	world := sixBrokers(t)
	createOrders(t, world, sim.TopicSpec{Bytes: megabyte, Rates: sim.Rates{ProduceBytes: 2 * megabyte}}, 1, 2, 3)
	require.NoError(t, world.SetTopicThrottle("orders", "", "0:3"))
	require.NoError(t, world.SetBrokerThrottle(3, -1, 100*kilobyte))
	pass(world, 40)
	require.Equal(t, []int32{1, 2, 3}, at(t, world, orders0).ISR, "listed and in sync it stays in sync")
	require.NoError(t, world.Stall(orders0, 3))
	pass(world, 40)
	require.NoError(t, world.Unstall(orders0, 3))
	pass(world, 600)
	require.Equal(t, []int32{1, 2}, at(t, world, orders0).ISR)
	require.NoError(t, world.SetBrokerThrottle(3, -1, -1))
	pass(world, 200)
	require.Equal(t, []int32{1, 2, 3}, at(t, world, orders0).ISR)
}

func entries(pairs ...int32) []reassign.ThrottleEntry {
	var list []reassign.ThrottleEntry
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, reassign.ThrottleEntry{Partition: pairs[i], Broker: pairs[i+1]})
	}
	return list
}

func set(t *testing.T, c *sim.Client, change reassign.ThrottleChange) reassign.Code {
	t.Helper()
	outcomes, err := c.SetThrottles(t.Context(), []reassign.ThrottleChange{change})
	require.NoError(t, err)
	return outcomes[0].Code
}

func lists(t *testing.T, c *sim.Client) reassign.TopicThrottle {
	t.Helper()
	found, err := c.Throttles(t.Context(), nil, []string{"orders", "nothing"})
	require.NoError(t, err)
	require.Len(t, found.Topics, 1)
	return found.Topics[0]
}

func TestListsAreEditedEntryByEntry(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	client := world.Client(nil)
	require.False(t, lists(t, client).Leader.Set)
	require.Equal(t, reassign.CodeOK, set(t, client, reassign.ThrottleChange{Topic: "orders", AddLeader: entries(0, 2, 0, 1)}))
	require.Equal(t, reassign.CodeOK, set(t, client, reassign.ThrottleChange{Topic: "orders", AddLeader: entries(0, 1, 7, 7), AddFollower: entries(0, 4)}))
	require.Equal(t, entries(0, 1, 0, 2, 7, 7), lists(t, client).Leader.Entries, "present ones are skipped, unknown partitions accepted")
	require.Equal(t, reassign.CodeOK, set(t, client, reassign.ThrottleChange{Topic: "orders", DropLeader: entries(0, 1, 5, 5)}))
	require.Equal(t, entries(0, 2, 7, 7), lists(t, client).Leader.Entries)
	require.Equal(t, reassign.CodeOK, set(t, client, reassign.ThrottleChange{Topic: "orders", DropLeader: entries(0, 2, 7, 7)}))
	require.False(t, lists(t, client).Leader.Set, "a list that becomes empty is removed")
	require.True(t, lists(t, client).Follower.Set)
	require.Equal(t, reassign.CodeMissing, set(t, client, reassign.ThrottleChange{Topic: "nothing", AddLeader: entries(0, 1)}))
}

func TestListOfEverythingIsNotEdited(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	client := world.Client(nil)
	require.NoError(t, world.SetTopicThrottle("orders", "*", ""))
	change := reassign.ThrottleChange{Topic: "orders", AddLeader: entries(0, 1), AddFollower: entries(0, 4)}
	require.Equal(t, reassign.CodeInvalid, set(t, client, change))
	require.Equal(t, reassign.ThrottleList{Set: true, All: true}, lists(t, client).Leader)
	require.False(t, lists(t, client).Follower.Set, "a topic is changed whole or not at all")
}

func TestListHasALongestLength(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	client := world.Client(nil)
	var long []reassign.ThrottleEntry
	for i := range int32(6_000) {
		long = append(long, reassign.ThrottleEntry{Partition: i, Broker: 1})
	}
	require.Equal(t, reassign.CodeInvalid, set(t, client, reassign.ThrottleChange{Topic: "orders", AddLeader: long}))
	require.False(t, lists(t, client).Leader.Set)
	require.Equal(t, reassign.CodeOK, set(t, client, reassign.ThrottleChange{Topic: "orders", AddLeader: long[:4_000]}))
}

func TestRatesBelongToABroker(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	client := world.Client(nil)
	rate := func(n int64) *int64 { return &n }
	require.Equal(t, reassign.CodeOK, set(t, client, reassign.ThrottleChange{Broker: 2, LeaderRate: rate(5)}))
	require.Equal(t, reassign.CodeOK, set(t, client, reassign.ThrottleChange{Broker: 2, FollowerRate: rate(6)}))
	require.NoError(t, world.Kill(3))
	require.Equal(t, reassign.CodeUnreachable, set(t, client, reassign.ThrottleChange{Broker: 3, LeaderRate: rate(5)}))
	found, err := client.Throttles(t.Context(), []int32{3, 2, 1}, nil)
	require.NoError(t, err)
	require.Equal(t, []reassign.BrokerThrottle{{Broker: 1}, {Broker: 2, Leader: rate(5), Follower: rate(6)}}, found.Brokers)
	require.Equal(t, reassign.CodeOK, set(t, client, reassign.ThrottleChange{Broker: 2, LeaderRate: rate(-1), FollowerRate: rate(7)}))
	require.Equal(t, reassign.BrokerThrottle{Broker: 2, Follower: rate(7)}, world.AllThrottles().Brokers[1])
}

func TestOtherToolOverwritesAndClears(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	client := world.Client(nil)
	require.Equal(t, reassign.CodeOK, submit(t, client, orders0, 4, 2, 1))
	require.Equal(t, reassign.CodeOK, set(t, client, reassign.ThrottleChange{Topic: "orders", AddLeader: entries(1, 1)}))
	require.NoError(t, world.CreateTopic(sim.TopicSpec{Name: "other", Assignment: [][]int32{{5}}, Bytes: megabyte}))
	other := reassign.Target{TopicPartition: balance.TopicPartition{Topic: "other"}, Replicas: []int32{6}}
	require.NoError(t, world.ToolExecute(2*megabyte, other))
	require.Equal(t, entries(0, 1, 0, 2, 0, 3), lists(t, client).Leader.Entries, "our entry is gone")
	require.Equal(t, int64(2*megabyte), *world.AllThrottles().Brokers[3].Follower)

	require.False(t, world.ToolVerify("other"), "nothing is cleared while anything moves")
	pass(world, 60)
	require.True(t, world.ToolVerify("other"))
	require.Nil(t, world.AllThrottles().Brokers[3].Follower)
	require.True(t, lists(t, client).Leader.Set, "the lists of topics that it was not told of stay")
	require.Error(t, world.SetTopicThrottle("orders", "0-1", ""))
	require.Error(t, world.SetTopicThrottle("orders", "", "x:1"))
	require.Error(t, world.SetTopicThrottle("nothing", "", ""))
}
