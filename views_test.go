package pilot_test

import (
	"encoding/json"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/sim"
)

// everything asks for all views there are.
func everything(t *testing.T, s *station) map[string]any {
	t.Helper()
	ctx := t.Context()
	views := map[string]any{"health": s.Health(ctx)}
	put := func(name string, view any, err error) {
		require.NoError(t, err, name)
		views[name] = view
	}
	cluster, err := s.Cluster(ctx)
	put("cluster", cluster, err)
	report, err := s.Balance(ctx)
	put("balance", report, err)
	current, err := s.Current(ctx)
	put("current", current, err)
	proposals, err := s.Proposals(ctx)
	put("proposals", proposals, err)
	executions, err := s.Executions(ctx)
	put("executions", executions, err)
	for _, x := range executions {
		view, err := s.Execution(ctx, x.ID)
		put("execution "+x.ID, view, err)
	}
	in, err := s.InMaintenance(ctx)
	put("maintenance", in, err)
	return views
}

// TestListsAreNeverNull, so that a client can loop over them without asking.
func TestListsAreNeverNull(t *testing.T) {
	null := regexp.MustCompile(`"\w+":null`)
	check := func(views map[string]any) {
		for name, view := range views {
			text, err := json.Marshal(view)
			require.NoError(t, err)
			require.NotRegexp(t, null, string(text), name)
		}
	}
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world)
		check(everything(t, s))
		x := s.apply()
		check(everything(t, s))
		s.wait(x.ID)
		check(everything(t, s))
	})
	inBubble(t, func(t *testing.T, _ *sim.Cluster) {
		s := start(t, even(t))
		drain, err := s.Drain(t.Context(), 4, pilot.DrainOptions{})
		require.NoError(t, err)
		check(map[string]any{"drain": drain})
		s.wait(drain.Execution.ID)
		online, err := s.EndMaintenance(t.Context(), 4)
		require.NoError(t, err)
		check(map[string]any{"online": online})
	})
}

// TestReadingChangesNothing: the views of a moment are the same however often they are asked for.
func TestReadingChangesNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world)
		first, err := json.Marshal(everything(t, s))
		require.NoError(t, err)
		dump := world.Dump()
		for range 20 {
			again, err := json.Marshal(everything(t, s))
			require.NoError(t, err)
			require.Equal(t, string(first), string(again))
		}
		require.Equal(t, dump, world.Dump())
	})
}

// TestCluster counts what is there.
func TestCluster(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *sim.Cluster) {
		world := even(t)
		s := start(t, world)
		v, err := s.Cluster(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, v.Topics)
		require.Equal(t, 100, v.Partitions)
		require.Equal(t, 200, v.Replicas)
		require.Zero(t, v.UnderISR+v.Moving+v.Unmeasured)
		require.Equal(t, map[string]float64{
			"leaders": 20, "followers": 20, "disk": 4e9, "producerMessages": 2000, "producerBytes": 2e6,
			"consumerMessages": 2000, "consumerBytes": 2e6,
		}, v.Brokers[2].Load)

		require.NoError(t, world.Kill(5))
		time.Sleep(30 * time.Second)
		_, err = s.Generate(t.Context(), true)
		require.NoError(t, err)
		v, err = s.Cluster(t.Context())
		require.NoError(t, err)
		require.Equal(t, 40, v.UnderISR)
		require.Equal(t, balance.Unavailable, v.Brokers[4].State)
		p, err := s.Current(t.Context())
		require.NoError(t, err)
		require.Equal(t, balance.Paused, p.Decision.State)
	})
}

// TestMovingCountsNoReplicaThatIsBeingAdded as out of sync.
func TestMovingCountsNoReplicaThatIsBeingAdded(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *sim.Cluster) {
		world := even(t)
		s := start(t, world)
		p := world.Partitions()[0]
		require.NoError(t, world.Reassign(p.TopicPartition, elsewhere(p.Replicas)...))
		_, err := s.Generate(t.Context(), true)
		require.NoError(t, err)
		v, err := s.Cluster(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, v.Moving)
		require.Zero(t, v.UnderISR)
		health := s.Health(t.Context())
		require.True(t, health.Ready)
	})
}

// TestBalance names the farthest brokers, and the limits of the current plan where they are of the same placement.
func TestBalance(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world)
		v, err := s.Balance(t.Context())
		require.NoError(t, err)
		require.Equal(t, "Uneven", v.Summary.Badge)
		require.Len(t, v.Report.Brokers, 5)
		require.Equal(t, s.plan().Proposal.Before, v.Report)
	})
}
