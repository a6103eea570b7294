package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/balance"
)

var _ pilot.Source = (*Source)(nil)

func TestReadShowsTheWholeCluster(t *testing.T) {
	w := newWorld(t, 4,
		&worldTopic{name: "state", id: 2, internal: true, parts: []worldPart{logOf(7, 70, 2, 1)}, settings: map[string]string{
			cleanupKey: "compact,delete", segmentKey: "1048576", minISRKey: "2",
		}},
		&worldTopic{name: "orders", id: 1, parts: []worldPart{logOf(100, 1000, 1, 2), logOf(100, 2000, 2, 3)}, settings: map[string]string{
			cleanupKey: "delete", segmentKey: "1073741824", minISRKey: "1",
		}},
	)
	w.fenced[3] = true
	w.change(func() {
		w.topics[1].parts[1].isr = []int32{2}
		w.topics[1].parts[0].sizes[2] = 900 // it has been cut already
	})
	c, p := w.read(t)
	require.Equal(t, []balance.Broker{
		{ID: 1, Host: "127.0.0.1"}, {ID: 2, Host: "127.0.0.1"},
		{ID: 3, Host: "127.0.0.1", State: balance.Unavailable}, {ID: 4, Host: "127.0.0.1"},
	}, c.Brokers)
	require.Equal(t, []balance.Topic{
		{Name: "orders", ID: "AQAAAAAAAAAAAAAAAAAAAA", SegmentBytes: 1 << 30, MinISR: 1},
		{Name: "state", ID: "AgAAAAAAAAAAAAAAAAAAAA", SegmentBytes: 1 << 20, MinISR: 2, Compacted: true, Internal: true},
	}, c.Topics)
	require.Len(t, c.Partitions, 3)
	require.Equal(t, []int32{1, 2}, p["orders-0"].Replicas)
	require.Equal(t, []int64{1000, 900}, p["orders-0"].ReplicaBytes)
	require.EqualValues(t, 1000, p["orders-0"].SizeBytes)
	require.Equal(t, []int32{2}, p["orders-1"].ISR)
	require.Equal(t, []int64{2000, 2000}, p["orders-1"].ReplicaBytes, "what is on a broker that is down counts as the leader's")
	require.Equal(t, []int64{70, 70}, p["state-0"].ReplicaBytes)
}

// The first reading knows rates by time stamps already, the next by what was measured.
func TestReadKnowsRates(t *testing.T) {
	w := newWorld(t, 3, &worldTopic{name: "orders", id: 1, settings: map[string]string{cleanupKey: "delete"}, parts: []worldPart{
		logOf(360_000, 3_600_000, 1, 2), logOf(720_000, 7_200_000, 1, 2), logOf(360_000, 3_600_000, 2, 1),
	}})
	one := balance.TopicPartition{Topic: "orders", Partition: 1}
	w.groups["billing"] = &worldGroup{coordinator: 3, state: "Stable", offsets: map[balance.TopicPartition]int64{one: 720_000}}
	w.groups["gone"] = &worldGroup{coordinator: 3, state: "Empty", code: 15, offsets: map[balance.TopicPartition]int64{one: 5}}
	_, p := w.read(t)
	require.InDelta(t, 100, p["orders-0"].ProduceMessages, 1, "half of it in the last 30 minutes")
	require.InDelta(t, 1000, p["orders-0"].ProduceBytes, 10)
	require.InDelta(t, 200, p["orders-1"].ConsumeMessages, 2)
	require.InDelta(t, 2000, p["orders-1"].ConsumeBytes, 20)
	require.Zero(t, p["orders-0"].ConsumeMessages)
	for name := range p {
		require.False(t, p[name].Unmeasured, name)
	}
	require.NotContains(t, w.askedFor(kmsg.OffsetFetch), int32(1), "no group is there")

	w.watch(t, 3)
	_, p = w.read(t)
	require.Greater(t, p["orders-0"].ProduceMessages, 1000., "these are thousands in some milliseconds")
	require.InEpsilon(t, 2*p["orders-0"].ProduceMessages, p["orders-1"].ProduceMessages, 1e-9, "the same leader at the same times")
	require.InEpsilon(t, 10*p["orders-1"].ProduceMessages, p["orders-1"].ProduceBytes, 1e-9)
	require.Greater(t, p["orders-1"].ConsumeMessages, 1000.)
}

