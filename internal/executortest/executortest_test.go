package executortest_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/executortest"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

// simulated is a fixture with everything, on five brokers.
func simulated() executortest.Fixture {
	world := sim.New(sim.Config{})
	brokers := []int32{1, 2, 3, 4, 5}
	bandwidth := func(bytes int64) {
		for _, id := range brokers {
			_ = world.SetBandwidth(id, bytes)
		}
	}
	for _, id := range brokers {
		_ = world.AddBroker(balance.Broker{ID: id})
	}
	return executortest.Fixture{
		Executor: world.Client(nil),
		Brokers:  brokers,
		CreateTopic: func(name string, assignment [][]int32) error {
			return world.CreateTopic(sim.TopicSpec{Name: name, Assignment: assignment})
		},
		Fill: world.Fill,
		Wait: func(done func() bool) bool {
			for range 200 {
				if done() {
					return true
				}
				world.Advance(100 * time.Millisecond)
			}
			return false
		},
		DeleteTopic: world.DeleteTopic,
		Hold: func(string) (func(), error) {
			bandwidth(0)
			return func() { bandwidth(100 << 20) }, nil
		},
		Kill:     world.Kill,
		Start:    world.Start,
		Reassign: func(tp balance.TopicPartition, replicas []int32) error { return world.Reassign(tp, replicas...) },
		SetLists: world.SetTopicThrottle,
	}
}

func TestSimulatorKeepsTheContract(t *testing.T) {
	executortest.Run(t, func(*testing.T) executortest.Fixture { return simulated() })
}

func TestCasesThatTheFixtureCannotRunAreLeftOut(t *testing.T) {
	executortest.Run(t, func(*testing.T) executortest.Fixture {
		f := simulated()
		f.Hold, f.Kill, f.SetLists, f.DeleteTopic = nil, nil, nil, nil
		return f
	})
}

// recorder is a T that keeps a failure to itself.
type recorder struct {
	ctx      context.Context
	failed   bool
	cleanups []func()
}

