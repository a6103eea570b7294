package maintenance

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/safety"
)

var rackAware = balance.Policy{RackAware: true}

func TestDrainOfOnePartition(t *testing.T) {
	cases := []struct {
		name    string
		cluster *balance.Cluster
		policy  balance.Policy
		want    []int32 // of draining broker 1
	}{
		{"a follower goes to the broker that has least", cluster("abca", 2, []int32{2, 1, 3}), balance.Policy{}, []int32{2, 4, 3}},
		{"a leader hands over to the replica that leads least",
			cluster("abca", 2, []int32{1, 2, 3}, []int32{3, 2, 4}), balance.Policy{}, []int32{2, 4, 3}},
		{"a single replica leads where it goes", cluster("ab", 1, []int32{1}), balance.Policy{}, []int32{2}},
		{"a rack that only the drained broker covers is covered again", cluster("abcca", 2, []int32{1, 2, 3}), balance.Policy{}, []int32{2, 5, 3}},
		{"any rack will do where none is lost", cluster("aabb", 2, []int32{1, 2, 3}), balance.Policy{}, []int32{2, 4, 3}},
		{"rack-aware, the rack with fewest replicas", cluster("aabbcc", 2, []int32{1, 2, 3}), rackAware, []int32{3, 5, 2}},
		{"four replicas on three racks stay 2+1+1", cluster("aabbc", 2, []int32{2, 1, 3, 5}), rackAware, []int32{2, 4, 3, 5}},
		{"a broker without a rack comes last", cluster("ab-b", 1, []int32{2, 1}), balance.Policy{}, nil},
		{"without any rack all are equal", cluster("---", 1, []int32{2, 1}), rackAware, []int32{2, 3}},
	}
	for _, c := range cases {
		d, err := Plan(c.cluster, 1, Options{Policy: c.policy})
		if c.want == nil {
			assert.Error(t, err, c.name)
			continue
		}
		require.NoError(t, err, c.name)
		require.Len(t, d.Moves, 1, c.name)
		m := d.Moves[0]
		assert.Equal(t, c.want, m.To, c.name)
		assert.Equal(t, c.want[0], m.ToLeader, c.name)
		assert.Equal(t, balance.MoveDrain, m.Kind, c.name)
		assert.EqualValues(t, 100, m.CopyBytes, c.name)
		assert.Empty(t, d.RackCollapses, c.name)
		assert.Empty(t, d.ReducedFactor, c.name)
	}
}

func TestLeadershipGoesToReplicasInSync(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*balance.Partition)
		want   []int32
	}{
		{"the one replica in sync", func(p *balance.Partition) { p.ISR = []int32{1, 3} }, []int32{3, 4, 2}},
		{"no other in sync: the new one, which is in sync at the end", func(p *balance.Partition) { p.ISR = []int32{1} }, []int32{4, 2, 3}},
		{"a leader elsewhere stays", func(p *balance.Partition) { p.Leader = 3 }, []int32{3, 4, 2}},
		{"a reading that does not tell the ISR", func(p *balance.Partition) { p.ISR = nil }, []int32{2, 4, 3}},
	} {
		cl := cluster("abca", 2, []int32{1, 2, 3})
		c.change(&cl.Partitions[0])
		d, err := Plan(cl, 1, Options{})
		require.NoError(t, err, c.name)
		assert.Equal(t, c.want, d.Moves[0].To, c.name)
		assert.Equal(t, c.want[0], d.Moves[0].ToLeader, c.name)
	}
}

func TestDrainsThatAreRefused(t *testing.T) {
	down := cluster("abc", 1, []int32{1})
	down.Brokers[0].State = balance.Unavailable
	down.Partitions[0].ISR, down.Partitions[0].Leader = nil, noLeader
	alone := cluster("ab", 1, []int32{1})
	alone.Brokers[1].State = balance.Maintenance
	cases := []struct {
		name        string
		cluster     *balance.Cluster
		broker      int32
		force       bool
		code        string
		overridable bool
		partitions  string
	}{
		{"no such broker", cluster("abc", 1), 9, true, UnknownBroker, false, ""},
		{"the only broker", cluster("a", 1, []int32{1}), 1, true, LastBroker, false, ""},
		{"the only active broker", alone, 1, true, LastBroker, false, ""},
		{"as many brokers as replicas", cluster("abc", 1, []int32{1, 2, 3}, []int32{2, 3}), 1, false, string(safety.FactorNotPreservable), true, "orders-0"},
		{"one rack less", cluster("abcc", 1, []int32{1, 2, 3}, []int32{3, 1, 2}), 1, false, string(safety.FactorNotPreservable), true, "orders-0 orders-1"},
		{"nothing to copy from", down, 1, false, string(safety.FactorNotPreservable), true, "orders-0"},
		{"force would stall acks=all", cluster("abc", 3, []int32{1, 2, 3}), 1, true, BelowMinISR, false, "orders-0"},
		{"and saying so does not take force", cluster("abc", 3, []int32{1, 2, 3}), 1, false, BelowMinISR, false, "orders-0"},
	}
	for _, c := range cases {
		_, err := Plan(c.cluster, c.broker, Options{Force: c.force})
		var refused *Refused
		require.ErrorAs(t, err, &refused, c.name)
		assert.Equal(t, c.code, refused.Code, c.name)
		assert.Equal(t, c.overridable, refused.Overridable, c.name)
		var names []string
		for _, p := range refused.Partitions {
			names = append(names, p.String())
			assert.NotEmpty(t, p.Reason, c.name)
		}
		assert.Equal(t, c.partitions, strings.Join(names, " "), c.name)
		assert.Contains(t, err.Error(), c.code, c.name)
	}
}