// A move is shown with the replicas that it is to have. What is copied counts as large as the leader's.
func TestReadShowsMoves(t *testing.T) {
	w := newWorld(t, 4, &worldTopic{name: "orders", id: 1, parts: []worldPart{logOf(100, 1000, 1, 2), logOf(100, 1000, 1, 2)}})
	w.watch(t, 1)
	w.change(func() {
		w.listed = moves("orders", 0, []int32{4, 2, 1}, []int32{4}, []int32{1})
		w.topics[0].parts[0].sizes[4] = 10
	})
	_, p := w.read(t)
	require.Equal(t, []int32{4, 2}, p["orders-0"].Replicas)
	require.EqualValues(t, 1, p["orders-0"].Leader)
	require.Equal(t, &balance.Change{Adding: []int32{4}, Removing: []int32{1}}, p["orders-0"].Moving)
	require.Equal(t, []int64{11_000, 11_000}, p["orders-0"].ReplicaBytes)
	require.False(t, p["orders-0"].Unmeasured)
	require.Nil(t, p["orders-1"].Moving)
}

// A topic that came since the last reading is named to the controller too, although metadata names it later.
func TestReadShowsMovesOfNewTopics(t *testing.T) {
	w := newWorld(t, 3, &worldTopic{name: "orders", id: 1, parts: []worldPart{logOf(100, 1000, 1, 2)}})
	w.read(t)
	w.change(func() {
		w.topics = append(w.topics, &worldTopic{name: "new", id: 9, parts: []worldPart{logOf(0, 0, 1, 2)}})
		w.listed = moves("new", 0, []int32{3, 2, 1}, []int32{3}, []int32{1})
	})
	_, p := w.read(t)
	require.Equal(t, []int32{3, 2}, p["new-0"].Replicas)
}

// A move has just ended, which the first broker does not know yet: it shows old and new replicas together.
func TestReadAsksAnotherBrokerWhenMetadataTrails(t *testing.T) {
	w := newWorld(t, 3, &worldTopic{name: "orders", id: 1, parts: []worldPart{logOf(100, 1000, 1, 2)}})
	w.watch(t, 1)
	w.read(t)
	w.change(func() {
		union := logOf(100, 1000, 1, 2)
		union.replicas = []int32{3, 2, 1}
		w.old, w.trail[1] = []*worldTopic{{name: "orders", id: 1, parts: []worldPart{union}}}, true
		w.topics[0].parts[0] = logOf(11_100, 111_000, 3, 2)
		w.topics[0].parts[0].epoch = 1
	})
	_, p := w.read(t)
	require.Equal(t, []int32{3, 2}, p["orders-0"].Replicas)
}

// An old leader epoch is the other sign of metadata that trails. When all brokers are behind it is left open.
func TestReadLeavesOpenWhatAllBrokersShowOld(t *testing.T) {
	w := newWorld(t, 2, &worldTopic{name: "orders", id: 1, parts: []worldPart{logOf(100, 1000, 1, 2), logOf(100, 1000, 2, 1)}})
	w.watch(t, 1)
	w.change(func() { w.topics[0].parts[0].epoch = 5 })
	_, p := w.read(t)
	require.False(t, p["orders-0"].Unmeasured)
	w.change(func() { w.topics[0].parts[0].epoch = 4 })
	_, p = w.read(t)
	require.True(t, p["orders-0"].Unmeasured)
	require.False(t, p["orders-1"].Unmeasured)
	_, p = w.read(t)
	require.False(t, p["orders-0"].Unmeasured, "so it is, then")
}

// What Kafka's parts say does not fit together in the middle of changes. A reading never contradicts itself.
func TestReadIsConsistentWhenItsPartsAreNot(t *testing.T) {
	w := newWorld(t, 3, &worldTopic{name: "orders", id: 1, parts: []worldPart{logOf(100, 1000, 1, 2)}})
	w.change(func() {
		w.listed = moves("orders", 0, []int32{9, 2}, []int32{9}, nil) // broker 1 has gone meanwhile, 9 is not registered
	})
	c, p := w.read(t)
	require.Equal(t, []int32{9, 2}, p["orders-0"].Replicas)
	require.Equal(t, []int32{2}, p["orders-0"].ISR)
	require.EqualValues(t, -1, p["orders-0"].Leader)
	require.True(t, p["orders-0"].Unmeasured)
	require.Contains(t, c.Brokers, balance.Broker{ID: 9, State: balance.Unavailable})
}

