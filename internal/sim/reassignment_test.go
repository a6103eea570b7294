package sim_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

// state writes a partition as an operator would: "[4 2 1 3] +[4] -[3] isr [1 2 3] leader 1".
func state(l reassign.Live) string {
	s := fmt.Sprint(l.Replicas)
	if l.InFlight() {
		s += fmt.Sprintf(" +%v -%v", l.Adding, l.Removing)
	}
	return s + fmt.Sprintf(" isr %v leader %d", l.ISR, l.Leader)
}

// act is something that is done to orders-0, which begins at [1 2 3].
type act func(t *testing.T, world *sim.Cluster, c *sim.Client)

// step is an act and the state that it leaves.
type step struct {
	do   act
	want string
}

func submits(code reassign.Code, replicas []int32) act {
	return func(t *testing.T, _ *sim.Cluster, c *sim.Client) {
		require.Equal(t, code, submit(t, c, orders0, replicas...))
	}
}

func to(replicas ...int32) act      { return submits(reassign.CodeOK, replicas) }
func refused(replicas ...int32) act { return submits(reassign.CodeInvalid, replicas) }

func null(code reassign.Code) act {
	return func(t *testing.T, _ *sim.Cluster, c *sim.Client) { require.Equal(t, code, cancel(t, c, orders0)) }
}

func leads(code reassign.Code) act {
	return func(t *testing.T, _ *sim.Cluster, c *sim.Client) { require.Equal(t, code, elect(t, c, orders0)) }
}

func wait(seconds float64) act {
	return func(_ *testing.T, world *sim.Cluster, _ *sim.Client) { pass(world, seconds) }
}

// happens does something to the cluster itself.
func happens(f func(world *sim.Cluster) error) act {
	return func(t *testing.T, world *sim.Cluster, _ *sim.Client) { require.NoError(t, f(world)) }
}

func kill(id int32) act  { return happens(func(w *sim.Cluster) error { return w.Kill(id) }) }
func start(id int32) act { return happens(func(w *sim.Cluster) error { return w.Start(id) }) }
func stall(id int32) act { return happens(func(w *sim.Cluster) error { return w.Stall(orders0, id) }) }
func unstall(id int32) act {
	return happens(func(w *sim.Cluster) error { return w.Unstall(orders0, id) })
}

