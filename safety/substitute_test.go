package safety

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kafka-pilot/pilot/balance"
)

func move(kind balance.MoveKind, from, to []int32) balance.Move {
	return balance.Move{Topic: "orders", From: from, To: to, FromLeader: from[0], ToLeader: to[0], Kind: kind}
}

func TestSubstitute(t *testing.T) {
	three := balance.Partition{Replicas: []int32{1, 2, 3}, SizeBytes: 100}
	cases := []struct {
		name      string
		partition balance.Partition
		alive     []int32
		move      balance.Move
		want      []int32 // nil: skipped
		altered   bool
	}{
		{"all alive", three, []int32{1, 2, 3, 4, 5}, move("balance", []int32{1, 2, 3}, []int32{4, 2, 3}), []int32{4, 2, 3}, false},
		{"the receiver is down: the old replica stays, and what is left is a new leader", three, []int32{1, 2, 3, 5},
			move("balance", []int32{1, 2, 3}, []int32{2, 4, 3}), []int32{2, 3, 1}, true},
		{"the receiver should have led: everything stays as it is", three, []int32{1, 2, 3, 5},
			move("balance", []int32{1, 2, 3}, []int32{4, 2, 3}), nil, true},
		{"a replica that stays is down: another broker of its rack takes it", three, []int32{1, 3, 4, 5},
			move("repair", []int32{1, 2, 3}, []int32{4, 2, 3}), []int32{4, 3, 5}, false},
		{"the planned leader is down: the first in sync leads",
			balance.Partition{Replicas: []int32{1, 2, 3}, ISR: []int32{1, 3}}, []int32{1, 2, 3},
			move("drain", []int32{4, 2, 3}, []int32{5, 2, 3}), []int32{3, 2, 1}, false},
		{"the only broker of a rack is down and racks must not fall", three, []int32{1, 2, 4, 5},
			move("balance", []int32{1, 2, 3}, []int32{4, 2, 3}), nil, true},
		{"the same for a repair alters no optional plan", three, []int32{1, 2, 4, 5},
			move("repair", []int32{1, 2, 3}, []int32{4, 2, 3}), nil, false},
		{"too few brokers", three, []int32{2, 3}, move("balance", []int32{1, 2, 3}, []int32{4, 2, 3}), nil, true},
		{"leadership alone does not care for a follower", three, []int32{1, 2}, move("leader", []int32{1, 2, 3}, []int32{2, 1, 3}), []int32{2, 1, 3}, false},
		{"but for the new leader", three, []int32{1, 3}, move("leader", []int32{1, 2, 3}, []int32{2, 1, 3}), nil, true},
		{"a substitute that changes nothing is left out", three, []int32{1, 2, 3, 5}, move("balance", []int32{1, 2, 3}, []int32{1, 2, 4}), nil, true},
	}
	for _, c := range cases {
		got := Substitute(orders(c.partition), c.alive, []balance.Move{c.move})
		assert.Equal(t, c.altered, got.Altered, c.name)
		if c.want == nil {
			require.Empty(t, got.Moves, c.name)
			require.Len(t, got.Skipped, 1, c.name)
			assert.NotEmpty(t, got.Skipped[0].Reason, c.name)
			continue
		}
		require.Len(t, got.Moves, 1, c.name)
		assert.Equal(t, c.want, got.Moves[0].To, c.name)
		assert.Equal(t, c.want[0], got.Moves[0].ToLeader, c.name)
	}
}

func TestABrokerInMaintenanceKeepsWhatItHas(t *testing.T) {
	c := orders(balance.Partition{Replicas: []int32{1, 2, 3}})
	c.Brokers[1].State = balance.Maintenance
	alive := []int32{1, 2, 3, 4, 5}
	drain := move("drain", []int32{1, 2, 3}, []int32{4, 2, 3})
	assert.Equal(t, []balance.Move{drain}, Substitute(c, alive, []balance.Move{drain}).Moves)
	got := Substitute(c, []int32{1, 3, 4, 5}, []balance.Move{drain})
	assert.Equal(t, []int32{4, 3, 5}, got.Moves[0].To, "but not when it is stopped")
}

func TestSubstitutesSpreadOverBrokersAndCountTheirBytes(t *testing.T) {
	c := orders(
		balance.Partition{Replicas: []int32{1, 2, 3}, SizeBytes: 100}, balance.Partition{Replicas: []int32{1, 2, 3}, SizeBytes: 100})
	c.Brokers = append(c.Brokers, balance.Broker{ID: 6, Rack: "b"})
	first, second := move("drain", []int32{1, 2, 3}, []int32{4, 2, 3}), move("drain", []int32{1, 2, 3}, []int32{4, 2, 3})
	second.Partition = 1
	got := Substitute(c, []int32{1, 3, 4, 5, 6}, []balance.Move{first, second})
	require.Len(t, got.Moves, 2)
	assert.Equal(t, []int32{4, 3, 5}, got.Moves[0].To)
	assert.Equal(t, []int32{4, 3, 6}, got.Moves[1].To)
	assert.EqualValues(t, 200, got.Moves[0].CopyBytes)
	assert.Equal(t, "Broker 2 was not available and replaced.", got.Moves[0].Reason)
}

// What comes out may be submitted: live brokers, the planned factor, no fewer racks, the leader first.
func TestSubstitutionsAreSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := []int32{1, 2, 3, 4, 5}
		from := rapid.Permutation(all).Draw(t, "from")[:3]
		to := rapid.Permutation(all).Draw(t, "to")[:3]
		var alive []int32
		for _, b := range all {
			if rapid.IntRange(0, 3).Draw(t, "alive") > 0 {
				alive = append(alive, b)
			}
		}
		c := orders(balance.Partition{Replicas: from})
		c.Brokers[1].Rack = rapid.SampledFrom([]string{"", "b"}).Draw(t, "rack")
		c.Brokers[0].State = balance.BrokerState(rapid.IntRange(0, 2).Draw(t, "state"))
		in := []balance.Move{move("balance", from, to)}
		got := Substitute(c, alive, in)
		require.Equal(t, 1, len(got.Moves)+len(got.Skipped))
		require.Equal(t, []balance.Move{move("balance", from, to)}, in, "the input is left as it was")
		require.Equal(t, len(got.Skipped) > 0 || !assert.ObjectsAreEqual(in, got.Moves), got.Altered)
		s := newSubstituter(c, alive)
		for _, m := range got.Moves {
			require.Len(t, m.To, 3)
			require.Equal(t, m.To[0], m.ToLeader)
			if sameSet(from, to) {
				require.Contains(t, alive, m.ToLeader)
				continue
			}
			for i, b := range m.To {
				require.True(t, s.usable(&in[0], b))
				require.Contains(t, alive, b)
				require.NotContains(t, m.To[:i], b)
			}
			if got.Altered {
				require.GreaterOrEqual(t, s.racks(m.To).known, s.racks(from).known)
				require.GreaterOrEqual(t, s.racks(m.To).all, s.racks(from).all)
			}
		}
	})
}