func TestForceReducesTheFactorOnlyWhereItMust(t *testing.T) {
	c := cluster("aabb", 2, []int32{1, 2, 3, 4}, []int32{1, 3})
	d, err := Plan(c, 1, Options{Force: true})
	require.NoError(t, err)
	require.Len(t, d.Moves, 2)
	assert.ElementsMatch(t, []int32{2, 3, 4}, d.Moves[0].To)
	assert.Zero(t, d.Moves[0].CopyBytes)
	assert.Contains(t, d.Moves[0].Reason, "its replica is given up")
	assert.Len(t, d.Moves[1].To, 2)
	assert.Equal(t, []balance.TopicPartition{{Topic: "orders"}}, d.ReducedFactor)
	assert.Empty(t, d.RackCollapses)
}

func TestForceKeepsTheFactorAndReportsLostRacks(t *testing.T) {
	c := cluster("abcc", 1, []int32{1, 2, 3})
	d, err := Plan(c, 1, Options{Force: true})
	require.NoError(t, err)
	assert.Empty(t, d.ReducedFactor)
	require.Len(t, d.RackCollapses, 1)
	assert.Equal(t, []int32{2, 4, 3}, d.RackCollapses[0].Replicas)
	assert.Equal(t, []string{"b", "c", "c"}, d.RackCollapses[0].Racks)
}

func TestForceLeavesWhatCannotBeCopied(t *testing.T) {
	c := cluster("abc", 1, []int32{1}, []int32{1, 2})
	c.Brokers[0].State = balance.Unavailable
	c.Partitions[0].ISR, c.Partitions[0].Leader = nil, noLeader
	c.Partitions[1].ISR, c.Partitions[1].Leader = []int32{2}, 2
	d, err := Plan(c, 1, Options{Force: true})
	require.NoError(t, err)
	require.Len(t, d.Moves, 1)
	assert.Equal(t, []int32{2, 3}, d.Moves[0].To)
	require.Len(t, d.Waiting, 1)
	assert.Equal(t, "orders-0", d.Waiting[0].String())
}

func TestReplicasThatCannotCatchUpAreReplacedToo(t *testing.T) {
	c := cluster("abcabc", 2, []int32{1, 2, 3})
	c.Brokers[1].State = balance.Unavailable
	c.Brokers[2].State = balance.Maintenance
	c.Partitions[0].ISR = []int32{1, 3}
	d, err := Plan(c, 1, Options{Policy: rackAware})
	require.NoError(t, err)
	assert.Equal(t, []int32{4, 5, 3}, d.Moves[0].To, "3 is in maintenance but in sync: its own drain moves it")
	assert.EqualValues(t, 200, d.Moves[0].CopyBytes)
	assert.Contains(t, d.Moves[0].Reason, "those on brokers that are down go to brokers 4 and 5")

	c.Partitions[0].ISR = []int32{1}
	d, err = Plan(c, 1, Options{Policy: rackAware})
	require.NoError(t, err)
	assert.Equal(t, []int32{4, 5, 6}, d.Moves[0].To)
}

func TestPartitionsInFlightWait(t *testing.T) {
	c := cluster("abcd", 2, []int32{1, 2, 3}, []int32{4, 2, 3}, []int32{2, 3, 4}, []int32{1, 2, 3})
	c.Partitions[0].Moving = &balance.Change{Adding: []int32{2}}
	c.Partitions[1].Moving = &balance.Change{Adding: []int32{4}, Removing: []int32{1}}
	c.Partitions[2].Moving = &balance.Change{Adding: []int32{4}}
	d, err := Plan(c, 1, Options{})
	require.NoError(t, err)
	require.Len(t, d.Moves, 1)
	assert.EqualValues(t, 3, d.Moves[0].Partition)
	require.Len(t, d.Waiting, 2)
	assert.Equal(t, "orders-0", d.Waiting[0].String())
	assert.Equal(t, "orders-1", d.Waiting[1].String())
	assert.Equal(t, []balance.TopicPartition{{Topic: "orders"}, {Topic: "orders", Partition: 1}, {Topic: "orders", Partition: 3}}, Hosted(c, 1))
	assert.Equal(t, []string{"2 partitions stay on the broker for now, so it is not empty when these moves have ended: orders-0 and orders-1."}, d.Warnings)
}

func TestDrainWarnings(t *testing.T) {
	c := cluster("abc", 1, []int32{1}, []int32{1, 2}, []int32{1, 2, 3}, []int32{1}, []int32{1}, []int32{1})
	c.Topics[0].MinISR = 2
	c.Partitions[1].ISR = []int32{1}
	d, err := Plan(c, 1, Options{Force: true})
	require.NoError(t, err)
	assert.Equal(t, []string{
		"4 partitions have a single replica and cannot be read or written if broker 1 stops before the drain has ended: orders-0, orders-3, orders-4 and 1 more.",
		"1 partition is under-replicated, and the move ends only when all remaining replicas are in sync: orders-1.",
		"1 partition is left with just min.insync.replicas, so that one replica less stalls acks=all producers: orders-2.",
	}, d.Warnings)
}

func TestAnEmptyBrokerHasNothingToMove(t *testing.T) {
	d, err := Plan(cluster("abc", 1, []int32{2, 3}), 1, Options{})
	require.NoError(t, err)
	assert.NotNil(t, d.Moves)
	assert.Empty(t, d.Moves)
	assert.Empty(t, d.Warnings)
	assert.Empty(t, Hosted(cluster("abc", 1, []int32{2, 3}), 1))
}