func TestReadLeavesUnknownSizesOpen(t *testing.T) {
	w := newWorld(t, 3, &worldTopic{name: "orders", id: 1, parts: []worldPart{logOf(100, 1000, 1, 2), logOf(100, 1000, 2, 1)}})
	w.change(func() { delete(w.topics[0].parts[0].sizes, 2) }) // its log directory has failed
	w.watch(t, 1)
	_, p := w.read(t)
	require.True(t, p["orders-0"].Unmeasured)
	require.Equal(t, []int64{11_000, 11_000}, p["orders-0"].ReplicaBytes)
	require.False(t, p["orders-1"].Unmeasured)
}

func TestReadLeavesLeaderlessPartitionsOpen(t *testing.T) {
	w := newWorld(t, 2, &worldTopic{name: "orders", id: 1, parts: []worldPart{logOf(100, 1000, 1, 2), logOf(100, 1000, 2, 1)}})
	w.watch(t, 1)
	w.change(func() { w.topics[0].parts[0].leader, w.topics[0].parts[0].isr = -1, nil })
	_, p := w.read(t)
	require.True(t, p["orders-0"].Unmeasured)
	require.EqualValues(t, -1, p["orders-0"].Leader)
	require.EqualValues(t, 11_000, p["orders-0"].SizeBytes)
	require.False(t, p["orders-1"].Unmeasured)
}

// One broker hangs. A round is over when the patience with it is, the others are measured, and it is left in peace.
func TestAHungBrokerHidesItsOwnPartitionsAlone(t *testing.T) {
	w := newWorld(t, 3, &worldTopic{name: "orders", id: 1, parts: []worldPart{logOf(100, 1000, 1, 2), logOf(100, 1000, 2, 1)}})
	w.watch(t, 1)
	w.source.history = SourceConfig{Every: 200 * time.Millisecond, SizesEvery: time.Hour, Window: time.Hour, Enough: time.Millisecond}.history()
	w.watch(t, 1)
	for _, key := range []kmsg.Key{kmsg.ListOffsets, kmsg.DescribeLogDirs, kmsg.ListGroups} {
		w.instead(key, func(b *fakeBroker, request kmsg.Request) kmsg.Response {
			if b.id == 2 {
				return hang
			}
			switch r := request.(type) {
			case *kmsg.ListOffsetsRequest:
				return w.offsets(b, r)
			case *kmsg.DescribeLogDirsRequest:
				return w.logDirs(b)
			}
			return w.list(b)
		})
	}
	r, err := w.source.Sample(t.Context())
	require.NoError(t, err)
	require.Equal(t, []int32{2}, r.Silent)
	require.Equal(t, 1, r.Answered)
	asked := len(w.askedFor(kmsg.ListOffsets))
	require.Eventually(t, func() bool {
		r, err := w.source.Sample(t.Context())
		require.NoError(t, err)
		require.Equal(t, []int32{2}, r.Silent, "it has not answered this round either")
		_, p := w.read(t)
		require.False(t, p["orders-0"].Unmeasured)
		return p["orders-1"].Unmeasured
	}, 10*time.Second, time.Millisecond)
	require.NotContains(t, w.askedFor(kmsg.ListOffsets)[asked:], int32(2))
}

