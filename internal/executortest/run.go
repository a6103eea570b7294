package executortest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

// T is what a case needs of a *testing.T.
type T interface {
	require.TestingT
	Helper()
	Cleanup(func())
	Context() context.Context
}

// Run runs every case that the fixture allows as a subtest. fresh is called once for each, and once before to learn
// what the fixture can do; it may return the same cluster every time.
func Run(t *testing.T, fresh func(t *testing.T) Fixture) {
	able := fresh(t)
	for _, c := range Cases() {
		if c.Needs != nil && !c.Needs(able) {
			t.Logf("left out, the fixture lacks what it needs: %s", c.Name)
			continue
		}
		t.Run(c.Name, func(t *testing.T) { c.Run(t, fresh(t)) })
	}
}

// bench is a fixture at work in one case.
type bench struct {
	Fixture
	t T
}

func (b bench) ok(err error) {
	b.t.Helper()
	require.NoError(b.t, err)
}

// topic creates a topic and waits until all its replicas are in sync.
func (b bench) topic(name string, assignment ...[]int32) {
	b.t.Helper()
	b.ok(b.CreateTopic(name, assignment))
	if b.DeleteTopic != nil {
		b.t.Cleanup(func() { _ = b.DeleteTopic(name) })
	}
	b.until("all replicas in sync", func() bool {
		for i, replicas := range assignment {
			live, found := b.find(part(name, i))
			if !found || len(live.ISR) != len(replicas) || live.Leader != replicas[0] {
				return false
			}
		}
		return true
	})
}

// held is topic with data in partition 0 and its moves held.
func (b bench) held(name string, assignment ...[]int32) (release func()) {
	b.t.Helper()
	b.topic(name, assignment...)
	b.ok(b.Fill(part(name, 0), someBytes))
	release, err := b.Hold(name)
	b.ok(err)
	b.t.Cleanup(release)
	return release
}

// someBytes is enough that a move can be held.
const someBytes = 4 << 20

func part(topic string, i int) balance.TopicPartition {
	return balance.TopicPartition{Topic: topic, Partition: int32(i)}
}

func (b bench) until(what string, done func() bool) {
	b.t.Helper()
	require.True(b.t, b.Wait(done), "it did not come to this: %s", what)
}

func (b bench) view(q reassign.Query) reassign.View {
	b.t.Helper()
	view, err := b.Executor.Look(b.t.Context(), q)
	b.ok(err)
	return view
}

func (b bench) find(tp balance.TopicPartition) (reassign.Live, bool) {
	b.t.Helper()
	view := b.view(reassign.Query{Partitions: []balance.TopicPartition{tp}, Sizes: true})
	if len(view.Partitions) == 0 {
		return reassign.Live{}, false
	}
	return view.Partitions[0], true
}

func (b bench) live(tp balance.TopicPartition) reassign.Live {
	b.t.Helper()
	live, found := b.find(tp)
	require.True(b.t, found, "%v is missing", tp)
	return live
}

// settled waits until a partition has exactly these replicas, in order and in sync, and nothing is in flight.
func (b bench) settled(tp balance.TopicPartition, replicas ...int32) {
	b.t.Helper()
	b.until(fmt.Sprintf("%v at %v", tp, replicas), func() bool {
		l := b.live(tp)
		return !l.InFlight() && slices.Equal(l.Replicas, replicas) && len(l.ISR) == len(replicas)
	})
}

func (b bench) submit(tp balance.TopicPartition, replicas ...int32) reassign.Code {
	b.t.Helper()
	outcomes, err := b.Executor.Submit(b.t.Context(), []reassign.Target{{TopicPartition: tp, Replicas: replicas}})
	return b.only(tp, outcomes, err)
}

func (b bench) elect(tp balance.TopicPartition) reassign.Code {
	b.t.Helper()
	outcomes, err := b.Executor.Elect(b.t.Context(), []balance.TopicPartition{tp})
	return b.only(tp, outcomes, err)
}

func (b bench) cancel(tp balance.TopicPartition) reassign.Code {
	b.t.Helper()
	outcomes, err := b.Executor.Cancel(b.t.Context(), []balance.TopicPartition{tp})
	return b.only(tp, outcomes, err)
}

// only returns the outcome of a call on one partition.
func (b bench) only(tp balance.TopicPartition, outcomes []reassign.Outcome, err error) reassign.Code {
	b.t.Helper()
	b.ok(err)
	require.Len(b.t, outcomes, 1)
	require.Equal(b.t, tp, outcomes[0].TopicPartition)
	oneLine(b.t, outcomes[0].Message)
	return outcomes[0].Code
}

func oneLine(t T, message string) {
	t.Helper()
	require.False(t, strings.Contains(message, "\n"), "a message is one line: %q", message)
}

// throttle makes a change. A real cluster may fail to answer in time: then the contract is to repeat, which changes
// nothing that is done already.
func (b bench) throttle(change reassign.ThrottleChange) reassign.Code {
	b.t.Helper()
	for range 3 {
		outcomes, err := b.Executor.SetThrottles(b.t.Context(), []reassign.ThrottleChange{change})
		b.ok(err)
		require.Len(b.t, outcomes, 1)
		if code := outcomes[0].Code; code != reassign.CodeUnknown {
			return code
		}
	}
	return reassign.CodeUnknown
}

func (b bench) rates(broker int32) reassign.BrokerThrottle {
	b.t.Helper()
	found, err := b.Executor.Throttles(b.t.Context(), []int32{broker}, nil)
	b.ok(err)
	require.Len(b.t, found.Brokers, 1)
	require.Equal(b.t, broker, found.Brokers[0].Broker)
	return found.Brokers[0]
}

func (b bench) lists(topic string) reassign.TopicThrottle {
	b.t.Helper()
	found, err := b.Executor.Throttles(b.t.Context(), nil, []string{topic})
	b.ok(err)
	require.Len(b.t, found.Topics, 1)
	require.Equal(b.t, topic, found.Topics[0].Topic)
	return found.Topics[0]
}
