package pilot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/internal/sim"
)

// TestCancel stops an execution in the middle: what was done stays, the rest is where it was.
func TestCancel(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world)
		plan := s.plan()
		x := s.apply()
		time.Sleep(30 * time.Second)

		asked, err := s.Cancel(t.Context(), x.ID)
		require.NoError(t, err)
		require.True(t, asked.CancelRequested)
		require.Nil(t, asked.EndedAt, "it is asked for, not done")
		again, err := s.Cancel(t.Context(), x.ID)
		require.NoError(t, err)
		require.True(t, again.CancelRequested)

		x = s.wait(x.ID)
		require.Equal(t, pilot.StateCancelled, x.State, x.Message)
		require.Positive(t, x.Completed)
		require.Positive(t, x.Cancelled)
		require.Equal(t, x.Submitted, x.Completed+x.Cancelled)
		require.Empty(t, x.Unconfirmed)
		for i, m := range plan.Proposal.Moves {
			live := at(t, world, m.Name())
			require.False(t, live.InFlight())
			if x.Moves[i].State == pilot.StateCompleted {
				require.Equal(t, m.To, live.Replicas)
			} else if !slices.Equal(m.From, live.Replicas) { // two steps, of which the first was done: its copy is kept
				require.Contains(t, x.Moves[i].Reason, "moved back to "+strings.ReplaceAll(fmt.Sprint(live.Replicas), " ", ", "))
			}
		}
		noThrottles(t, world)

		cancelled, err := s.Proposal(t.Context(), plan.ID)
		require.NoError(t, err)
		require.Equal(t, "cancelled", cancelled.Stored)
		log := s.AuditLog(t.Context())
		require.Equal(t, "reassignments.cancel", log[0].Action)
		require.Equal(t, x.ID, log[0].ExecutionID)
		require.Len(t, log, 2, "the second request changed nothing")
	})
}

func TestNothingToCancel(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world)
		_, err := s.Cancel(t.Context(), "no-such-execution")
		r := refused(t, err)
		require.Equal(t, "unknown_execution", r.Code)
		require.Equal(t, pilot.RefusedMissing, r.Kind)
		_, err = s.Execution(t.Context(), "no-such-execution")
		require.Equal(t, "unknown_execution", refused(t, err).Code)

		x := s.wait(s.apply().ID)
		_, err = s.Cancel(t.Context(), x.ID)
		r = refused(t, err)
		require.Equal(t, "execution_ended", r.Code)
		require.Contains(t, r.Message, x.Message)

		list, err := s.Executions(t.Context())
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Empty(t, list[0].Moves, "lists come without moves")
		require.Equal(t, x.Submitted, list[0].Submitted)
	})
}
