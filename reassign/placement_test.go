package reassign

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

func TestIsStale(t *testing.T) {
	from, to := []int32{1, 2, 3}, []int32{4, 2, 5}
	tests := []struct {
		name  string
		live  []int32
		stale bool
	}{
		{"at the source", []int32{1, 2, 3}, false},
		{"at the source in another order", []int32{3, 1, 2}, false},
		{"at the target", []int32{4, 2, 5}, false},
		{"partway", []int32{1, 2, 5}, false},
		{"in flight: both", []int32{4, 2, 5, 1, 3}, false},
		{"a replica that goes is gone already", []int32{1, 2}, false},
		{"a broker in neither", []int32{1, 2, 6}, true},
		{"lacks the one that both keep", []int32{1, 3}, true},
		{"somewhere else altogether", []int32{7, 8, 9}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.stale, isStale(tt.live, from, to)) })
	}
}

func TestRefusedPlans(t *testing.T) {
	good := move("orders-0", []int32{1, 2, 3}, []int32{4, 2, 3})
	with := func(change func(*balance.Move)) []balance.Move {
		m := good
		change(&m)
		return []balance.Move{m}
	}
	tests := []struct {
		name  string
		moves []balance.Move
		want  string
	}{
		{"the same partition twice", []balance.Move{good, good}, "orders-0 is in the plan twice"},
		{"no topic", with(func(m *balance.Move) { m.Topic = "" }), "needs a topic"},
		{"no source", with(func(m *balance.Move) { m.From = nil }), "source: the replica list is empty"},
		{"no target", with(func(m *balance.Move) { m.To = nil }), "target: the replica list is empty"},
		{"a broker twice", with(func(m *balance.Move) { m.To = []int32{4, 4, 3} }), "broker 4 is listed twice in [4, 4, 3]"},
		{"a negative broker", with(func(m *balance.Move) { m.To = []int32{-1, 2, 3} }), "broker ID -1 is negative"},
		{"a lower factor", with(func(m *balance.Move) { m.To = []int32{4, 2} }), "3 replicas would become 2"},
		{"a higher factor", with(func(m *balance.Move) { m.To = []int32{4, 2, 3, 1} }), "3 replicas would become 4"},
		{"a drain that grows", with(func(m *balance.Move) { m.Kind, m.To = balance.MoveDrain, []int32{4, 2, 3, 1} }), "only a factor change may grow"},
		{"a leader elsewhere", with(func(m *balance.Move) { m.ToLeader = 1 }), "leader 1 is not among the target replicas [4, 2, 3]"},
		{"negative bytes", with(func(m *balance.Move) { m.CopyBytes = -1 }), "bytes to copy are negative"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := New("plan", tt.moves, nil, Limits{})
			require.ErrorContains(t, err, tt.want)
		})
	}
	for _, id := range []string{"", "a/b", "a b", "ü", string(make([]byte, 101))} {
		_, err := New(id, []balance.Move{good}, nil, Limits{})
		require.ErrorContains(t, err, "execution ID", "%q", id)
	}
	_, err := New("plan", []balance.Move{good}, nil, Limits{Throttle: 10})
	require.ErrorContains(t, err, "throttle of 10 B/s would never finish")
}

// TestDrainMayShrink: what a forced drain or a factor change asks for is no mistake.
func TestDrainMayShrink(t *testing.T) {
	for _, m := range []balance.Move{
		{Topic: "orders", From: []int32{1, 2, 3}, To: []int32{2, 3}, ToLeader: 2, Kind: balance.MoveDrain},
		{Topic: "orders", From: []int32{1, 2, 3}, To: []int32{2, 3}, ToLeader: 2, Kind: balance.MoveFactor},
		{Topic: "orders", From: []int32{1, 2}, To: []int32{2, 3, 1}, ToLeader: 2, Kind: balance.MoveFactor},
		{Topic: "orders", From: []int32{1, 2}, To: []int32{2, 3}, ToLeader: -1, Kind: balance.MoveRepair},
	} {
		_, err := New("plan", []balance.Move{m}, nil, Limits{})
		require.NoError(t, err)
	}
}

// TestPlanIsCopied: what a caller does to its moves later is no concern of the execution.
func TestPlanIsCopied(t *testing.T) {
	m := move("orders-0", []int32{1, 2}, []int32{3, 2})
	e, err := New("plan", []balance.Move{m}, nil, Limits{})
	require.NoError(t, err)
	m.To[0] = 9
	require.Equal(t, []int32{3, 2}, e.Progress().Moves[0].To)
}
