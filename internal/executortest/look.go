package executortest

import (
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

func lookShows(t T, f Fixture) {
	b := bench{f, t}
	x := f.Brokers
	b.topic("look-shows", []int32{x[1], x[0]}, []int32{x[2], x[3]})
	view := b.view(reassign.Query{Partitions: []balance.TopicPartition{part("look-shows", 0), part("look-shows", 1)}})
	require.Len(t, view.Partitions, 2)
	first := view.Partitions[0]
	require.Equal(t, part("look-shows", 0), first.TopicPartition, "sorted")
	require.Equal(t, []int32{x[1], x[0]}, first.Replicas, "in their order")
	require.ElementsMatch(t, []int32{x[0], x[1]}, first.ISR)
	require.Equal(t, x[1], first.Leader)
	require.False(t, first.InFlight())
	require.NotEmpty(t, first.TopicID)
	require.Equal(t, first.TopicID, view.Partitions[1].TopicID)
	require.Equal(t, int32(1), first.MinISR)
	require.Empty(t, first.Sizes, "not asked for")
	require.Equal(t, f.Brokers, view.Alive)
	require.False(t, view.At.IsZero())
	require.Empty(t, view.Missing)
}

func lookMisses(t T, f Fixture) {
	b := bench{f, t}
	b.topic("look-misses", []int32{f.Brokers[0]})
	asked := []balance.TopicPartition{
		part("look-absent", 0), part("look-absent", 2), part("look-misses", 0), part("look-misses", 1),
	}
	view := b.view(reassign.Query{Partitions: asked, Sizes: true})
	require.Len(t, view.Partitions, 1)
	require.Equal(t, []balance.TopicPartition{asked[0], asked[1], asked[3]}, view.Missing)
}

func lookMeasures(t T, f Fixture) {
	b := bench{f, t}
	x := f.Brokers
	tp := part("look-measures", 0)
	b.topic(tp.Topic, []int32{x[2], x[0], x[1]})
	b.ok(f.Fill(tp, someBytes))
	var sizes []reassign.ReplicaSize
	b.until("every replica measured", func() bool {
		sizes = b.live(tp).Sizes
		return len(sizes) == 3 && smallest(sizes) >= someBytes/2
	})
	for i, broker := range x[:3] {
		require.Equal(t, broker, sizes[i].Broker, "sorted by broker")
	}
}

func smallest(sizes []reassign.ReplicaSize) int64 {
	least := sizes[0].Bytes
	for _, s := range sizes {
		least = min(least, s.Bytes)
	}
	return least
}

func lookMoving(t T, f Fixture) {
	b := bench{f, t}
	x := f.Brokers
	tp := part("look-moving", 0)
	b.held(tp.Topic, []int32{x[0], x[1], x[2]})
	require.Equal(t, reassign.CodeOK, b.submit(tp, x[3], x[1], x[0]))
	b.until("the move shows", func() bool { l := b.live(tp); return l.InFlight() })
	l := b.live(tp)
	require.Equal(t, []int32{x[3], x[1], x[0], x[2]}, l.Replicas, "the target, then what is removed")
	require.Equal(t, []int32{x[3]}, l.Adding)
	require.Equal(t, []int32{x[2]}, l.Removing)
	require.Equal(t, x[0], l.Leader)
	require.False(t, slices.Contains(l.ISR, x[3]))
	b.until("the receiver has less than the leader", func() bool {
		l := b.live(tp)
		from, to := sizeOn(l, x[0]), sizeOn(l, x[3])
		return from >= 0 && to >= 0 && to < from
	})
	view := b.view(reassign.Query{Partitions: []balance.TopicPartition{tp}})
	require.NotContains(t, view.Foreign, tp, "it was asked about")
	require.Equal(t, reassign.CodeOK, b.submit(tp, x[0], x[1], x[2]))
}

// sizeOn returns the bytes on a broker, -1 when they are not known.
func sizeOn(l reassign.Live, broker int32) int64 {
	for _, s := range l.Sizes {
		if s.Broker == broker {
			return s.Bytes
		}
	}
	return -1
}

func foreignListed(t T, f Fixture) {
	b := bench{f, t}
	x := f.Brokers
	theirs, ours := part("foreign-theirs", 0), part("foreign-ours", 0)
	release := b.held(theirs.Topic, []int32{x[0]})
	b.topic(ours.Topic, []int32{x[0]})
	b.ok(f.Reassign(theirs, []int32{x[1]}))
	var view reassign.View
	b.until("their move shows", func() bool {
		view = b.view(reassign.Query{Partitions: []balance.TopicPartition{ours}})
		return slices.Contains(view.Foreign, theirs)
	})
	require.NotContains(t, view.Foreign, ours)
	require.True(t, slices.IsSortedFunc(view.Foreign, balance.TopicPartition.Compare))
	none := b.view(reassign.Query{})
	require.Contains(t, none.Foreign, theirs, "also when nothing is asked about")
	asked := b.view(reassign.Query{Partitions: []balance.TopicPartition{theirs}})
	require.NotContains(t, asked.Foreign, theirs)
	release()
	b.settled(theirs, x[1])
}

func deletedMissing(t T, f Fixture) {
	b := bench{f, t}
	x := f.Brokers
	tp := part("deleted", 0)
	release := b.held(tp.Topic, []int32{x[0], x[1]})
	before := b.live(tp).TopicID
	require.Equal(t, reassign.CodeOK, b.submit(tp, x[2], x[1]))
	b.ok(f.DeleteTopic(tp.Topic))
	b.until("the topic is missing", func() bool { _, found := b.find(tp); return !found })
	require.Equal(t, reassign.CodeMissing, b.submit(tp, x[2], x[1]))
	require.Equal(t, reassign.CodeMissing, b.cancel(tp))
	release()
	b.topic(tp.Topic, []int32{x[0], x[1]})
	require.NotEqual(t, before, b.live(tp).TopicID)
	require.Equal(t, reassign.CodeNothingInFlight, b.cancel(tp), "the move died with the topic")
}

func deadBroker(t T, f Fixture) {
	b := bench{f, t}
	x := f.Brokers
	tp := part("dead-broker", 0)
	dead := x[len(x)-1]
	b.topic(tp.Topic, []int32{x[0], dead})
	require.Equal(t, reassign.CodeOK, b.submit(tp, dead, x[0]))
	b.ok(f.Kill(dead))
	b.until("the broker is not alive", func() bool {
		return !slices.Contains(b.view(reassign.Query{}).Alive, dead)
	})
	rate := int64(1 << 20)
	require.Equal(t, reassign.CodeUnreachable, b.throttle(reassign.ThrottleChange{Broker: dead, LeaderRate: &rate}))
	found, err := f.Executor.Throttles(t.Context(), []int32{x[0], dead}, nil)
	b.ok(err)
	require.Len(t, found.Brokers, 1, "what does not answer is left out")
	require.Equal(t, reassign.CodeNotInSync, b.elect(tp))
	require.Less(t, sizeOn(b.live(tp), dead), int64(0), "what does not answer has no size")
	b.ok(f.Start(dead))
	b.until("the broker is back in sync", func() bool {
		return slices.Contains(b.view(reassign.Query{}).Alive, dead) && len(b.live(tp).ISR) == 2
	})
	require.Equal(t, reassign.CodeOK, b.elect(tp))
}
