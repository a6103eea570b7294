package reassign

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

// answers makes the cluster answer some calls with a code instead of doing them.
func (h *host) answers(call string, code Code) {
	h.code = func(c string, _ balance.TopicPartition) Code {
		if c == call {
			return code
		}
		return CodeOK
	}
}

// TestRefusals: what Kafka refuses ends the move, says why, and changes nothing.
func TestRefusals(t *testing.T) {
	copies, leads := move("orders-0", []int32{1, 2}, []int32{4, 2}), move("orders-0", []int32{1, 2}, []int32{2, 1})
	tests := []struct {
		name   string
		move   balance.Move
		call   string
		code   Code
		state  State
		reason string
	}{
		{"an invalid target", copies, "submit", CodeInvalid, Failed, "Kafka refused the replicas [4, 2]"},
		{"no permission", copies, "submit", CodeDenied, Failed, "Kafka refused the replicas [4, 2]: a permission is missing"},
		{"no topic", copies, "submit", CodeMissing, Failed, "topic no longer exists"},
		{"never an answer", copies, "submit", CodeUnknown, Failed, "Kafka has not begun this move in 10m0s"},
		{"no permission to elect", leads, "elect", CodeDenied, Failed, "Kafka refused the election: a permission is missing: moved back to [1, 2]"},
		{"no permission to elect after a copy", copies, "elect", CodeDenied, Completed, "the replicas are as planned; Kafka refused the election: a permission is missing"},
		{"the new leader falls out of sync", leads, "elect", CodeNotInSync, Failed, "broker 2 is not in sync, so broker 1 still leads: moved back to [1, 2]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHost(t, Limits{Managed: true, Throttle: 5_000_000}, tt.move)
			if tt.call == "elect" {
				h.parts[0].leader = 2 // the old leader is not the preferred one, so that a copy needs an election
				h.e.tasks[0].move.FromLeader = 2
				if tt.move.ToLeader == 2 {
					h.parts[0].leader = 1
				}
			}
			h.answers(tt.call, tt.code)
			h.until(func() bool { return false })
			p := h.e.Progress()
			require.Equal(t, tt.state, p.Moves[0].State)
			require.Equal(t, tt.reason, p.Moves[0].Reason)
			require.Empty(t, h.throttleLines())
		})
	}
}

// TestTakenBackWithoutTheOldOrder: Kafka refuses to have the old list back, because one of its brokers is registered no
// more. Its own cancel has to do, whatever order that leaves.
func TestTakenBackWithoutTheOldOrder(t *testing.T) {
	h := newHost(t, Limits{}, move("orders-0", []int32{1, 2, 3}, []int32{4, 2, 1}))
	h.run(3)
	h.answers("submit", CodeInvalid)
	h.e.Cancel()
	h.until(func() bool { return false })
	require.Equal(t, "cancelled: moved back to [2, 1, 3]", h.e.Progress().Moves[0].Reason)
	require.Equal(t, []int32{2, 1, 3}, h.parts[0].replicas)
}

// TestLeaderGivenBack: a preferred election in mid-move had given leadership to the receiver's neighbour; what is taken
// back gets its old leader back too.
func TestLeaderGivenBack(t *testing.T) {
	h := newHost(t, Limits{}, move("orders-0", []int32{1, 2, 3}, []int32{2, 1, 4}))
	h.run(3)
	h.parts[0].leader = 2
	h.e.Cancel()
	h.until(func() bool { return false })
	require.Equal(t, "orders-0 [1, 2, 3] leader 1 isr [1, 2, 3]", h.state()[0])
	require.Equal(t, "cancelled: moved back to [1, 2, 3]", h.e.Progress().Moves[0].Reason)
}

// TestAnotherToolDuringRollback: it takes the partition over while we take it back; it is left to it.
func TestAnotherToolDuringRollback(t *testing.T) {
	h := newHost(t, Limits{}, move("orders-0", []int32{1, 2, 3}, []int32{4, 2, 3}))
	h.parts[0].lagging = []int32{3}
	h.parts[0].isr = []int32{1, 2}
	h.run(3)
	h.e.Cancel()
	h.until(func() bool { return slices.Equal(h.parts[0].replicas, []int32{1, 2, 3, 4}) })
	h.parts[0].replicas, h.parts[0].adding, h.parts[0].removing = []int32{5, 2, 3, 1, 4}, []int32{5}, []int32{1, 4}
	h.until(func() bool { return false })
	require.Equal(t, "cancelled; another tool moves this partition to [5, 2, 3]", h.e.Progress().Moves[0].Reason)
	require.Equal(t, []int32{5}, h.parts[0].adding)
}

