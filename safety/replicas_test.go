package safety

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kafka-pilot/pilot/balance"
)

func TestCheckReplicaSet(t *testing.T) {
	three := balance.Partition{Replicas: []int32{1, 2, 3}}
	growing := balance.Partition{Replicas: []int32{1, 2, 3, 4}, Moving: &balance.Change{Adding: []int32{4}}}
	moving := balance.Partition{Replicas: []int32{4, 2, 3}, Moving: &balance.Change{Adding: []int32{4}, Removing: []int32{1}}}
	cases := []struct {
		name      string
		partition balance.Partition
		minISR    int32
		to        []int32
		code      string
	}{
		{"another set of the same size", three, 2, []int32{4, 2, 3}, ""},
		{"the same brokers in another order", three, 2, []int32{3, 2, 1}, ""},
		{"empty", three, 2, nil, codeEmptySet},
		{"negative", three, 2, []int32{1, -2, 3}, codeNegativeBroker},
		{"duplicate", three, 2, []int32{1, 2, 1}, codeDuplicateBroker},
		{"not in the cluster", three, 2, []int32{1, 2, 9}, codeUnknownBroker},
		{"in maintenance", three, 2, []int32{1, 2, 6}, codeIneligibleBroker},
		{"unavailable", three, 2, []int32{1, 2, 7}, codeIneligibleBroker},
		{"one replica less", three, 1, []int32{1, 2}, codeBelowFloor},
		{"one replica more", three, 2, []int32{1, 2, 3, 4}, codeAboveFactor},
		{"min.insync.replicas asks for more than there are", three, 3, []int32{1, 2, 3}, codeBelowFloor},
		{"and may be given that", three, 3, []int32{1, 2, 3, 4}, ""},
		{"a factor of one where min.insync.replicas is one", balance.Partition{Replicas: []int32{1}}, 1, []int32{2}, codeBelowFloor},
		{"a factor of one where it is not known", balance.Partition{Replicas: []int32{1}}, 0, []int32{2}, ""},
		{"replicas being added do not count", growing, 2, []int32{1, 2, 5}, ""},
		{"nor do they once they replace others", moving, 2, []int32{4, 2, 5}, ""},
		{"a set that would grow with them", growing, 2, []int32{1, 2, 3, 5}, codeAboveFactor},
	}
	for _, c := range cases {
		cluster := orders(c.partition)
		cluster.Brokers = append(cluster.Brokers,
			balance.Broker{ID: 6, State: balance.Maintenance}, balance.Broker{ID: 7, State: balance.Unavailable})
		cluster.Topics[0].MinISR = c.minISR
		got := CheckReplicaSet(cluster, &cluster.Partitions[0], c.to)
		if c.code == "" {
			assert.Nil(t, got, c.name)
			continue
		}
		require.NotNil(t, got, c.name)
		assert.Equal(t, c.code, got.Code, c.name)
		assert.Contains(t, got.Message, "orders-0", c.name)
	}
}

// Whatever an operator types, an accepted set has the right size and names distinct brokers that can take it.
func TestAcceptedReplicaSetsAreSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := orders(balance.Partition{Replicas: []int32{1, 2, 3}[:rapid.IntRange(1, 3).Draw(t, "factor")]})
		c.Brokers[4].State = balance.BrokerState(rapid.IntRange(0, 2).Draw(t, "state"))
		c.Topics[0].MinISR = int32(rapid.IntRange(0, 3).Draw(t, "minISR"))
		to := rapid.SliceOfN(rapid.Int32Range(-1, 6), 0, 5).Draw(t, "to")
		if CheckReplicaSet(c, &c.Partitions[0], to) != nil {
			return
		}
		require.Len(t, to, max(len(c.Partitions[0].Replicas), int(c.Topics[0].MinISR)+1))
		seen := map[int32]bool{}
		for _, b := range to {
			require.False(t, seen[b])
			seen[b] = true
			require.Equal(t, balance.Active, findBroker(c, b).State)
		}
	})
}
