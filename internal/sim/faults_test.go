package sim_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

// once has an effect on the first call of a kind.
func once(op sim.Op, effect sim.Effect) sim.Faults {
	done := false
	return func(c sim.Call) sim.Effect {
		if done || c.Op != op {
			return sim.Effect{}
		}
		done = true
		return effect
	}
}

func TestFaultsOfOneCall(t *testing.T) {
	for name, c := range map[string]struct {
		effect  sim.Effect
		err     error
		code    reassign.Code
		applied bool
	}{
		"none":                      {sim.Effect{}, nil, reassign.CodeOK, true},
		"the request is lost":       {sim.Effect{Drop: true}, sim.ErrLost, 0, false},
		"the answer is lost":        {sim.Effect{Lose: true}, sim.ErrLost, 0, true},
		"it arrives twice":          {sim.Effect{Repeat: true}, nil, reassign.CodeOK, true},
		"no permission":             {sim.Effect{Deny: true}, nil, reassign.CodeDenied, false},
		"a crash before":            {sim.Effect{Drop: true, Crash: true}, sim.ErrCrashed, 0, false},
		"a crash after":             {sim.Effect{Crash: true}, sim.ErrCrashed, 0, true},
		"an item is left out":       {sim.Effect{Skip: func(int) bool { return true }}, nil, reassign.CodeUnknown, false},
		"an item is not answered":   {sim.Effect{Blur: func(int) bool { return true }}, nil, reassign.CodeUnknown, true},
		"another item is left out":  {sim.Effect{Skip: func(i int) bool { return i == 1 }}, nil, reassign.CodeOK, true},
		"a slow request and answer": {sim.Effect{Delay: time.Second, Linger: time.Second}, nil, reassign.CodeOK, true},
	} {
		t.Run(name, func(t *testing.T) {
			world := withOrders(t, 1, 2, 3)
			client := world.Client(once(sim.OpSubmit, c.effect))
			began := world.Now()
			outcomes, err := client.Submit(t.Context(), []reassign.Target{{TopicPartition: orders0, Replicas: []int32{4, 2, 1}}})
			if c.err != nil {
				require.ErrorIs(t, err, c.err)
				require.Nil(t, outcomes)
			} else {
				require.NoError(t, err)
				require.Equal(t, c.code, outcomes[0].Code)
			}
			require.Equal(t, c.applied, moving(t, world, orders0))
			require.Equal(t, c.effect.Delay+c.effect.Linger, world.Now().Sub(began))
		})
	}
}

func TestACrashedClientIsDeadForGood(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	client := world.Client(once(sim.OpSubmit, sim.Effect{Crash: true}))
	_, err := client.Submit(t.Context(), []reassign.Target{{TopicPartition: orders0, Replicas: []int32{4, 2, 1}}})
	require.ErrorIs(t, err, sim.ErrCrashed)
	require.True(t, client.Crashed())
	_, err = client.Cancel(t.Context(), []balance.TopicPartition{orders0})
	require.ErrorIs(t, err, sim.ErrCrashed)
	require.True(t, moving(t, world, orders0), "a dead program cancels nothing")

	next := world.Client(nil)
	require.False(t, next.Crashed())
	require.Equal(t, reassign.CodeOK, cancel(t, next, orders0))
}

func TestFaultsSeeEveryCallAndMayChangeTheWorld(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	var seen []sim.Call
	client := world.Client(func(c sim.Call) sim.Effect {
		seen = append(seen, c)
		if c.Op == sim.OpCancel {
			require.NoError(t, world.DeleteTopic("orders"))
			world.Advance(time.Second)
		}
		return sim.Effect{}
	})
	require.Equal(t, reassign.CodeOK, submit(t, client, orders0, 4, 2, 1))
	require.Equal(t, reassign.CodeMissing, cancel(t, client, orders0))
	journal := client.Journal()
	require.NoError(t, journal.Save(t.Context(), "wave", []byte("1")))
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	require.Equal(t, []sim.Call{
		{Number: 0, Op: sim.OpSubmit, Items: 1, At: start},
		{Number: 1, Op: sim.OpCancel, Items: 1, At: start},
		{Number: 2, Op: sim.OpSave, Items: 1, Key: "wave", At: start.Add(time.Second)},
	}, seen)
}

