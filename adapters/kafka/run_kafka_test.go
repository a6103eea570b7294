//go:build kafka

package kafka

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/IBM/sarama"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/kafkatest"
	"github.com/kafka-pilot/pilot/reassign"
)

// moved is a move of one partition.
func moved(topic string, i int, from, to []int32) balance.Move {
	return balance.Move{Topic: topic, Partition: int32(i), From: from, To: to, FromLeader: from[0], ToLeader: to[0], Kind: balance.MoveBalance}
}

// at reads with the harness, not with our code, where a partition is.
func at(t *testing.T, c *kafkatest.Cluster, topic string, i int) kafkatest.Partition {
	t.Helper()
	placed, err := c.PlacementOf(topic)
	require.NoError(t, err)
	return placed[i]
}

// setOn returns the throttles of a topic and of all brokers.
func setOn(t *testing.T, c *kafkatest.Cluster, topic string) []kafkatest.Throttle {
	t.Helper()
	all, err := c.Throttles()
	require.NoError(t, err)
	return slices.DeleteFunc(all, func(th kafkatest.Throttle) bool {
		return th.Resource != "topic "+topic && th.Resource[:6] == "topic "
	})
}

// A whole execution: leaders, copies under a throttle, the record in the journal. What an operator had set before is
// there afterwards, nothing of ours is, and another tool's move is not touched.
func TestKafkaRunsAnExecution(t *testing.T) {
	c := shared.Cluster(t)
	topicOf(t, c, "run", []int32{1, 2}, []int32{1, 2}, []int32{2, 1}, []int32{3, 1})
	topicOf(t, c, "run-theirs", []int32{1})
	a := admin(t, c)
	require.NoError(t, c.Fill("run", 8<<20))
	require.NoError(t, c.Fill("run-theirs", 4<<20))
	require.NoError(t, setConfig(a, sarama.TopicResource, "run", map[string]string{leaderListKey: "3:4"}))
	require.NoError(t, setConfig(a, sarama.BrokerResource, "1", map[string]string{leaderRateKey: "90000000"}))
	t.Cleanup(func() { _ = setConfig(a, sarama.BrokerResource, "1", map[string]string{leaderRateKey: ""}) })
	var before []kafkatest.Throttle
	require.True(t, eventually(func() bool { before = setOn(t, c, "run"); return len(before) == 2 }))
	release, err := hold(a, "run-theirs")
	require.NoError(t, err)
	t.Cleanup(release)
	require.NoError(t, a.AlterPartitionReassignments("run-theirs", [][]int32{{5}}))

	x := NewExecutor(open(t, c, ClientConfig{}))
	j, err := OpenJournal(t.Context(), open(t, c, ClientConfig{}), "journal-run")
	require.NoError(t, err)
	e, err := reassign.New("run-1", []balance.Move{
		moved("run", 0, []int32{1, 2}, []int32{2, 1}), // the leader alone
		moved("run", 1, []int32{1, 2}, []int32{3, 4}),
		moved("run", 2, []int32{2, 1}, []int32{5, 1}),
	}, nil, reassign.Limits{Managed: true, Throttle: 20 << 20, PollEvery: 200 * time.Millisecond})
	require.NoError(t, err)
	var last reassign.Progress
	require.NoError(t, reassign.Run(t.Context(), e, x, j, reassign.RunOptions{OnProgress: func(p reassign.Progress) { last = p }}))
	require.Equal(t, 3, last.Completed, "%+v", last)
	require.Empty(t, last.Leftovers)

	for i, want := range [][]int32{{2, 1}, {3, 4}, {5, 1}, {3, 1}} {
		require.Equal(t, want, at(t, c, "run", i).Replicas)
		require.Equal(t, want[0], at(t, c, "run", i).Leader)
	}
	release() // their hold is a throttle, too
	require.True(t, eventually(func() bool { return slices.Equal(at(t, c, "run-theirs", 0).Replicas, []int32{5}) }), "their move goes on to its end")
	require.True(t, eventually(func() bool { return slices.Equal(before, setOn(t, c, "run")) }), "%v, not %v", before, setOn(t, c, "run"))
	values, err := j.Load(t.Context())
	require.NoError(t, err)
	require.Empty(t, values, "the record is gone")
}

// The program dies in the middle of a copy. Another instance takes the journal over, finds the record and ends what
// was begun; the first one, should it live on, is fenced before it changes anything.
func TestKafkaAnotherInstanceTakesAnExecutionUp(t *testing.T) {
	c := shared.Cluster(t)
	topicOf(t, c, "taken-up", []int32{1, 2})
	require.NoError(t, c.Fill("taken-up", 16<<20))
	first := open(t, c, ClientConfig{})
	j, err := OpenJournal(t.Context(), first, "journal-taken-up")
	require.NoError(t, err)
	e, err := reassign.New("taken-up-1", []balance.Move{moved("taken-up", 0, []int32{1, 2}, []int32{4, 3})}, nil,
		reassign.Limits{Managed: true, Throttle: 1 << 20, PollEvery: 100 * time.Millisecond})
	require.NoError(t, err)
	ctx, die := context.WithCancelCause(t.Context())
	killed := errors.New("killed")
	var watch sync.WaitGroup
	watch.Go(func() {
		eventually(func() bool { inFlight, err := c.Moves(); return err == nil && len(inFlight) > 0 })
		die(killed)
	})
	err = reassign.Run(ctx, e, NewExecutor(first), j, reassign.RunOptions{})
	watch.Wait()
	require.ErrorIs(t, err, killed)
	require.NotEmpty(t, setOn(t, c, "taken-up"), "its throttles are still there")

	second := open(t, c, ClientConfig{})
	taken, err := OpenJournal(t.Context(), second, "journal-taken-up")
	require.NoError(t, err)
	values, err := taken.Load(t.Context())
	require.NoError(t, err)
	restored, err := reassign.Restore(values)
	require.NoError(t, err)
	require.Len(t, restored, 1)
	var last reassign.Progress
	require.NoError(t, reassign.Run(t.Context(), restored[0], NewExecutor(second), taken, reassign.RunOptions{OnProgress: func(p reassign.Progress) { last = p }}))
	require.Equal(t, 1, last.Completed, "%+v", last)
	require.Equal(t, []int32{4, 3}, at(t, c, "taken-up", 0).Replicas)
	require.True(t, eventually(func() bool { return len(setOn(t, c, "taken-up")) == 0 }))

	e, err = reassign.New("taken-up-2", []balance.Move{moved("taken-up", 0, []int32{4, 3}, []int32{1, 2})}, nil, reassign.Limits{})
	require.NoError(t, err)
	require.ErrorIs(t, reassign.Run(t.Context(), e, NewExecutor(first), j, reassign.RunOptions{}), reassign.ErrFenced)
	require.Equal(t, []int32{4, 3}, at(t, c, "taken-up", 0).Replicas)
}