func (r *recorder) Errorf(string, ...any)    { r.failed = true }
func (r *recorder) FailNow()                 { r.failed = true; runtime.Goexit() }
func (r *recorder) Helper()                  {}
func (r *recorder) Cleanup(f func())         { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Context() context.Context { return r.ctx }

// fails reports whether an executor fails a case.
func fails(t *testing.T, broken func(reassign.Executor) reassign.Executor, name string) bool {
	t.Helper()
	i := slices.IndexFunc(executortest.Cases(), func(c executortest.Case) bool { return c.Name == name })
	require.GreaterOrEqual(t, i, 0, "no case is called %q", name)
	f := simulated()
	f.Executor = broken(f.Executor)
	r := &recorder{ctx: t.Context()}
	done := make(chan struct{})
	go func() {
		defer close(done)
		executortest.Cases()[i].Run(r, f)
	}()
	<-done
	for _, clean := range slices.Backward(r.cleanups) {
		clean()
	}
	return r.failed
}

// Every way to be wrong that somebody could fall into is caught, by the case that is about it.
func TestWrongExecutorsFail(t *testing.T) {
	for name, c := range map[string]struct {
		broken func(reassign.Executor) reassign.Executor
		caught string
	}{
		"looks come from a cache":                    {cached, "a move completes by itself"},
		"sizes are never read":                       {unmeasured, "look measures every replica"},
		"what is missing is left out":                {silent, "look names what does not exist"},
		"moves of others are not listed":             {alone, "moves of others are foreign"},
		"dead brokers stay alive":                    {immortal, "a dead broker is not alive and answers nothing"},
		"a slice by index cancels the others":        {byIndex, "submitting touches what it names alone"},
		"refusals are taken for success":             {content, "each refusal is of its own partition"},
		"one request takes five hundred at most":     {short, "many partitions in one call"},
		"a cancel is answered before it is known":    {cancelsBlindly, "a cancel without a move says so"},
		"an empty election elects everybody":         {electsAll, "empty calls do nothing"},
		"elections are forgotten":                    {neverElects, "a reorder needs an election to lead"},
		"a rate that is not given is removed":        {bothRates, "rates are set one by one and removed"},
		"lists are replaced instead of edited":       {replaces, "lists are edited entry by entry"},
		"the end of a context is not noticed":        {deaf, "an ended context is an error"},
		"outcomes of throttles come in any order":    {shuffles, "throttle changes are independent"},
		"messages are dumps":                         {verbose, "each refusal is of its own partition"},
		"the replicas of a move are the target only": {targetOnly, "look shows a move under way"},
	} {
		t.Run(name, func(t *testing.T) {
			require.True(t, fails(t, c.broken, c.caught))
			right := func(e reassign.Executor) reassign.Executor { return e }
			require.False(t, fails(t, right, c.caught), "the simulator itself passes")
		})
	}
}

// wrong is an executor with some of its methods replaced.
type wrong struct {
	reassign.Executor
	look         func(context.Context, reassign.Query) (reassign.View, error)
	submit       func(context.Context, []reassign.Target) ([]reassign.Outcome, error)
	elect        func(context.Context, []balance.TopicPartition) ([]reassign.Outcome, error)
	cancel       func(context.Context, []balance.TopicPartition) ([]reassign.Outcome, error)
	setThrottles func(context.Context, []reassign.ThrottleChange) ([]reassign.ThrottleOutcome, error)
}

func (w wrong) Look(ctx context.Context, q reassign.Query) (reassign.View, error) {
	if w.look == nil {
		return w.Executor.Look(ctx, q)
	}
	return w.look(ctx, q)
}

func (w wrong) Submit(ctx context.Context, targets []reassign.Target) ([]reassign.Outcome, error) {
	if w.submit == nil {
		return w.Executor.Submit(ctx, targets)
	}
	return w.submit(ctx, targets)
}

func (w wrong) Elect(ctx context.Context, p []balance.TopicPartition) ([]reassign.Outcome, error) {
	if w.elect == nil {
		return w.Executor.Elect(ctx, p)
	}
	return w.elect(ctx, p)
}

func (w wrong) Cancel(ctx context.Context, p []balance.TopicPartition) ([]reassign.Outcome, error) {
	if w.cancel == nil {
		return w.Executor.Cancel(ctx, p)
	}
	return w.cancel(ctx, p)
}

func (w wrong) SetThrottles(ctx context.Context, c []reassign.ThrottleChange) ([]reassign.ThrottleOutcome, error) {
	if w.setThrottles == nil {
		return w.Executor.SetThrottles(ctx, c)
	}
	return w.setThrottles(ctx, c)
}

// viewed changes what Look answers.
func viewed(e reassign.Executor, change func(*reassign.View)) reassign.Executor {
	return wrong{Executor: e, look: func(ctx context.Context, q reassign.Query) (reassign.View, error) {
		v, err := e.Look(ctx, q)
		change(&v)
		return v, err
	}}
}

func cached(e reassign.Executor) reassign.Executor {
	seen := map[string]reassign.View{}
	return wrong{Executor: e, look: func(ctx context.Context, q reassign.Query) (reassign.View, error) {
		key := fmt.Sprint(q)
		if v, ok := seen[key]; ok && len(v.Partitions) > 0 {
			return v, nil
		}
		v, err := e.Look(ctx, q)
		seen[key] = v
		return v, err
	}}
}

func unmeasured(e reassign.Executor) reassign.Executor {
	return viewed(e, func(v *reassign.View) {
		for i := range v.Partitions {
			v.Partitions[i].Sizes = nil
		}
	})
}

func silent(e reassign.Executor) reassign.Executor {
	return viewed(e, func(v *reassign.View) { v.Missing = nil })
}

func alone(e reassign.Executor) reassign.Executor {
	return viewed(e, func(v *reassign.View) { v.Foreign = nil })
}

func immortal(e reassign.Executor) reassign.Executor {
	return viewed(e, func(v *reassign.View) { v.Alive = []int32{1, 2, 3, 4, 5} })
}

func targetOnly(e reassign.Executor) reassign.Executor {
	return viewed(e, func(v *reassign.View) {
		for i := range v.Partitions {
			l := &v.Partitions[i]
			l.Replicas = l.Replicas[:len(l.Replicas)-len(l.Removing)]
		}
	})
}

func byIndex(e reassign.Executor) reassign.Executor {
	return wrong{Executor: e, submit: func(ctx context.Context, targets []reassign.Target) ([]reassign.Outcome, error) {
		for _, t := range targets {
			for i := range t.Partition {
				_, _ = e.Cancel(ctx, []balance.TopicPartition{{Topic: t.Topic, Partition: i}})
			}
		}
		return e.Submit(ctx, targets)
	}}
}

// answered changes the outcomes of Submit.
func answered(e reassign.Executor, change func(*reassign.Outcome)) reassign.Executor {
	return wrong{Executor: e, submit: func(ctx context.Context, targets []reassign.Target) ([]reassign.Outcome, error) {
		outcomes, err := e.Submit(ctx, targets)
		for i := range outcomes {
			change(&outcomes[i])
		}
		return outcomes, err
	}}
}

func content(e reassign.Executor) reassign.Executor {
	return answered(e, func(o *reassign.Outcome) { o.Code = reassign.CodeOK })
}

func verbose(e reassign.Executor) reassign.Executor {
	return answered(e, func(o *reassign.Outcome) { o.Message = strings.Repeat("line\n", 3) })
}

func short(e reassign.Executor) reassign.Executor {
	return wrong{Executor: e, submit: func(ctx context.Context, targets []reassign.Target) ([]reassign.Outcome, error) {
		return e.Submit(ctx, targets[:min(len(targets), 500)])
	}}
}

func cancelsBlindly(e reassign.Executor) reassign.Executor {
	return wrong{Executor: e, cancel: func(ctx context.Context, p []balance.TopicPartition) ([]reassign.Outcome, error) {
		outcomes, err := e.Cancel(ctx, p)
		for i := range outcomes {
			outcomes[i].Code = reassign.CodeOK
		}
		return outcomes, err
	}}
}

func electsAll(e reassign.Executor) reassign.Executor {
	return wrong{Executor: e, elect: func(ctx context.Context, p []balance.TopicPartition) ([]reassign.Outcome, error) {
		if len(p) == 0 {
			_, err := e.Elect(ctx, []balance.TopicPartition{{Topic: "empty-calls"}})
			return nil, err
		}
		return e.Elect(ctx, p)
	}}
}

func neverElects(e reassign.Executor) reassign.Executor {
	return wrong{Executor: e, elect: func(_ context.Context, p []balance.TopicPartition) ([]reassign.Outcome, error) {
		outcomes := make([]reassign.Outcome, len(p))
		for i := range p {
			outcomes[i].TopicPartition = p[i]
		}
		return outcomes, nil
	}}
}

// throttled changes what SetThrottles is given.
func throttled(e reassign.Executor, change func(*reassign.ThrottleChange)) reassign.Executor {
	return wrong{Executor: e, setThrottles: func(ctx context.Context, changes []reassign.ThrottleChange) ([]reassign.ThrottleOutcome, error) {
		given := append([]reassign.ThrottleChange(nil), changes...)
		for i := range given {
			change(&given[i])
		}
		return e.SetThrottles(ctx, given)
	}}
}

func bothRates(e reassign.Executor) reassign.Executor {
	return throttled(e, func(c *reassign.ThrottleChange) {
		none := int64(-1)
		if c.FollowerRate == nil {
			c.FollowerRate = &none
		}
	})
}

func replaces(e reassign.Executor) reassign.Executor {
	return throttled(e, func(c *reassign.ThrottleChange) {
		if c.Topic == "" || len(c.AddLeader) == 0 {
			return
		}
		found, _ := e.Throttles(context.Background(), nil, []string{c.Topic})
		for _, t := range found.Topics {
			c.DropLeader = append(c.DropLeader, t.Leader.Entries...)
		}
	})
}

func shuffles(e reassign.Executor) reassign.Executor {
	return wrong{Executor: e, setThrottles: func(ctx context.Context, changes []reassign.ThrottleChange) ([]reassign.ThrottleOutcome, error) {
		outcomes, err := e.SetThrottles(ctx, changes)
		for i, j := 0, len(outcomes)-1; i < j; i, j = i+1, j-1 {
			outcomes[i], outcomes[j] = outcomes[j], outcomes[i]
		}
		return outcomes, err
	}}
}

func deaf(e reassign.Executor) reassign.Executor {
	return wrong{Executor: e, submit: func(_ context.Context, targets []reassign.Target) ([]reassign.Outcome, error) {
		return e.Submit(context.Background(), targets)
	}}
}