// Every step of these stories was seen on a real cluster, or read in Kafka's controller.
var reassignmentStories = map[string][]step{
	"a move copies and completes by itself": {
		{to(4, 2, 1), "[4 2 1 3] +[4] -[3] isr [1 2 3] leader 1"},
		{wait(9.999), "[4 2 1 3] +[4] -[3] isr [1 2 3] leader 1"},
		{wait(0.001), "[4 2 1] isr [1 2 4] leader 1"},
		{leads(reassign.CodeOK), "[4 2 1] isr [1 2 4] leader 4"},
	},
	"the leader moves away with its replica": {
		{to(4, 5, 6), "[4 5 6 1 2 3] +[4 5 6] -[1 2 3] isr [1 2 3] leader 1"},
		{wait(60), "[4 5 6] isr [4 5 6] leader 4"},
	},
	"a reorder is done at once and keeps the leader": {
		{to(3, 1, 2), "[3 1 2] isr [1 2 3] leader 1"},
		{leads(reassign.CodeOK), "[3 1 2] isr [1 2 3] leader 3"},
		{leads(reassign.CodeOK), "[3 1 2] isr [1 2 3] leader 3"},
	},
	"a reorder works out of sync, the election does not": {
		{stall(3), "[1 2 3] isr [1 2 3] leader 1"},
		{wait(30), "[1 2 3] isr [1 2] leader 1"},
		{to(3, 1, 2), "[3 1 2] isr [1 2] leader 1"},
		{leads(reassign.CodeNotInSync), "[3 1 2] isr [1 2] leader 1"},
		{unstall(3), "[3 1 2] isr [1 2 3] leader 1"},
	},
	"the same target again changes nothing": {
		{to(4, 2, 1), "[4 2 1 3] +[4] -[3] isr [1 2 3] leader 1"},
		{to(4, 2, 1), "[4 2 1 3] +[4] -[3] isr [1 2 3] leader 1"},
		{wait(10), "[4 2 1] isr [1 2 4] leader 1"},
		{to(4, 2, 1), "[4 2 1] isr [1 2 4] leader 1"},
	},
	"a cancel does not restore the order": {
		{to(4, 2, 1), "[4 2 1 3] +[4] -[3] isr [1 2 3] leader 1"},
		{null(reassign.CodeOK), "[2 1 3] isr [1 2 3] leader 1"},
		{null(reassign.CodeNothingInFlight), "[2 1 3] isr [1 2 3] leader 1"},
	},
	"a second target and a cancel leave a larger factor": {
		{to(4, 2, 1), "[4 2 1 3] +[4] -[3] isr [1 2 3] leader 1"},
		{to(5, 2, 1), "[5 2 1 3 4] +[5] -[3 4] isr [1 2 3] leader 1"},
		{null(reassign.CodeOK), "[2 1 3 4] isr [1 2 3] leader 1"},
	},
	"the originals roll back at once and keep the order": {
		{to(4, 2, 1), "[4 2 1 3] +[4] -[3] isr [1 2 3] leader 1"},
		{to(1, 2, 3), "[1 2 3] isr [1 2 3] leader 1"},
	},
	"with an original that lags it takes the originals, then a cancel": {
		{stall(3), "[1 2 3] isr [1 2 3] leader 1"},
		{wait(30), "[1 2 3] isr [1 2] leader 1"},
		{to(4, 2, 1), "[4 2 1 3] +[4] -[3] isr [1 2] leader 1"},
		{to(1, 2, 3), "[1 2 3 4] +[4] -[4] isr [1 2] leader 1"},
		{null(reassign.CodeOK), "[1 2 3] isr [1 2] leader 1"},
	},
	"a kept replica that lags blocks the end": {
		{stall(3), "[1 2 3] isr [1 2 3] leader 1"},
		{wait(30), "[1 2 3] isr [1 2] leader 1"},
		{to(4, 2, 3), "[4 2 3 1] +[4] -[1] isr [1 2] leader 1"},
		{wait(3600), "[4 2 3 1] +[4] -[1] isr [1 2 4] leader 1"},
		{unstall(3), "[4 2 3] isr [2 4 3] leader 4"},
	},
	"a fenced broker is accepted and holds the move until it is back": {
		{kill(4), "[1 2 3] isr [1 2 3] leader 1"},
		{wait(9), "[1 2 3] isr [1 2 3] leader 1"},
		{to(4, 2, 1), "[4 2 1 3] +[4] -[3] isr [1 2 3] leader 1"},
		{wait(24 * 3600), "[4 2 1 3] +[4] -[3] isr [1 2 3] leader 1"},
		{start(4), "[4 2 1 3] +[4] -[3] isr [1 2 3] leader 1"},
		{wait(13), "[4 2 1] isr [1 2 4] leader 1"},
	},
	"a source leader that dies does not stop the copy": {
		{to(4, 2, 3), "[4 2 3 1] +[4] -[1] isr [1 2 3] leader 1"},
		{wait(5), "[4 2 3 1] +[4] -[1] isr [1 2 3] leader 1"},
		{kill(1), "[4 2 3 1] +[4] -[1] isr [1 2 3] leader 1"},
		{wait(9), "[4 2 3 1] +[4] -[1] isr [2 3] leader 2"},
		{wait(5), "[4 2 3] isr [2 3 4] leader 2"},
	},
	"a factor grows and shrinks": {
		{to(1, 2, 3, 4), "[1 2 3 4] +[4] -[] isr [1 2 3] leader 1"},
		{wait(10), "[1 2 3 4] isr [1 2 3 4] leader 1"},
		{to(2), "[2] isr [2] leader 2"},
	},
	"what Kafka refuses leaves everything as it was": {
		{refused(), "[1 2 3] isr [1 2 3] leader 1"},
		{refused(1, 2, 2), "[1 2 3] isr [1 2 3] leader 1"},
		{refused(1, 2, 7), "[1 2 3] isr [1 2 3] leader 1"},
		{refused(1, 2, -1), "[1 2 3] isr [1 2 3] leader 1"},
	},
}

