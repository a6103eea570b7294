package executortest

import (
	"context"
	"fmt"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

func rate(n int64) *int64 { return &n }

func entry(partition int, broker int32) reassign.ThrottleEntry {
	return reassign.ThrottleEntry{Partition: int32(partition), Broker: broker}
}

func ratesKept(t T, f Fixture) {
	b := bench{f, t}
	id := f.Brokers[0]
	t.Cleanup(func() {
		_, _ = f.Executor.SetThrottles(context.Background(), []reassign.ThrottleChange{{Broker: id, LeaderRate: rate(-1), FollowerRate: rate(-1)}})
	})
	same := func(what string, leader, follower *int64) {
		t.Helper()
		want := reassign.BrokerThrottle{Broker: id, Leader: leader, Follower: follower}
		b.until(what, func() bool { return equalRates(want, b.rates(id)) })
	}
	same("not set", nil, nil)
	require.Equal(t, reassign.CodeOK, b.throttle(reassign.ThrottleChange{Broker: id, LeaderRate: rate(70 << 20), FollowerRate: rate(80 << 20)}))
	same("both set", rate(70<<20), rate(80<<20))
	require.Equal(t, reassign.CodeOK, b.throttle(reassign.ThrottleChange{Broker: id, LeaderRate: rate(90 << 20)}))
	same("nil leaves the other as it is", rate(90<<20), rate(80<<20))
	require.Equal(t, reassign.CodeOK, b.throttle(reassign.ThrottleChange{Broker: id, LeaderRate: rate(-1)}))
	same("a negative rate removes", nil, rate(80<<20))
	require.Equal(t, reassign.CodeOK, b.throttle(reassign.ThrottleChange{Broker: id, LeaderRate: rate(-1), FollowerRate: rate(-1)}))
	same("removing again is no error", nil, nil)
}

func equalRates(a, b reassign.BrokerThrottle) bool {
	return a.Broker == b.Broker && equalRate(a.Leader, b.Leader) && equalRate(a.Follower, b.Follower)
}

func equalRate(a, b *int64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// showsLists waits until a topic has these entries; nil is a list that is not set.
func (b bench) showsLists(topic string, leader, follower []reassign.ThrottleEntry) {
	b.t.Helper()
	b.until("the lists of "+topic, func() bool {
		l := b.lists(topic)
		return equalList(l.Leader, leader) && equalList(l.Follower, follower)
	})
}

func equalList(l reassign.ThrottleList, want []reassign.ThrottleEntry) bool {
	if l.All || l.Set != (want != nil) || len(l.Entries) != len(want) {
		return false
	}
	have := map[reassign.ThrottleEntry]bool{}
	for _, e := range l.Entries {
		have[e] = true
	}
	for _, e := range want {
		if !have[e] {
			return false
		}
	}
	return true
}

func listsEdited(t T, f Fixture) {
	b := bench{f, t}
	x := f.Brokers
	name := "lists-edited"
	b.topic(name, []int32{x[0]})
	change := func(c reassign.ThrottleChange) {
		t.Helper()
		c.Topic = name
		require.Equal(t, reassign.CodeOK, b.throttle(c))
	}
	type list = []reassign.ThrottleEntry
	b.showsLists(name, nil, nil)
	change(reassign.ThrottleChange{AddLeader: list{entry(0, x[0]), entry(0, x[1])}, AddFollower: list{entry(0, x[2])}})
	b.showsLists(name, list{entry(0, x[0]), entry(0, x[1])}, list{entry(0, x[2])})
	change(reassign.ThrottleChange{AddLeader: list{entry(0, x[1]), entry(7, x[3])}})
	b.showsLists(name, list{entry(0, x[0]), entry(0, x[1]), entry(7, x[3])}, list{entry(0, x[2])})
	change(reassign.ThrottleChange{DropLeader: list{entry(0, x[0]), entry(5, x[0])}, DropFollower: list{entry(0, x[2])}})
	b.showsLists(name, list{entry(0, x[1]), entry(7, x[3])}, nil)
	change(reassign.ThrottleChange{AddLeader: list{entry(1, x[0])}, DropLeader: list{entry(7, x[3])}})
	b.showsLists(name, list{entry(0, x[1]), entry(1, x[0])}, nil)
	change(reassign.ThrottleChange{DropLeader: list{entry(0, x[1]), entry(1, x[0])}})
	b.showsLists(name, nil, nil)
	change(reassign.ThrottleChange{DropLeader: list{entry(0, x[1])}})
	b.showsLists(name, nil, nil)
}

func changesIndependent(t T, f Fixture) {
	b := bench{f, t}
	x := f.Brokers
	name := "changes-independent"
	b.topic(name, []int32{x[0]})
	outcomes, err := f.Executor.SetThrottles(t.Context(), []reassign.ThrottleChange{
		{Topic: name + "-none", AddLeader: []reassign.ThrottleEntry{entry(0, x[0])}},
		{Topic: name, AddLeader: []reassign.ThrottleEntry{entry(0, x[0])}},
		{Broker: x[1], FollowerRate: rate(60 << 20)},
	})
	b.ok(err)
	t.Cleanup(func() {
		_, _ = f.Executor.SetThrottles(context.Background(), []reassign.ThrottleChange{{Broker: x[1], FollowerRate: rate(-1)}})
	})
	require.Len(t, outcomes, 3)
	require.Equal(t, reassign.CodeMissing, outcomes[0].Code, "in the order of the changes")
	require.Equal(t, reassign.CodeOK, outcomes[1].Code)
	require.Equal(t, reassign.CodeOK, outcomes[2].Code)
	b.showsLists(name, []reassign.ThrottleEntry{entry(0, x[0])}, nil)
	b.until("the rate", func() bool { return equalRate(b.rates(x[1]).Follower, rate(60<<20)) })

	found, err := f.Executor.Throttles(t.Context(), []int32{x[1], x[0]}, []string{name, name + "-none"})
	b.ok(err)
	require.Len(t, found.Topics, 1, "what does not exist is left out")
	require.Len(t, found.Brokers, 2)
	require.Equal(t, x[0], found.Brokers[0].Broker, "sorted")
}

func listsRestored(t T, f Fixture) {
	b := bench{f, t}
	x := f.Brokers
	name := "lists-restored"
	b.topic(name, []int32{x[0]})
	theirs := []reassign.ThrottleEntry{entry(0, x[3])}
	text := fmt.Sprintf("0:%d", x[3])
	b.ok(f.SetLists(name, text, text))
	b.showsLists(name, theirs, theirs)
	ours := []reassign.ThrottleEntry{entry(0, x[0]), entry(0, x[1])}
	require.Equal(t, reassign.CodeOK, b.throttle(reassign.ThrottleChange{Topic: name, AddLeader: ours, AddFollower: ours}))
	b.showsLists(name, append(ours[:2:2], theirs...), append(ours[:2:2], theirs...))
	require.Equal(t, reassign.CodeOK, b.throttle(reassign.ThrottleChange{Topic: name, DropLeader: ours, DropFollower: ours}))
	b.showsLists(name, theirs, theirs)
}

func wildcardKept(t T, f Fixture) {
	b := bench{f, t}
	x := f.Brokers
	name := "wildcard-kept"
	b.topic(name, []int32{x[0]})
	b.ok(f.SetLists(name, "*", "*"))
	all := func() bool {
		l := b.lists(name)
		return l.Leader.Set && l.Leader.All && l.Follower.Set && l.Follower.All
	}
	b.until("both lists are *", all)
	one := []reassign.ThrottleEntry{entry(0, x[0])}
	require.Equal(t, reassign.CodeInvalid, b.throttle(reassign.ThrottleChange{Topic: name, AddLeader: one}))
	require.Equal(t, reassign.CodeInvalid, b.throttle(reassign.ThrottleChange{Topic: name, AddFollower: one}))
	_ = b.throttle(reassign.ThrottleChange{Topic: name, DropLeader: one, DropFollower: one})
	require.True(t, all(), "still *")
}

func emptyCalls(t T, f Fixture) {
	b := bench{f, t}
	x := f.Brokers
	b.topic("empty-calls", []int32{x[0], x[1]})
	require.Equal(t, reassign.CodeOK, b.submit(part("empty-calls", 0), x[1], x[0]))
	b.settled(part("empty-calls", 0), x[1], x[0])
	outcomes, err := f.Executor.Submit(t.Context(), nil)
	b.ok(err)
	require.Empty(t, outcomes)
	outcomes, err = f.Executor.Elect(t.Context(), []balance.TopicPartition{})
	b.ok(err)
	require.Empty(t, outcomes)
	outcomes, err = f.Executor.Cancel(t.Context(), nil)
	b.ok(err)
	require.Empty(t, outcomes)
	changed, err := f.Executor.SetThrottles(t.Context(), nil)
	b.ok(err)
	require.Empty(t, changed)
	found, err := f.Executor.Throttles(t.Context(), nil, nil)
	b.ok(err)
	require.Empty(t, found.Brokers)
	require.Empty(t, found.Topics)
	require.Empty(t, b.view(reassign.Query{}).Partitions)
	require.Equal(t, x[0], b.live(part("empty-calls", 0)).Leader, "an empty election elects nobody")
}

func endedContext(t T, f Fixture) {
	b := bench{f, t}
	x := f.Brokers
	tp := part("ended-context", 0)
	b.topic(tp.Topic, []int32{x[0], x[1]})
	ctx, end := context.WithCancel(t.Context())
	end()
	_, err := f.Executor.Look(ctx, reassign.Query{})
	require.ErrorIs(t, err, context.Canceled)
	_, err = f.Executor.Submit(ctx, []reassign.Target{{TopicPartition: tp, Replicas: []int32{x[1], x[0]}}})
	require.ErrorIs(t, err, context.Canceled)
	_, err = f.Executor.Throttles(ctx, []int32{x[0]}, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, []int32{x[0], x[1]}, b.live(tp).Replicas, "nothing was sent")
}
