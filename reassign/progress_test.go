package reassign

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

// TestProgressOfACopy follows 100 MB at 1 MB/s: nothing is known at first, then sizes tell.
func TestProgressOfACopy(t *testing.T) {
	h := newHost(t, Limits{}, move("orders-0", []int32{1, 2}, []int32{4, 2}))
	p := h.e.Progress()
	require.Equal(t, Pending, p.State)
	require.Equal(t, "Not started", p.Message)
	require.Equal(t, int64(100_000_000), p.CopyBytes)
	require.Zero(t, p.CopiedBytes)
	require.Nil(t, p.SecondsLeft)

	h.run(61)
	p = h.e.Progress()
	require.Equal(t, Active, p.State)
	require.Equal(t, "1 move in progress", p.Message)
	require.Equal(t, 1, p.Active)
	require.InDelta(t, 56_000_000, p.CopiedBytes, 5_000_000, "sizes are read every ten seconds")
	require.InDelta(t, 45, *p.SecondsLeft, 5)
	require.True(t, p.EndedAt.IsZero())

	h.until(func() bool { return false })
	p = h.e.Progress()
	require.Equal(t, Completed, p.State)
	require.Equal(t, "Completed 1 move", p.Message)
	require.Equal(t, p.CopyBytes, p.CopiedBytes)
	require.Zero(t, *p.SecondsLeft)
	require.Equal(t, 100*time.Second, p.EndedAt.Sub(p.StartedAt))
}

// TestTimeLeftByTheThrottle: before anything is measured the throttle and the fullest receiver tell.
func TestTimeLeftByTheThrottle(t *testing.T) {
	h := newHost(t, Limits{Managed: true, Throttle: 1_000_000},
		move("orders-0", []int32{1, 2}, []int32{4, 2}), move("orders-1", []int32{1, 2}, []int32{4, 2}), move("orders-2", []int32{1, 2}, []int32{5, 2}))
	require.Equal(t, int64(267), *h.e.Progress().SecondsLeft, "200 MB to broker 4 at three quarters of 1 MB/s")
	require.Equal(t, int64(1_000_000), *h.e.Progress().ThrottleBytes)
}

// TestProgressOfSteps counts whole copies of a partition that goes in steps.
func TestProgressOfSteps(t *testing.T) {
	h := newHost(t, Limits{}, move("orders-0", []int32{1, 2}, []int32{4, 5}))
	h.run(151)
	p := h.e.Progress()
	require.Equal(t, int64(200_000_000), p.CopyBytes)
	require.InDelta(t, 145_000_000, p.CopiedBytes, 10_000_000)
	require.Equal(t, Active, p.Moves[0].State)
}

func TestEndings(t *testing.T) {
	moves := make([]balance.Move, 5)
	for i := range moves {
		moves[i] = move("orders-0", []int32{1}, []int32{2})
		moves[i].Partition = int32(i)
	}
	states := []State{Completed, Completed, Cancelled, TimedOut, Failed}
	tests := []struct {
		moves   int
		state   State
		message string
	}{
		{0, Completed, "Completed 0 moves"},
		{1, Completed, "Completed 1 move"},
		{2, Completed, "Completed 2 moves"},
		{3, Cancelled, "Completed 2 of 3 moves: 1 cancelled"},
		{4, TimedOut, "Completed 2 of 4 moves: 1 timed out, 1 cancelled"},
		{5, Failed, "Completed 2 of 5 moves: 1 failed, 1 timed out, 1 cancelled"},
	}
	for _, tt := range tests {
		e, err := New("plan", moves[:tt.moves], nil, Limits{})
		require.NoError(t, err)
		for i := range tt.moves {
			e.tasks[i].state = Active
			e.end(i, states[i], "")
		}
		now := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
		e.Step(now, Seen{})
		e.Step(now, Seen{View: &View{At: now}, Saved: true})
		require.Equal(t, tt.state, e.Progress().State, tt.message)
		require.Equal(t, tt.message, e.Progress().Message)
	}
}

// TestMessages: what an operator reads while it runs.
func TestMessages(t *testing.T) {
	h := newHost(t, Limits{MaxPerBroker: 1}, move("orders-0", []int32{1, 2}, []int32{4, 2}), move("orders-1", []int32{1, 2}, []int32{4, 2}))
	h.run(5)
	require.Equal(t, "1 move in progress, 1 more wait", h.e.Progress().Message)
	h.fault = func(call string) faultAt { return map[string]faultAt{"look": lost}[call] }
	h.run(4)
	require.Equal(t, "The cluster does not answer: trying again", h.e.Progress().Message)
	h.fault = nil
	h.run(2)
	h.e.Cancel()
	require.Equal(t, "Cancelling: taking 1 move back", h.e.Progress().Message)
	require.True(t, h.e.Progress().CancelRequested)
}

// TestForeignMovesAreListed: what others move is named and left alone.
func TestForeignMovesAreListed(t *testing.T) {
	h := newHost(t, Limits{}, move("orders-0", []int32{1, 2}, []int32{4, 2}))
	h.alter(h.add("users", 3, 900_000_000, 1, 2), []int32{5, 2})
	h.run(5)
	require.Equal(t, []balance.TopicPartition{name("users-3")}, h.e.Progress().Foreign)
	h.until(func() bool { return false })
	require.Equal(t, []int32{5}, h.part(name("users-3")).adding)
}

// TestUnconfirmedCancel: no original replica is left in sync, so that Kafka refuses to take the move back. It is
// named, and its throttles go all the same.
func TestUnconfirmedCancel(t *testing.T) {
	h := newHost(t, Limits{Managed: true, Throttle: 5_000_000}, move("orders-0", []int32{1}, []int32{4}))
	h.run(3)
	h.kill(1)
	h.parts[0].isr = nil
	h.e.Cancel()
	h.until(func() bool { return false })
	p := h.e.Progress()
	require.Equal(t, Cancelled, p.State)
	require.Equal(t, []balance.TopicPartition{name("orders-0")}, p.Unconfirmed)
	require.Contains(t, p.Moves[0].Reason, "cancelled; Kafka did not confirm that it was taken back: review the replicas")
	require.Equal(t, []string{"broker 1 throttled: leader 5000000 follower none"}, h.throttleLines(), "its broker is down")
}