func TestReassignmentStories(t *testing.T) {
	for name, story := range reassignmentStories {
		t.Run(name, func(t *testing.T) {
			world := withOrders(t, 1, 2, 3)
			client := world.Client(nil)
			for i, s := range story {
				s.do(t, world, client)
				require.Equal(t, s.want, state(at(t, world, orders0)), "after step %d", i+1)
			}
		})
	}
}

func TestCancelNeedsAnOriginalInSync(t *testing.T) {
	world := withOrders(t, 3)
	client := world.Client(nil)
	require.Equal(t, reassign.CodeOK, submit(t, client, orders0, 4))
	require.NoError(t, world.Kill(3))
	pass(world, 9)
	require.Equal(t, "[4 3] +[4] -[3] isr [] leader -1", state(at(t, world, orders0)))
	require.Equal(t, reassign.CodeInvalid, cancel(t, client, orders0))

	require.NoError(t, world.Start(3))
	pass(world, 3)
	require.Equal(t, "[4 3] +[4] -[3] isr [3] leader 3", state(at(t, world, orders0)))
	pass(world, 10)
	require.Equal(t, "[4] isr [4] leader 4", state(at(t, world, orders0)))
}

func TestRequestIsAnsweredPartitionByPartition(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	outcomes, err := world.Client(nil).Submit(t.Context(), []reassign.Target{
		{TopicPartition: balance.TopicPartition{Topic: "orders", Partition: 9}, Replicas: []int32{1}},
		{TopicPartition: orders0, Replicas: []int32{4, 2, 1}},
		{TopicPartition: balance.TopicPartition{Topic: "nothing", Partition: 0}, Replicas: []int32{1}},
	})
	require.NoError(t, err)
	var codes []reassign.Code
	for _, o := range outcomes {
		codes = append(codes, o.Code)
	}
	require.Equal(t, []reassign.Code{reassign.CodeMissing, reassign.CodeOK, reassign.CodeMissing}, codes)
	require.Equal(t, []int32{4}, at(t, world, orders0).Adding)
}

func TestMoreThanTenThousandPartitionsInOneRequestAreLeftOut(t *testing.T) {
	world := sixBrokers(t)
	require.NoError(t, world.CreateTopic(sim.TopicSpec{Name: "wide", Partitions: 10_001, Factor: 2}))
	targets := make([]reassign.Target, 10_001)
	for i := range targets {
		tp := balance.TopicPartition{Topic: "wide", Partition: int32(i)}
		r := at(t, world, tp).Replicas
		targets[i] = reassign.Target{TopicPartition: tp, Replicas: []int32{r[1], r[0]}}
	}
	outcomes, err := world.Client(nil).Submit(t.Context(), targets)
	require.NoError(t, err)
	require.Equal(t, reassign.CodeOK, outcomes[9_999].Code)
	require.Equal(t, reassign.CodeUnknown, outcomes[10_000].Code)
	last := targets[10_000]
	require.NotEqual(t, last.Replicas, at(t, world, last.TopicPartition).Replicas)
}

func TestOtherToolsUseTheSameController(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	require.ErrorContains(t, world.Revert(orders0), "no reassignment is in progress")
	require.ErrorContains(t, world.Reassign(orders0, 1, 1), "listed twice")
	require.NoError(t, world.Reassign(orders0, 4, 2, 1))
	require.NoError(t, world.Revert(orders0))
	require.Equal(t, "[2 1 3] isr [1 2 3] leader 1", state(at(t, world, orders0)))
	require.True(t, world.ElectPreferred(orders0))
	require.Equal(t, int32(2), at(t, world, orders0).Leader)
	nothing := balance.TopicPartition{Topic: "nothing"}
	require.ErrorContains(t, world.Reassign(nothing, 1), "no such topic")
	require.False(t, world.ElectPreferred(nothing))
	_, exists := world.Partition(nothing)
	require.False(t, exists)
	require.ErrorContains(t, world.Fill(nothing, 1), "does not exist")
}
