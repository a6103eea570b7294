package pilot_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

// TestDrainAndExit takes a broker out of service and back.
func TestDrainAndExit(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *sim.Cluster) {
		world := even(t)
		s := start(t, world)
		before, err := s.Current(t.Context())
		require.NoError(t, err)
		require.Equal(t, balance.NoneNeeded, before.Proposal.Status)
		drain, err := s.Drain(t.Context(), 3, pilot.DrainOptions{Principal: "ada", Reason: "new disks"})
		require.NoError(t, err)
		require.Equal(t, "draining", drain.State)
		require.Equal(t, "DRAIN", drain.Execution.Strategy)
		require.EqualValues(t, 3, *drain.Execution.Broker)
		in, err := s.InMaintenance(t.Context())
		require.NoError(t, err)
		require.Equal(t, []int32{3}, in, "from the start on, so that no plan gives it anything")
		_, err = s.Current(t.Context())
		require.Equal(t, "proposal_pending", refused(t, err).Code, "the plan was made for other brokers")
		_, err = s.EndMaintenance(t.Context(), 3)
		require.Equal(t, "drain_running", refused(t, err).Code)

		x := s.wait(drain.Execution.ID)
		require.Equal(t, pilot.StateCompleted, x.State, x.Message)
		require.False(t, hosts(world, 3))
		noThrottles(t, world)
		cluster, err := s.Cluster(t.Context())
		require.NoError(t, err)
		require.Equal(t, balance.Maintenance, cluster.Brokers[2].State)
		require.Equal(t, []int32{3}, cluster.Maintenance)
		rest, err := s.Current(t.Context())
		require.NoError(t, err)
		for _, m := range rest.Proposal.Moves {
			require.NotContains(t, m.To, int32(3))
		}

		again, err := s.Drain(t.Context(), 3, pilot.DrainOptions{})
		require.NoError(t, err)
		require.Nil(t, again.Execution, "there is nothing on it")
		require.Equal(t, "maintenance", again.State)

		online, err := s.EndMaintenance(t.Context(), 3)
		require.NoError(t, err)
		require.Equal(t, "online", online.State)
		require.False(t, hosts(world, 3), "exit moves nothing")
		time.Sleep(time.Second)
		refill := s.plan()
		require.True(t, gives(refill.Proposal, 3), "the next plan fills it")
		_, err = s.EndMaintenance(t.Context(), 3)
		require.Equal(t, "not_in_maintenance", refused(t, err).Code)

		var actions []string
		for _, e := range s.AuditLog(t.Context()) {
			actions = append(actions, e.Action)
		}
		require.Equal(t, []string{"maintenance.exit", "maintenance.enter", "maintenance.enter"}, actions)
	})
}

// TestDrainCancelled leaves the broker in maintenance (row EXE-06) until somebody ends it.
func TestDrainCancelled(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *sim.Cluster) {
		world := even(t)
		s := start(t, world)
		drain, err := s.Drain(t.Context(), 3, pilot.DrainOptions{})
		require.NoError(t, err)
		time.Sleep(10 * time.Second)
		_, err = s.Cancel(t.Context(), drain.Execution.ID)
		require.NoError(t, err)
		s.wait(drain.Execution.ID)
		require.True(t, hosts(world, 3))
		in, err := s.InMaintenance(t.Context())
		require.NoError(t, err)
		require.Equal(t, []int32{3}, in)
		noThrottles(t, world)

		drain, err = s.Drain(t.Context(), 3, pilot.DrainOptions{})
		require.NoError(t, err)
		require.Equal(t, "draining", drain.State, "what is left on it")
		s.wait(drain.Execution.ID)
		require.False(t, hosts(world, 3))
	})
}

// TestDrainThatCannotKeepTheFactor is refused by name, and forced only as far as producers can bear.
func TestDrainThatCannotKeepTheFactor(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *sim.Cluster) {
		s := start(t, threeBrokers(t))
		_, err := s.Drain(t.Context(), 3, pilot.DrainOptions{})
		r := refused(t, err)
		require.Equal(t, "replication_factor_not_preservable", r.Code)
		require.Equal(t, pilot.RefusedConflict, r.Kind)
		require.True(t, r.Overridable)
		require.Equal(t, []string{"orders-0"}, r.Subjects)
		in, err := s.InMaintenance(t.Context())
		require.NoError(t, err)
		require.Empty(t, in, "a refused drain changes nothing")

		drain, err := s.Drain(t.Context(), 3, pilot.DrainOptions{Force: true, Reason: "it burns"})
		require.NoError(t, err)
		require.Equal(t, []string{"orders-0"}, drain.ReducedFactor)
		require.Equal(t, []string{"orders-0"}, s.AuditLog(t.Context())[0].ReducedFactor)
		require.Equal(t, pilot.StateCompleted, s.wait(drain.Execution.ID).State)

		_, err = s.Drain(t.Context(), 9, pilot.DrainOptions{})
		require.Equal(t, pilot.RefusedMissing, refused(t, err).Kind)
		_, err = s.EndMaintenance(t.Context(), 9)
		require.Equal(t, "unknown_broker", refused(t, err).Code)
	})
}

// threeBrokers is a cluster whose only partition is on all of its brokers.
func threeBrokers(t *testing.T) *sim.Cluster {
	t.Helper()
	world := sim.New(sim.Config{})
	for id := int32(1); id <= 3; id++ {
		require.NoError(t, world.AddBroker(balance.Broker{ID: id, Host: "k"}))
	}
	require.NoError(t, world.CreateTopic(sim.TopicSpec{
		Name: "orders", Assignment: [][]int32{{1, 2, 3}}, Bytes: 1_000_000, MinISR: 1,
	}))
	world.Follow(time.Now, 1)
	return world
}

// TestDrainBesideAnotherTool waits for what the other tool moves, and says so.
func TestDrainBesideAnotherTool(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *sim.Cluster) {
		world := even(t)
		s := start(t, world, func(o *pilot.Options) { o.Limits = reassign.Limits{Managed: false, PollEvery: time.Second} })
		foreign := onBroker(t, world, 3)
		require.NoError(t, world.Reassign(foreign.TopicPartition, elsewhere(foreign.Replicas)...))
		_, err := s.Drain(t.Context(), 3, pilot.DrainOptions{})
		r := refused(t, err)
		require.Equal(t, "reassignments_in_flight", r.Code)
		require.True(t, r.Overridable)

		drain, err := s.Drain(t.Context(), 3, pilot.DrainOptions{Force: true})
		require.NoError(t, err)
		require.Contains(t, drain.Execution.Message, foreign.TopicPartition.String())
		require.Contains(t, drain.Warnings[len(drain.Warnings)-1], "PILOT_THROTTLE_MANAGED=false")
		s.wait(drain.Execution.ID)
	})
}

func onBroker(t *testing.T, world *sim.Cluster, broker int32) reassign.Live {
	t.Helper()
	for _, p := range world.Partitions() {
		if slices.Contains(p.Replicas, broker) {
			return p
		}
	}
	require.FailNow(t, "nothing is on it")
	return reassign.Live{}
}

// elsewhere replaces the last replica.
func elsewhere(replicas []int32) []int32 {
	other := slices.Clone(replicas)
	for b := int32(1); b <= 5; b++ {
		if !slices.Contains(replicas, b) {
			other[len(other)-1] = b
			return other
		}
	}
	return other
}
