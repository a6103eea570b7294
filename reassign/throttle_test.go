package reassign

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

func throttledHost(t require.TestingT, moves ...balance.Move) *host {
	if len(moves) == 0 {
		moves = []balance.Move{move("orders-0", []int32{1, 2}, []int32{4, 2})}
	}
	return newHost(t, Limits{Managed: true, Throttle: 5_000_000}, moves...)
}

// TestThrottleBeforeMove: at the moment of the submission both lists and all rates are in force.
func TestThrottleBeforeMove(t *testing.T) {
	h := throttledHost(t)
	submitted := false
	h.watch = func([]balance.TopicPartition) {
		if submitted {
			return
		}
		submitted = true
		require.Equal(t, []string{
			"broker 1 throttled: leader 5000000 follower none",
			"broker 2 throttled: leader 5000000 follower none",
			"broker 4 throttled: leader none follower 5000000",
			`topic orders throttled: leader "0:1,0:2" follower "0:4"`,
		}, h.throttleLines())
		require.Contains(t, string(h.journal["execution/plan"]), `"heldFollower":[4]`, "what is ours is recorded")
	}
	h.until(func() bool { return false })
	require.True(t, submitted)
	require.Empty(t, h.throttleLines())
}

// TestUnmanagedSetsNothing: somebody else manages the throttles.
func TestUnmanagedSetsNothing(t *testing.T) {
	h := newHost(t, Limits{Throttle: 5_000_000}, move("orders-0", []int32{1, 2}, []int32{4, 2}))
	h.fault = func(call string) faultAt {
		require.NotEqual(t, "set throttles", call)
		return works
	}
	h.until(func() bool { return false })
	require.Equal(t, Completed, h.e.Progress().State)
}

// TestLeaderChangesNeedNoThrottle: nothing is copied.
func TestLeaderChangesNeedNoThrottle(t *testing.T) {
	h := throttledHost(t, move("orders-0", []int32{1, 2}, []int32{2, 1}))
	h.fault = func(call string) faultAt {
		require.NotContains(t, []string{"set throttles", "throttles"}, call)
		return works
	}
	h.until(func() bool { return false })
	require.Equal(t, Completed, h.e.Progress().State)
}

// refuse makes the cluster refuse some changes of throttles.
func refuse(h *host, code Code, broken func(c ThrottleChange) bool) {
	h.refuse = func(c ThrottleChange) Code {
		if broken(c) {
			return code
		}
		return CodeOK
	}
}

// TestNoPermissionToThrottle: the move does not run unthrottled, and says which permission it lacks.
func TestNoPermissionToThrottle(t *testing.T) {
	h := throttledHost(t)
	refuse(h, CodeDenied, func(c ThrottleChange) bool { return c.Topic != "" })
	h.until(func() bool { return false })
	p := h.e.Progress()
	require.Equal(t, Failed, p.State)
	require.Equal(t, "the throttled replicas of topic orders were not set: a permission is missing", p.Moves[0].Reason)
	require.Equal(t, []int32{1, 2}, h.parts[0].replicas)
}

// TestOneBrokerRefusesItsRate: the moves that need it wait, the others go.
func TestOneBrokerRefusesItsRate(t *testing.T) {
	h := throttledHost(t, move("orders-0", []int32{1, 2}, []int32{4, 2}), move("users-0", []int32{3}, []int32{5}))
	broken := true
	refuse(h, CodeUnknown, func(c ThrottleChange) bool { return c.Broker == 4 && broken })
	h.run(3)
	p := h.e.Progress()
	require.Equal(t, Pending, p.Moves[0].State)
	require.Equal(t, "the replication throttle of broker 4 was not set", p.Moves[0].Reason)
	require.Equal(t, Active, p.Moves[1].State)
	broken = false
	h.until(func() bool { return false })
	require.Equal(t, Completed, h.e.Progress().State)
	require.Empty(t, h.throttleLines())
}

// TestThrottlesCannotBeRead: a move waits for its throttle as long as its patience lasts.
func TestThrottlesCannotBeRead(t *testing.T) {
	h := throttledHost(t)
	h.fault = func(call string) faultAt {
		if call == "throttles" {
			return lost
		}
		return works
	}
	h.until(func() bool { return false })
	require.Equal(t, "the throttles cannot be read now: connection lost, for more than 10m0s", h.e.Progress().Moves[0].Reason)
	require.Equal(t, []int32{1, 2}, h.parts[0].replicas)
}

