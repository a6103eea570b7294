package reassign

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

// TestTransitions tries all pairs of states, those that exist and one that does not.
func TestTransitions(t *testing.T) {
	allowed := map[[2]State]bool{
		{Pending, Active}:    true, // submitted
		{Pending, Completed}: true, // somebody was there before
		{Pending, Failed}:    true, // stale, impossible, or waited in vain
		{Pending, Cancelled}: true,
		{Active, Completed}:  true,
		{Active, Failed}:     true,
		{Active, Cancelled}:  true,
		{Active, TimedOut}:   true, // only what was submitted can take too long
	}
	for from := Pending; from <= TimedOut+1; from++ {
		for to := Pending; to <= TimedOut+1; to++ {
			require.Equal(t, allowed[[2]State{from, to}], from.CanBecome(to), "%v to %v", from, to)
		}
	}
}

func TestEndedStatesAreFinal(t *testing.T) {
	for s := Pending; s <= TimedOut; s++ {
		leaves := false
		for to := Pending; to <= TimedOut; to++ {
			leaves = leaves || s.CanBecome(to)
		}
		require.Equal(t, s.Ended(), !leaves, "%v", s)
	}
}

func TestStateNames(t *testing.T) {
	for s := Pending; s <= TimedOut; s++ {
		text, err := s.MarshalText()
		require.NoError(t, err)
		var back State
		require.NoError(t, back.UnmarshalText(text))
		require.Equal(t, s, back)
		letter, err := stateOf(stateLetter(s))
		require.NoError(t, err)
		require.Equal(t, s, letter)
	}
	require.Equal(t, "timed_out", TimedOut.String())
	require.Equal(t, "state(9)", State(9).String())
	var s State
	require.EqualError(t, s.UnmarshalText([]byte("done")), `unknown state "done": use one of [pending active completed failed cancelled timed_out]`)
}

// TestEndNeverChangesWhatHasEnded: a late answer cannot turn a failure into a success.
func TestEndNeverChangesWhatHasEnded(t *testing.T) {
	e, err := New("plan", []balance.Move{move("orders-0", []int32{1}, []int32{2})}, nil, Limits{})
	require.NoError(t, err)
	e.end(0, Failed, "first")
	e.end(0, Completed, "second")
	require.Equal(t, Failed, e.tasks[0].state)
	require.Equal(t, "first", e.tasks[0].reason)
	require.Equal(t, 1, e.finals)
}
