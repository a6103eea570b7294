package pilot_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

// slow is an even cluster that takes a minute and more to copy a partition.
func slow(t *testing.T) *sim.Cluster {
	t.Helper()
	world := even(t)
	for b := int32(1); b <= 5; b++ {
		require.NoError(t, world.SetBandwidth(b, 1_500_000))
	}
	return world
}

// begin runs an execution of one move until it is under way, and leaves it.
func begin(t *testing.T, world *sim.Cluster, id string, partition int) balance.Move {
	t.Helper()
	p := world.Partitions()[partition]
	m := balance.Move{
		Topic: p.Topic, Partition: p.TopicPartition.Partition, From: p.Replicas, To: elsewhere(p.Replicas),
		FromLeader: p.Leader, ToLeader: p.Leader, Kind: balance.MoveBalance, CopyBytes: 100_000_000,
	}
	e, err := reassign.New(id, []balance.Move{m}, nil, reassign.Limits{})
	require.NoError(t, err)
	client := world.Client(nil)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	require.Error(t, reassign.Run(ctx, e, client, client.Journal(), reassign.RunOptions{}))
	live := at(t, world, m.Name())
	require.True(t, live.InFlight())
	return m
}

// TestSeveralUnfinished are taken up one after the other, and hold the slot until the last has ended. Nothing is known
// of what they were for, and that costs no more than the names.
func TestSeveralUnfinished(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *sim.Cluster) {
		world := slow(t)
		first, second := begin(t, world, "one", 0), begin(t, world, "two", 1)
		s := start(t, world)
		list, err := s.Executions(t.Context())
		require.NoError(t, err)
		require.Len(t, list, 2)
		require.Equal(t, "two", list[0].ID, "newest first")
		require.Equal(t, "one", list[1].ID)
		require.Equal(t, "PROPOSAL", list[0].Strategy)
		require.Empty(t, list[0].ProposalID)
		_, err = s.Drain(t.Context(), 3, pilot.DrainOptions{})
		require.Equal(t, "reassignment_running", refused(t, err).Code)

		cancelled, err := s.Cancel(t.Context(), "two")
		require.NoError(t, err, "also one that waits")
		require.True(t, cancelled.CancelRequested)
		require.Equal(t, pilot.StateCompleted, s.wait("one").State)
		require.Equal(t, pilot.StateCancelled, s.wait("two").State)
		require.Equal(t, first.To, at(t, world, first.Name()).Replicas)
		require.Equal(t, second.From, at(t, world, second.Name()).Replicas)
		noThrottles(t, world)
		journalIsEmpty(t, world)
		synctest.Wait()
		_, err = s.Current(t.Context())
		require.NoError(t, err, "a plan is made once all has ended")
	})
}

// TestStopBetweenTwo: the one that waits is not begun by a program that ends.
func TestStopBetweenTwo(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *sim.Cluster) {
		world := slow(t)
		begin(t, world, "one", 0)
		second := begin(t, world, "two", 1)
		s := start(t, world)
		time.Sleep(2 * time.Second)
		require.NoError(t, s.stop())
		list, err := s.Executions(t.Context())
		require.NoError(t, err)
		require.Len(t, list, 2)
		require.Nil(t, list[0].EndedAt)

		next := start(t, world)
		require.Equal(t, pilot.StateCompleted, next.wait("two").State)
		require.Equal(t, second.To, at(t, world, second.Name()).Replicas)
	})
}

// TestMaintenanceTakenOver: whoever has lost the journal of brokers in maintenance stops as well.
func TestMaintenanceTakenOver(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *sim.Cluster) {
		world := even(t)
		others := even(t) // keeps the state of brokers
		keeper := others.Client(nil)
		s := start(t, world, func(o *pilot.Options) { o.MaintenanceJournal = keeper.Journal() })
		drain, err := s.Drain(t.Context(), 2, pilot.DrainOptions{})
		require.NoError(t, err)
		s.wait(drain.Execution.ID)
		time.Sleep(time.Second)

		values, err := keeper.Journal().Load(t.Context()) // takes it over
		require.NoError(t, err)
		require.Contains(t, string(values["maintenance"]), `"broker":2,"phase":"maintenance"`)
		_, err = s.EndMaintenance(t.Context(), 2)
		require.ErrorIs(t, err, reassign.ErrFenced)
		require.ErrorIs(t, <-s.ended, reassign.ErrFenced)
		in, err := s.InMaintenance(t.Context())
		require.NoError(t, err)
		require.Equal(t, []int32{2}, in, "nothing was changed")
	})
}

// TestAuditLogIsBounded, and forgets the oldest.
func TestAuditLogIsBounded(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *sim.Cluster) {
		world := sim.New(sim.Config{})
		for id := int32(1); id <= 3; id++ {
			require.NoError(t, world.AddBroker(balance.Broker{ID: id, Host: "k"}))
		}
		heard := 0
		s := start(t, world, func(o *pilot.Options) { o.Audit = func(pilot.AuditEvent) { heard++ } })
		for i := range 1005 {
			_, err := s.Drain(t.Context(), int32(i%2)+1, pilot.DrainOptions{})
			require.NoError(t, err)
			_, err = s.EndMaintenance(t.Context(), int32(i%2)+1)
			require.NoError(t, err)
			time.Sleep(time.Millisecond)
		}
		require.Equal(t, 2010, heard)
		log := s.AuditLog(t.Context())
		require.Len(t, log, 1000)
		require.Equal(t, "maintenance.exit", log[0].Action)
		require.True(t, log[0].At.After(log[999].At))
	})
}