func TestEveryCallMayBeDeniedOrLost(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	calls := map[string]func(*sim.Client) error{
		"look": func(c *sim.Client) error { _, err := c.Look(t.Context(), reassign.Query{}); return err },
		"throttles": func(c *sim.Client) error {
			_, err := c.Throttles(t.Context(), nil, nil)
			return err
		},
		"read":   func(c *sim.Client) error { _, err := c.Read(t.Context()); return err },
		"health": func(c *sim.Client) error { _, err := c.Health(t.Context()); return err },
		"save":   func(c *sim.Client) error { return c.Journal().Save(t.Context(), "k", nil) },
		"load":   func(c *sim.Client) error { _, err := c.Journal().Load(t.Context()); return err },
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			always := func(e sim.Effect) *sim.Client { return world.Client(func(sim.Call) sim.Effect { return e }) }
			require.NoError(t, call(always(sim.Effect{})))
			require.ErrorIs(t, call(always(sim.Effect{Deny: true})), sim.ErrDenied)
			require.ErrorIs(t, call(always(sim.Effect{Lose: true})), sim.ErrLost)
			require.ErrorIs(t, call(always(sim.Effect{Crash: true})), sim.ErrCrashed)
		})
	}
	for id := int32(1); id <= 6; id++ {
		require.NoError(t, world.Kill(id))
	}
	for name, call := range calls {
		require.ErrorIs(t, call(world.Client(nil)), sim.ErrNoBroker, name)
	}
}

func TestThrottlesMeetFaultsItemByItem(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	change := func(id int32) reassign.ThrottleChange {
		rate := int64(5)
		return reassign.ThrottleChange{Broker: id, LeaderRate: &rate}
	}
	client := world.Client(once(sim.OpSetThrottles, sim.Effect{
		Skip: func(i int) bool { return i == 0 }, Blur: func(i int) bool { return i == 1 },
	}))
	outcomes, err := client.SetThrottles(t.Context(), []reassign.ThrottleChange{change(1), change(2), change(3)})
	require.NoError(t, err)
	require.Equal(t, reassign.CodeUnknown, outcomes[0].Code)
	require.Equal(t, reassign.CodeUnknown, outcomes[1].Code)
	require.Equal(t, reassign.CodeOK, outcomes[2].Code)
	brokers := world.AllThrottles().Brokers
	require.Nil(t, brokers[0].Leader, "left out")
	require.NotNil(t, brokers[1].Leader, "done and not answered")

	denied := world.Client(once(sim.OpSetThrottles, sim.Effect{Deny: true}))
	require.Equal(t, reassign.CodeDenied, set(t, denied, change(4)))
}

func TestAnEndedContextSendsNothing(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	ctx, end := context.WithCancel(t.Context())
	end()
	client := world.Client(func(sim.Call) sim.Effect { require.Fail(t, "sent"); return sim.Effect{} })
	_, err := client.Submit(ctx, []reassign.Target{{TopicPartition: orders0, Replicas: []int32{4, 2, 1}}})
	require.ErrorIs(t, err, context.Canceled)
}

func TestJournalOutlivesItsClientAndFencesTheOlderOwner(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	first := world.Client(nil).Journal()
	value := []byte("wave 1")
	require.NoError(t, first.Save(t.Context(), "plan", value))
	require.NoError(t, first.Save(t.Context(), "gone", value))
	require.NoError(t, first.Save(t.Context(), "gone", nil))
	value[0] = 'X'

	second := world.Client(nil).Journal()
	loaded, err := second.Load(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[string][]byte{"plan": []byte("wave 1")}, loaded)
	require.ErrorIs(t, first.Save(t.Context(), "plan", []byte("wave 2")), reassign.ErrFenced)
	require.NoError(t, second.Save(t.Context(), "plan", []byte("wave 3")))
	require.Contains(t, world.Dump(), `journal plan "wave 3"`)
}

func TestTraceTellsTheStory(t *testing.T) {
	var story []string
	world := sixBrokers(t, func(c *sim.Config) { c.Trace = func(line string) { story = append(story, line) } })
	createOrders(t, world, sim.TopicSpec{Bytes: 100 * megabyte}, 1, 2, 3)
	story = nil
	require.NoError(t, world.Reassign(orders0, 4, 2, 3))
	pass(world, 10)
	require.Equal(t, []string{
		"    0.000s orders-0 goes from [1 2 3] to [4 2 3]",
		"   10.000s orders-0 has 4 in sync",
		"   10.000s orders-0 completes at [4 2 3]",
		"   10.000s orders-0 is led by 4, before 1",
	}, story)
}
