package pilot_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

// TestRestart stops the program in the middle of an execution; the next one takes it up and leaves no throttle.
func TestRestart(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		first := start(t, world)
		plan := first.plan()
		x := first.apply()
		time.Sleep(15 * time.Second)
		require.NoError(t, first.stop())
		_, err := first.Apply(t.Context(), plan.ID, pilot.ApplyOptions{})
		r := refused(t, err)
		require.Equal(t, "not_ready", r.Code)
		require.Equal(t, pilot.RefusedNotReady, r.Kind)

		second := start(t, world)
		taken := second.execution(x.ID)
		require.Equal(t, "PROPOSAL", taken.Strategy)
		require.Equal(t, plan.ID, taken.ProposalID)
		require.Nil(t, taken.EndedAt)
		_, err = second.Drain(t.Context(), 3, pilot.DrainOptions{})
		require.Equal(t, "reassignment_running", refused(t, err).Code)
		_, err = second.Current(t.Context())
		r = refused(t, err)
		require.Equal(t, "proposal_pending", r.Code)
		require.Contains(t, r.Message, "in progress")

		require.Equal(t, pilot.StateCompleted, second.wait(x.ID).State)
		for _, m := range plan.Proposal.Moves {
			require.Equal(t, m.To, at(t, world, m.Name()).Replicas)
		}
		noThrottles(t, world)
		journalIsEmpty(t, world)
	})
}

// TestCrash kills the program at any of its calls; whatever it was doing, the next one leaves nothing half done.
func TestCrash(t *testing.T) {
	for _, after := range []int64{3, 6, 12, 30} {
		inBubble(t, func(t *testing.T, world *sim.Cluster) {
			var calls atomic.Int64
			first := startWith(t, world, func(c sim.Call) sim.Effect {
				if c.Op != sim.OpRead && c.Op != sim.OpHealth && c.Op != sim.OpLoad {
					calls.Add(1)
				}
				return sim.Effect{Crash: calls.Load() > after}
			})
			plan := first.plan()
			x := first.apply()
			time.Sleep(time.Minute)
			require.True(t, first.client.Crashed())
			require.NoError(t, first.stop())

			second := start(t, world)
			list, err := second.Executions(t.Context())
			require.NoError(t, err)
			if len(list) > 0 { // else it crashed before there was anything to take up
				require.Equal(t, pilot.StateCompleted, second.wait(x.ID).State)
				for _, m := range plan.Proposal.Moves {
					require.Equal(t, m.To, at(t, world, m.Name()).Replicas)
				}
			}
			noThrottles(t, world)
			journalIsEmpty(t, world)
		})
	}
}

// journalIsEmpty fails when a record of an execution is left.
func journalIsEmpty(t *testing.T, world *sim.Cluster) {
	t.Helper()
	time.Sleep(time.Second)
	values, err := world.Client(nil).Journal().Load(t.Context())
	require.NoError(t, err)
	delete(values, "maintenance")
	require.Empty(t, values)
}

// TestDrainSurvivesRestart: the broker stays in maintenance and the drain goes on.
func TestDrainSurvivesRestart(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *sim.Cluster) {
		world := even(t)
		first := start(t, world)
		drain, err := first.Drain(t.Context(), 3, pilot.DrainOptions{})
		require.NoError(t, err)
		time.Sleep(5 * time.Second)
		require.NoError(t, first.stop())

		second := start(t, world)
		taken := second.execution(drain.Execution.ID)
		require.Equal(t, "DRAIN", taken.Strategy)
		require.EqualValues(t, 3, *taken.Broker)
		require.Equal(t, pilot.StateCompleted, second.wait(taken.ID).State)
		require.False(t, hosts(world, 3))
		again, err := second.Drain(t.Context(), 3, pilot.DrainOptions{})
		require.NoError(t, err)
		require.Equal(t, "maintenance", again.State)
		require.NoError(t, second.stop())

		third := start(t, world)
		in, err := third.InMaintenance(t.Context())
		require.NoError(t, err)
		require.Equal(t, []int32{3}, in)
		cluster, err := third.Cluster(t.Context())
		require.NoError(t, err)
		require.Equal(t, []int32{3}, cluster.Maintenance)
	})
}

// TestTakenOver: a second process takes the journal, and the first stops at its next step and changes nothing more.
func TestTakenOver(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		first := start(t, world)
		x := first.apply()
		time.Sleep(15 * time.Second)
		second := start(t, world)
		err := <-first.ended
		require.ErrorIs(t, err, reassign.ErrFenced)
		require.False(t, first.Health(t.Context()).Ready)
		require.Equal(t, pilot.StateCompleted, second.wait(x.ID).State)
		noThrottles(t, world)
	})
}

// TestUnreadableJournal does not start over what it cannot understand.
func TestUnreadableJournal(t *testing.T) {
	for name, c := range map[string]struct{ key, value, want string }{
		"an execution of a later version": {"execution/x", `{"version":9}`, "execution/x"},
		"a broken maintenance record":     {"maintenance", `{"version":1,"brokers":[{"broker":-1}]}`, "maintenance"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, world *sim.Cluster) {
				require.NoError(t, world.Client(nil).Journal().Save(t.Context(), c.key, []byte(c.value)))
				s := start(t, world)
				err := <-s.ended
				require.ErrorContains(t, err, c.want)
				require.False(t, s.Health(t.Context()).Ready)
			})
		})
	}
}

// TestStrayRecords of executions that never began are removed, and what cannot be read of them costs nothing.
func TestStrayRecords(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		require.NoError(t, world.Client(nil).Journal().Save(t.Context(), "about/gone", []byte(`{`)))
		start(t, world)
		journalIsEmpty(t, world)
	})
}

// TestOutage lets every call fail for an hour in the middle of an execution, which then goes on.
func TestOutage(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		var outage atomic.Bool
		s := startWith(t, world, func(sim.Call) sim.Effect { return sim.Effect{Drop: outage.Load()} },
			func(o *pilot.Options) { o.ReadEvery = time.Minute })
		x := s.apply()
		time.Sleep(10 * time.Second)
		outage.Store(true)
		time.Sleep(time.Hour)
		require.Contains(t, s.execution(x.ID).Message, "does not answer")
		health := s.Health(t.Context())
		require.False(t, health.Ready)
		require.Contains(t, health.Reason, "old")
		require.EqualValues(t, "controller_unhealthy", health.Findings[0].Code)
		_, err := s.Drain(t.Context(), 3, pilot.DrainOptions{})
		require.Equal(t, "reassignment_running", refused(t, err).Code)
		outage.Store(false)
		require.Equal(t, pilot.StateCompleted, s.wait(x.ID).State)
		require.True(t, s.Health(t.Context()).Ready)
		noThrottles(t, world)
	})
}

// TestJournalRefuses to start what it could not take up again.
func TestJournalRefuses(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := startWith(t, world, func(c sim.Call) sim.Effect { return sim.Effect{Deny: c.Op == sim.OpSave} })
		_, err := s.Apply(t.Context(), s.plan().ID, pilot.ApplyOptions{})
		require.ErrorIs(t, err, sim.ErrDenied)
		_, err = s.Drain(t.Context(), 3, pilot.DrainOptions{})
		require.ErrorIs(t, err, sim.ErrDenied)
		in, err := s.InMaintenance(t.Context())
		require.NoError(t, err)
		require.Empty(t, in)
		_, err = s.Generate(context.Background(), true)
		require.NoError(t, err, "the slot is free again")
		require.False(t, errors.Is(err, context.Canceled))
	})
}