// TestThrottlesCannotBeRemoved: the execution ends all the same, names what is left, and its record sees to it later.
func TestThrottlesCannotBeRemoved(t *testing.T) {
	h := throttledHost(t)
	dropping := func(c ThrottleChange) bool {
		return len(c.DropLeader) > 0 || c.LeaderRate != nil && *c.LeaderRate < 0
	}
	refuse(h, CodeDenied, dropping)
	h.until(func() bool { return false })
	p := h.e.Progress()
	require.Equal(t, Completed, p.State)
	require.Equal(t, []string{
		"throttled replicas of orders-0", "replication throttle of broker 1", "replication throttle of broker 2",
		"replication throttle of broker 4",
	}, p.Leftovers)
	require.Equal(t, "Completed 1 move; still to be removed: throttled replicas of orders-0 and 3 more", p.Message)

	h.refuse = nil
	all, err := Restore(h.journal)
	require.NoError(t, err)
	require.Len(t, all, 1)
	h.e, h.seen = all[0], Seen{}
	h.until(func() bool { return false })
	require.Empty(t, h.throttleLines())
	require.Empty(t, h.journal)
}

// TestListBecomesEverything: somebody sets the list to "*" in mid-move. It is theirs and none of it is edited.
func TestListBecomesEverything(t *testing.T) {
	h := throttledHost(t)
	h.run(3)
	h.lists["orders"].Leader = ThrottleList{Set: true, All: true}
	h.until(func() bool { return false })
	require.Equal(t, []string{`topic orders throttled: leader "*" follower ""`}, h.throttleLines())
	require.Empty(t, h.e.Progress().Leftovers)
}

// TestFullList: a list of throttled replicas has room for some 30,000 bytes; what does not fit waits.
func TestFullList(t *testing.T) {
	h := throttledHost(t)
	for p := range int32(2_600) {
		h.lists["orders"].Leader.Entries = append(h.lists["orders"].Leader.Entries, ThrottleEntry{10_000 + p, 100_000})
	}
	h.run(3)
	require.Equal(t, "the list of throttled replicas of topic orders has no room now", h.e.Progress().Moves[0].Reason)
	h.lists["orders"].Leader.Entries = nil
	h.run(10)
	require.Equal(t, Active, h.e.Progress().Moves[0].State)
}

// TestRatesStayBetweenWaves: a broker's rate is set once and removed once, however many waves there are.
func TestRatesStayBetweenWaves(t *testing.T) {
	var moves []balance.Move
	for p := range int32(6) {
		m := move("orders-0", []int32{1, 2}, []int32{4, 2})
		m.Partition = p
		moves = append(moves, m)
	}
	h := throttledHost(t, moves...)
	h.e.limits.MaxPerBroker = 1
	h.speed = 100_000_000
	writes := 0
	refuse(h, CodeOK, func(c ThrottleChange) bool {
		if c.Topic == "" && c.Broker == 4 {
			writes++
		}
		return false
	})
	h.until(func() bool { return false })
	require.Equal(t, Completed, h.e.Progress().State)
	require.Equal(t, 2, writes)
}

// TestEntriesThereAlreadyStay: an entry that an operator had put on the list is not ours to remove.
func TestEntriesThereAlreadyStay(t *testing.T) {
	h := throttledHost(t)
	h.lists["orders"].Leader.edit([]ThrottleEntry{{0, 1}}, nil)
	h.lists["orders"].Follower.edit([]ThrottleEntry{{0, 4}}, nil)
	h.until(func() bool { return false })
	require.Equal(t, []string{`topic orders throttled: leader "0:1" follower "0:4"`}, h.throttleLines())
}

// TestSameRateStays: an operator's rate that equals ours is still theirs.
func TestSameRateStays(t *testing.T) {
	h := throttledHost(t)
	same := int64(5_000_000)
	h.rates[1].Leader = &same
	h.until(func() bool { return false })
	require.Equal(t, []string{"broker 1 throttled: leader 5000000 follower none"}, h.throttleLines())
}