func TestWhatTheUserMayNotSeeIsAnError(t *testing.T) {
	for name, c := range map[string]struct {
		hide func(w *sourceWorld)
		want string
	}{
		"anything": {func(w *sourceWorld) {
			w.topics[0].hidden = true
			w.instead(kmsg.DescribeLogDirs, func(*fakeBroker, kmsg.Request) kmsg.Response {
				r := kmsg.NewPtrDescribeLogDirsResponse()
				r.ErrorCode = 31
				return r
			})
		}, "the user lacks DESCRIBE on the cluster"},
		"topics": {func(w *sourceWorld) { w.topics[0].hidden = true }, `the user lacks DESCRIBE on topic "orders", and perhaps on others`},
		"what is in flight": {func(w *sourceWorld) {
			w.instead(kmsg.ListPartitionReassignments, func(*fakeBroker, kmsg.Request) kmsg.Response {
				r := kmsg.NewPtrListPartitionReassignmentsResponse()
				r.ErrorCode = 31
				return r
			})
		}, "the user lacks DESCRIBE on the cluster"},
		"a group": {func(w *sourceWorld) { w.groups["billing"] = &worldGroup{coordinator: 1, state: "Stable", code: 30} },
			`the user lacks DESCRIBE on group "billing", and perhaps on others`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 2, &worldTopic{name: "orders", id: 1, parts: []worldPart{logOf(100, 1000, 1, 2)}})
			w.change(func() {})
			c.hide(w)
			_, err := w.source.Read(t.Context())
			var lacks *DeniedError
			require.ErrorAs(t, err, &lacks)
			require.ErrorContains(t, err, c.want)
		})
	}
}

// A cluster can be empty, a topic can have been made this moment, and settings need not be seen.
func TestWhatIsNoLackOfPermission(t *testing.T) {
	w := newWorld(t, 2)
	c, _ := w.read(t)
	require.Empty(t, c.Partitions)
	require.Len(t, c.Brokers, 2)

	w.instead(kmsg.DescribeLogDirs, func(b *fakeBroker, _ kmsg.Request) kmsg.Response {
		r := w.logDirs(b).(*kmsg.DescribeLogDirsResponse)
		r.Dirs[0].Topics = append(r.Dirs[0].Topics, kmsg.DescribeLogDirsResponseDirTopic{Topic: "deleted", Partitions: []kmsg.DescribeLogDirsResponseDirTopicPartition{{}}})
		return r
	})
	time.Sleep(2 * time.Millisecond)
	w.read(t)

	w.change(func() { w.topics = []*worldTopic{{name: "orders", id: 1, parts: []worldPart{logOf(100, 1000, 1)}}} })
	w.instead(kmsg.DescribeConfigs, func(_ *fakeBroker, request kmsg.Request) kmsg.Response {
		r := described(request.(*kmsg.DescribeConfigsRequest), nil).(*kmsg.DescribeConfigsResponse)
		r.Resources[0].ErrorCode = 29
		return r
	})
	w.watch(t, 1)
	c, p := w.read(t)
	require.Equal(t, balance.Topic{Name: "orders", ID: "AQAAAAAAAAAAAAAAAAAAAA"}, c.Topics[0])
	require.True(t, p["orders-0"].Unmeasured, "for all one knows it is compacted; its growth will tell the size of messages")
	require.Positive(t, p["orders-0"].ProduceMessages)
}

func TestSettingsAreAskedForOncePerTopic(t *testing.T) {
	w := newWorld(t, 1, &worldTopic{name: "orders", id: 1, settings: map[string]string{segmentKey: "5"}, parts: []worldPart{logOf(100, 1000, 1)}})
	w.watch(t, 3)
	c, _ := w.read(t)
	require.EqualValues(t, 5, c.Topics[0].SegmentBytes)
	require.Len(t, w.askedFor(kmsg.DescribeConfigs), 1)

	w.change(func() { w.topics[0].id, w.topics[0].settings = 2, map[string]string{segmentKey: "6"} }) // deleted and made again
	c, p := w.read(t)
	require.EqualValues(t, 6, c.Topics[0].SegmentBytes)
	require.True(t, p["orders-0"].Unmeasured, "it is another topic")
	require.Len(t, w.askedFor(kmsg.DescribeConfigs), 2)

	w.source.settings.freshAt = time.Now()
	w.change(func() { w.topics[0].settings = map[string]string{segmentKey: "7"} })
	c, _ = w.read(t)
	require.EqualValues(t, 7, c.Topics[0].SegmentBytes, "they are read again from time to time")
}