// TestCancelBetweenSteps: a partition that goes in steps stays after the step that is done.
func TestCancelBetweenSteps(t *testing.T) {
	h := newHost(t, Limits{}, move("orders-0", []int32{1, 2}, []int32{4, 5}))
	h.until(func() bool { return slices.Equal(h.parts[0].replicas, []int32{1, 4}) })
	h.e.Cancel()
	h.until(func() bool { return false })
	require.Equal(t, "stopped after a step of several: the replicas are [1, 4]", h.e.Progress().Moves[0].Reason)
	require.Equal(t, []int32{1, 4}, h.parts[0].replicas)
}

// TestCancelInTheSecondStep: only the step in flight is taken back, since the first one's old replica is gone.
func TestCancelInTheSecondStep(t *testing.T) {
	h := newHost(t, Limits{}, move("orders-0", []int32{1, 2}, []int32{4, 5}))
	h.until(func() bool { return slices.Equal(h.parts[0].adding, []int32{5}) })
	h.e.Cancel()
	h.until(func() bool { return false })
	require.Equal(t, "cancelled: moved back to [1, 4]", h.e.Progress().Moves[0].Reason)
}

// TestCancelOfWhatWasNotSent: the intent was recorded and the request never arrived.
func TestCancelOfWhatWasNotSent(t *testing.T) {
	h := newHost(t, Limits{}, move("orders-0", []int32{1, 2}, []int32{4, 2}))
	h.fault = func(call string) faultAt { return map[string]faultAt{"submit": lost}[call] }
	h.run(2)
	h.e.Cancel()
	h.e.Cancel()
	h.until(func() bool { return false })
	require.Equal(t, "cancelled before Kafka began it", h.e.Progress().Moves[0].Reason)
	before := h.e.Progress()
	h.e.Cancel()
	h.e.Settle()
	require.Equal(t, before, h.e.Progress(), "after the end nothing changes")
}

// TestPartialAnswers: a partition that the answer forgets is looked at and submitted again.
func TestPartialAnswers(t *testing.T) {
	h := newHost(t, Limits{}, move("orders-0", []int32{1, 2}, []int32{4, 2}), move("orders-1", []int32{1, 2}, []int32{4, 2}))
	todo := h.e.Step(h.now, Seen{})
	for len(todo.Submit) == 0 {
		h.do(t.Context(), &todo)
		todo = h.e.Step(h.now, Seen{View: h.seen.View, Saved: true})
	}
	require.Len(t, todo.Submit, 2)
	h.alter(h.parts[0], todo.Submit[0].Replicas)
	todo = h.e.Step(h.now, Seen{Saved: true, Outcomes: []Outcome{
		{TopicPartition: name("orders-0")}, {TopicPartition: name("users-9")}, // of which nobody asked
	}})
	h.do(t.Context(), &todo)
	todo = h.e.Step(h.now, Seen{View: h.seen.View, Saved: true})
	require.Equal(t, []Target{{name("orders-1"), []int32{4, 2}}}, todo.Submit)
}

// TestUnexpectedReplicas: a step ended and the partition is somewhere else.
func TestUnexpectedReplicas(t *testing.T) {
	for _, tt := range []struct {
		name     string
		replicas []int32
		after    time.Duration
		reason   string
	}{
		{"elsewhere", []int32{5, 6}, 31 * time.Second, "the move ended with unexpected replicas [5, 6] instead of [4, 2]"},
		{"on its way", []int32{2, 4}, 10 * time.Minute, "the move ended with unexpected replicas [2, 4] instead of [4, 2]"},
		{"back", []int32{2, 1}, 31 * time.Second, "another tool cancelled this move: the replicas are [2, 1]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHost(t, Limits{}, move("orders-0", []int32{1, 2}, []int32{4, 2}))
			h.run(3)
			at := h.now
			h.parts[0].become(tt.replicas)
			h.until(func() bool { return false })
			require.Equal(t, tt.reason, h.e.Progress().Moves[0].Reason)
			require.InDelta(t, tt.after.Seconds(), h.now.Sub(at).Seconds(), 3)
		})
	}
}

// TestMetadataTrails: the move has ended and metadata shows its old replicas for 14 seconds more. It completes.
func TestMetadataTrails(t *testing.T) {
	h := newHost(t, Limits{}, move("orders-0", []int32{1, 2}, []int32{4, 2}))
	h.run(50)
	p := h.parts[0]
	p.become([]int32{4, 2})
	p.replicas = []int32{1, 2}
	h.run(14)
	require.Equal(t, Active, h.e.Progress().Moves[0].State)
	p.replicas = []int32{4, 2}
	h.until(func() bool { return false })
	require.Equal(t, Completed, h.e.Progress().State)
}
