package executortest

import (
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

func moveCompletes(t T, f Fixture) {
	b := bench{f, t}
	x := f.Brokers
	tp := part("move-completes", 0)
	b.topic(tp.Topic, []int32{x[0], x[1]})
	b.ok(f.Fill(tp, someBytes))
	require.Equal(t, reassign.CodeOK, b.submit(tp, x[2], x[3]))
	b.settled(tp, x[2], x[3])
	b.until("a new leader", func() bool { return b.live(tp).Leader == x[2] })
	require.Equal(t, reassign.CodeOK, b.submit(tp, x[2], x[3]), "reached already")
	b.settled(tp, x[2], x[3])
}

func submitRepeats(t T, f Fixture) {
	b := bench{f, t}
	x := f.Brokers
	tp := part("submit-repeats", 0)
	release := b.held(tp.Topic, []int32{x[0], x[1]})
	for range 3 {
		require.Equal(t, reassign.CodeOK, b.submit(tp, x[2], x[1]))
		l := b.live(tp)
		require.Equal(t, []int32{x[2]}, l.Adding)
		require.Equal(t, []int32{x[0]}, l.Removing)
	}
	release()
	b.settled(tp, x[2], x[1])
}

func submitSpares(t T, f Fixture) {
	b := bench{f, t}
	x := f.Brokers
	name := "submit-spares"
	b.held(name, []int32{x[0], x[2]}, []int32{x[0], x[2]}, []int32{x[0], x[1]})
	require.Equal(t, reassign.CodeOK, b.submit(part(name, 0), x[1], x[2]))
	require.Equal(t, reassign.CodeOK, b.submit(part(name, 2), x[1], x[0]))
	b.settled(part(name, 2), x[1], x[0])
	l := b.live(part(name, 0))
	require.Equal(t, []int32{x[1]}, l.Adding, "partition 0 was not named and moves on")
	require.Equal(t, reassign.CodeOK, b.cancel(part(name, 0)))
	b.settled(part(name, 1), x[0], x[2])
}

func submitRefuses(t T, f Fixture) {
	b := bench{f, t}
	x := f.Brokers
	name := "submit-refuses"
	b.topic(name, []int32{x[0], x[1]}, []int32{x[0], x[1]}, []int32{x[0], x[1]})
	want := map[balance.TopicPartition]reassign.Code{
		part(name, 0):         reassign.CodeOK,
		part(name, 1):         reassign.CodeInvalid,
		part(name, 2):         reassign.CodeInvalid,
		part(name, 9):         reassign.CodeMissing,
		part(name+"-none", 0): reassign.CodeMissing,
	}
	outcomes, err := f.Executor.Submit(t.Context(), []reassign.Target{
		{TopicPartition: part(name, 0), Replicas: []int32{x[1], x[0]}},
		{TopicPartition: part(name, 1), Replicas: []int32{x[0], x[0]}},
		{TopicPartition: part(name, 2), Replicas: []int32{x[0], slices.Max(x) + 1000}},
		{TopicPartition: part(name, 9), Replicas: []int32{x[0]}},
		{TopicPartition: part(name+"-none", 0), Replicas: []int32{x[0]}},
	})
	b.ok(err)
	got := map[balance.TopicPartition]reassign.Code{}
	for _, o := range outcomes {
		got[o.TopicPartition] = o.Code
		oneLine(t, o.Message)
	}
	require.Len(t, outcomes, len(want), "every target has an outcome")
	require.Equal(t, want, got)
	b.settled(part(name, 0), x[1], x[0])
	b.settled(part(name, 1), x[0], x[1])
	b.settled(part(name, 2), x[0], x[1])
}

// many is more than an adapter should put into one request.
const many = 600

func submitMany(t T, f Fixture) {
	b := bench{f, t}
	x := f.Brokers
	name := "submit-many"
	assignment := make([][]int32, many)
	targets := make([]reassign.Target, many)
	query := reassign.Query{Partitions: make([]balance.TopicPartition, many)}
	for i := range many {
		assignment[i] = []int32{x[i%2], x[1-i%2]}
		query.Partitions[i] = part(name, i)
		targets[i] = reassign.Target{TopicPartition: part(name, i), Replicas: []int32{x[1-i%2], x[i%2]}}
	}
	b.ok(f.CreateTopic(name, assignment))
	if f.DeleteTopic != nil {
		t.Cleanup(func() { _ = f.DeleteTopic(name) })
	}
	b.until("all partitions in sync", func() bool { return countLive(b.view(query), 2) == many })
	outcomes, err := f.Executor.Submit(t.Context(), targets)
	b.allOK(outcomes, err)
	outcomes, err = f.Executor.Elect(t.Context(), query.Partitions)
	b.allOK(outcomes, err)
	b.until("all led by their first replicas", func() bool {
		for i, l := range b.view(query).Partitions {
			if !slices.Equal(l.Replicas, targets[i].Replicas) || l.Leader != l.Replicas[0] {
				return false
			}
		}
		return true
	})
}

func countLive(v reassign.View, inSync int) int {
	n := 0
	for _, l := range v.Partitions {
		if l.Leader >= 0 && len(l.ISR) == inSync {
			n++
		}
	}
	return n
}

func (b bench) allOK(outcomes []reassign.Outcome, err error) {
	b.t.Helper()
	b.ok(err)
	require.Len(b.t, outcomes, many)
	for _, o := range outcomes {
		require.Equal(b.t, reassign.CodeOK, o.Code, "%v: %s", o.TopicPartition, o.Message)
	}
}

func reorderElects(t T, f Fixture) {
	b := bench{f, t}
	x := f.Brokers
	tp := part("reorder-elects", 0)
	b.topic(tp.Topic, []int32{x[0], x[1], x[2]})
	require.Equal(t, reassign.CodeOK, b.submit(tp, x[2], x[0], x[1]))
	b.settled(tp, x[2], x[0], x[1])
	require.Equal(t, x[0], b.live(tp).Leader, "a reorder alone keeps the leader")
	require.Equal(t, reassign.CodeOK, b.elect(tp))
	b.until("the first replica leads", func() bool { return b.live(tp).Leader == x[2] })
	require.Equal(t, reassign.CodeOK, b.elect(tp), "it leads already")
}

func electMisses(t T, f Fixture) {
	b := bench{f, t}
	b.topic("elect-misses", []int32{f.Brokers[0]})
	require.Equal(t, reassign.CodeMissing, b.elect(part("elect-misses", 5)))
	require.Equal(t, reassign.CodeMissing, b.elect(part("elect-none", 0)))
}

func cancelDrops(t T, f Fixture) {
	b := bench{f, t}
	x := f.Brokers
	tp := part("cancel-drops", 0)
	b.held(tp.Topic, []int32{x[0], x[1], x[2]})
	require.Equal(t, reassign.CodeOK, b.submit(tp, x[3], x[1], x[0]))
	require.Equal(t, reassign.CodeOK, b.cancel(tp))
	b.settled(tp, x[1], x[0], x[2])
	require.Equal(t, reassign.CodeNothingInFlight, b.cancel(tp), "sent again")
	require.Equal(t, reassign.CodeOK, b.submit(tp, x[0], x[1], x[2]), "the order is the caller's to restore")
	b.settled(tp, x[0], x[1], x[2])
}

func cancelNothing(t T, f Fixture) {
	b := bench{f, t}
	b.topic("cancel-nothing", []int32{f.Brokers[0]})
	require.Equal(t, reassign.CodeNothingInFlight, b.cancel(part("cancel-nothing", 0)))
	require.Equal(t, reassign.CodeMissing, b.cancel(part("cancel-nothing", 5)))
	require.Equal(t, reassign.CodeMissing, b.cancel(part("cancel-none", 0)))
}

func originalsRollBack(t T, f Fixture) {
	b := bench{f, t}
	x := f.Brokers
	tp := part("originals", 0)
	b.held(tp.Topic, []int32{x[0], x[1], x[2]})
	require.Equal(t, reassign.CodeOK, b.submit(tp, x[3], x[1], x[0]))
	require.Equal(t, reassign.CodeOK, b.submit(tp, x[0], x[1], x[2]))
	b.settled(tp, x[0], x[1], x[2])
	require.Equal(t, reassign.CodeNothingInFlight, b.cancel(tp))
}