// Many groups are asked about in few requests. One that has gone meanwhile is no trouble; a coordinator that says it is
// none any more makes the round incomplete.
func TestGroups(t *testing.T) {
	w := newWorld(t, 2, &worldTopic{name: "orders", id: 1, parts: []worldPart{logOf(100, 1000, 1)}})
	for i := range 120 {
		name := fmt.Sprintf("g%d", i)
		w.groups[name] = &worldGroup{coordinator: 2, state: "Stable", offsets: map[balance.TopicPartition]int64{orders: 100, {Topic: "gone"}: 5}}
	}
	r, err := w.source.Sample(t.Context())
	require.NoError(t, err)
	require.Equal(t, 120, r.Groups)
	require.Equal(t, []int32{2, 2, 2}, w.askedFor(kmsg.OffsetFetch))

	w.change(func() { w.groups["g7"].code = 69 })
	r, err = w.source.Sample(t.Context())
	require.NoError(t, err)
	require.Equal(t, 119, r.Groups)
	require.Empty(t, r.Silent)

	w.change(func() { w.groups["g7"].code = 16 })
	r, err = w.source.Sample(t.Context())
	require.NoError(t, err)
	require.Equal(t, []int32{2}, r.Silent)
	require.Equal(t, 1, r.Answered)
}

func TestMeasureTellsItsProgress(t *testing.T) {
	w := newWorld(t, 2, &worldTopic{name: "orders", id: 1, parts: []worldPart{logOf(100, 1000, 1), logOf(100, 1000, 2)}})
	w.source.config.Every = 20 * time.Millisecond
	var told []Progress
	err := w.source.Measure(t.Context(), 100*time.Millisecond, func(p Progress) {
		told = append(told, p)
		w.pass(10)
	})
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(told), 3)
	require.Equal(t, Progress{Total: 100 * time.Millisecond, Rounds: 1, Partitions: 2, Known: 2}, withoutTime(told[0]))
	last := told[len(told)-1]
	require.Equal(t, Progress{Total: 100 * time.Millisecond, Rounds: len(told), Partitions: 2, Known: 2}, withoutTime(last))
	require.Equal(t, last.Total, last.Elapsed)
	require.True(t, slices.IsSortedFunc(told, func(a, b Progress) int { return int(a.Elapsed - b.Elapsed) }))
}

func withoutTime(p Progress) Progress {
	p.Elapsed = 0
	return p
}

func TestMeasureEndsWithItsContextAndItsFirstFailure(t *testing.T) {
	w := newWorld(t, 1, &worldTopic{name: "orders", id: 1, parts: []worldPart{logOf(100, 1000, 1)}})
	w.source.config.Enough = 30 * time.Second
	require.ErrorContains(t, w.source.Measure(t.Context(), 29*time.Second, nil), "it takes at least 30s")

	ctx, cancel := context.WithCancelCause(t.Context())
	bored := errors.New("bored")
	require.ErrorIs(t, w.source.Measure(ctx, time.Hour, func(Progress) { cancel(bored) }), bored)

	w.topics[0].hidden = true
	var lacks *DeniedError
	require.ErrorAs(t, w.source.Measure(t.Context(), time.Hour, nil), &lacks)
}

func TestRunTakesRoundsUntilItsContextEnds(t *testing.T) {
	w := newWorld(t, 1, &worldTopic{name: "orders", id: 1, parts: []worldPart{logOf(100, 1000, 1)}})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- w.source.Run(ctx) }()
	require.Eventually(t, func() bool { return len(w.askedFor(kmsg.ListGroups)) >= 3 }, 10*time.Second, time.Millisecond)
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
}

// Rounds that several ask for at once come one after the other.
func TestReadsSideBySide(t *testing.T) {
	w := newWorld(t, 2, &worldTopic{name: "orders", id: 1, parts: []worldPart{logOf(100, 1000, 1, 2)}})
	errs := make(chan error)
	for range 8 {
		go func() {
			_, err := w.source.Read(t.Context())
			if err == nil {
				_, err = w.source.Health(t.Context())
			}
			errs <- err
		}()
	}
	for range 8 {
		require.NoError(t, <-errs)
	}
	ctx, cancel := context.WithCancel(t.Context())
	w.source.turn <- struct{}{}
	cancel()
	_, err := w.source.Sample(ctx)
	require.ErrorIs(t, err, context.Canceled, "who waits for a round can give up")
}

func TestSourceDefaults(t *testing.T) {
	require.Equal(t, SourceConfig{
		Every: 30 * time.Second, SizesEvery: time.Minute, Window: 30 * time.Minute, Enough: 30 * time.Second, Patience: 5 * time.Second,
	}, SourceConfig{}.withDefaults())
	require.Equal(t, time.Second, SourceConfig{Every: time.Second}.withDefaults().Every)
}
