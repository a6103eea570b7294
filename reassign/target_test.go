package reassign

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

// TestTargetThrottle: the four answers of row EXE-03.
func TestTargetThrottle(t *testing.T) {
	rate := func(n int64) *int64 { return &n }
	copies := []balance.Move{move("orders-0", []int32{1, 2}, []int32{4, 2}), move("orders-1", []int32{1, 2}, []int32{5, 2})}
	tests := []struct {
		name     string
		moves    []balance.Move
		observed map[int32]*int64
		text     string
		bytes    *int64
	}{
		{"one value", copies, map[int32]*int64{4: rate(50_000_000), 5: rate(50_000_000), 1: rate(7)}, "50 MB/s", rate(50_000_000)},
		{"two values", copies, map[int32]*int64{4: rate(50_000_000), 5: rate(1_000_000)}, "Mixed limits", nil},
		{"one is not set", copies, map[int32]*int64{4: rate(50_000_000), 5: nil}, "Unavailable", nil},
		{"nothing was read", copies, nil, "Unavailable", nil},
		{"leaders only", []balance.Move{move("orders-0", []int32{1, 2}, []int32{2, 1})}, nil, "Not applicable", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := New("plan", tt.moves, nil, Limits{})
			require.NoError(t, err)
			for b, follower := range tt.observed {
				e.upkeep.observe(BrokerThrottle{Broker: b, Follower: follower})
			}
			target := e.Progress().Target
			require.Equal(t, tt.text, target.Text)
			require.Equal(t, tt.bytes, target.Bytes)
		})
	}
}

// TestTargetThrottleBrokers: receivers and others are apart, and brokers of moves that have ended are in neither.
func TestTargetThrottleBrokers(t *testing.T) {
	e, err := New("plan", []balance.Move{
		move("orders-0", []int32{1, 2}, []int32{4, 2}), move("orders-1", []int32{4, 2}, []int32{5, 2}), move("orders-2", []int32{7}, []int32{8}),
	}, nil, Limits{})
	require.NoError(t, err)
	e.end(2, Failed, "gone")
	target := e.Progress().Target
	require.Equal(t, []BrokerThrottle{{Broker: 4}, {Broker: 5}}, target.Receivers)
	require.Equal(t, []BrokerThrottle{{Broker: 1}, {Broker: 2}}, target.Others)
}

// TestTargetThrottleWhileRunning: the value comes from what the brokers have, not from what we want.
func TestTargetThrottleWhileRunning(t *testing.T) {
	h := newHost(t, Limits{Managed: true, Throttle: 1_000_000}, move("orders-0", []int32{1, 2}, []int32{4, 2}))
	h.until(func() bool { return h.e.tasks[0].state == Active })
	require.Equal(t, "1 MB/s", h.e.Progress().Target.Text)
	other := int64(2_000_000)
	h.rates[4].Follower = &other
	h.run(40)
	require.Equal(t, "2 MB/s", h.e.Progress().Target.Text)
}

// TestForeignThrottlesAreShown: with throttles managed by somebody else, theirs are read and none is set.
func TestForeignThrottlesAreShown(t *testing.T) {
	h := newHost(t, Limits{Throttle: 1_000_000}, move("orders-0", []int32{1, 2}, []int32{4, 2}))
	theirs := int64(3_000_000)
	h.rates[4].Follower = &theirs
	h.run(40)
	require.Equal(t, Active, h.e.Progress().State)
	require.Equal(t, "3 MB/s", h.e.Progress().Target.Text)
	require.Nil(t, h.e.Progress().ThrottleBytes)
	require.Nil(t, h.rates[1].Leader)
	require.Empty(t, h.lists["orders"].Leader.Entries)
}
