package pilot_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/internal/sim"
)

var schedules = flag.Int("schedules", 100, "sequences that TestAnySequence goes through")

// TestAnySequence does whatever operators, other tools, crashes and bad luck may do, in any order. In the end every
// partition has its factor, nothing of ours is in flight and no throttle is left. A sequence that fails is named by
// its seed, by which it runs again alone: -run TestAnySequence/seed=17
func TestAnySequence(t *testing.T) {
	sequences := uint64(*schedules)
	if testing.Short() {
		sequences /= 5
	}
	for seed := range sequences {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0))
			steps := make([]step, 1+random.IntN(25))
			for i := range steps {
				steps[i] = drawStep(random)
			}
			synctest.Test(t, func(t *testing.T) {
				c := &chaos{t: t, world: sim.Skewed(seed, sim.WithBrokers(4), sim.WithScale(0.05))}
				c.world.Follow(time.Now, 1)
				c.restart()
				for _, s := range steps {
					c.do(s)
				}
				c.calm()
			})
			if t.Failed() {
				t.Logf("the sequence was %+v", steps)
			}
		})
	}
}

// step is one thing that happens.
type step struct {
	what   string
	broker int32
	force  bool
	pause  time.Duration
}

var happenings = []string{
	"apply", "apply", "apply", "cancel", "drain", "drain", "exit", "generate", "wait", "wait", "kill", "start",
	"foreign", "restart", "crash", "flaky",
}

func drawStep(r *rand.Rand) step {
	return step{
		what: happenings[r.IntN(len(happenings))], broker: 1 + r.Int32N(5), force: r.IntN(2) == 0,
		pause: time.Duration(r.IntN(30_000)) * time.Millisecond,
	}
}

// chaos is a cluster and the Service that runs now.
type chaos struct {
	t     *testing.T
	world *sim.Cluster
	s     *station
	flaky atomic.Bool // every third call is lost
	dead  atomic.Bool // the program is to crash at its next call
}

func (c *chaos) restart() {
	_ = c.world.Start(1) // without any broker there is no journal, and Run says so and ends: another test shows it
	if c.s != nil {
		require.NoError(c.t, c.s.stop())
	}
	c.dead.Store(false)
	var calls atomic.Int64
	c.s = startWith(c.t, c.world, func(call sim.Call) sim.Effect {
		starts := call.Op == sim.OpLoad // Run ends by itself when it cannot read the journal
		return sim.Effect{Lose: calls.Add(1)%3 == 0 && c.flaky.Load() && !starts, Crash: c.dead.Load()}
	})
}

func (c *chaos) do(s step) {
	ctx := c.t.Context()
	switch s.what {
	case "apply":
		if p, err := c.s.Current(ctx); err == nil {
			_, err = c.s.Apply(ctx, p.ID, pilot.ApplyOptions{Force: s.force})
			c.expected(err)
		}
	case "cancel":
		list, err := c.s.Executions(ctx)
		require.NoError(c.t, err)
		if len(list) > 0 {
			_, err = c.s.Cancel(ctx, list[0].ID)
			c.expected(err)
		}
	case "drain":
		_, err := c.s.Drain(ctx, s.broker, pilot.DrainOptions{})
		c.expected(err)
	case "exit":
		_, err := c.s.EndMaintenance(ctx, s.broker)
		c.expected(err)
	case "generate":
		_, err := c.s.Generate(ctx, true)
		c.expected(err)
	case "crash":
		c.dead.Store(true)
		time.Sleep(s.pause)
		c.restart()
	case "restart":
		c.restart()
	default:
		c.befall(s)
	}
	time.Sleep(s.pause)
	c.consistent()
}

// befall is what happens to the cluster. What cannot happen now does not.
func (c *chaos) befall(s step) {
	switch s.what {
	case "kill":
		_ = c.world.Kill(s.broker)
	case "start":
		_ = c.world.Start(s.broker)
	case "foreign":
		all := c.world.Partitions()
		p := all[int(s.pause)%len(all)]
		if !p.InFlight() {
			_ = c.world.Reassign(p.TopicPartition, reversed(p.Replicas)...)
		}
	case "flaky":
		c.flaky.Store(!c.flaky.Load())
	}
}

// expected fails for an error that no caller should see.
func (c *chaos) expected(err error) {
	c.t.Helper()
	var r *pilot.Refused
	if err != nil && !errors.As(err, &r) {
		require.True(c.t, errors.Is(err, sim.ErrLost) || errors.Is(err, sim.ErrNoBroker), "%v", err)
	}
}

// consistent checks what holds at any moment.
func (c *chaos) consistent() {
	list, err := c.s.Executions(c.t.Context())
	require.NoError(c.t, err)
	running := 0
	for _, x := range list {
		require.Equal(c.t, x.Submitted, x.Completed+x.Active+x.Pending+x.Failed+x.Cancelled+x.TimedOut)
		if x.EndedAt == nil && x.State != pilot.StatePending {
			running++
		}
	}
	require.LessOrEqual(c.t, running, 1, "one execution at a time")
}

// calm ends the bad luck, waits until everything has ended, and checks what is left.
func (c *chaos) calm() {
	c.flaky.Store(false)
	for b := int32(1); b <= 4; b++ {
		_ = c.world.Start(b)
	}
	time.Sleep(time.Minute)
	list, err := c.s.Executions(c.t.Context())
	require.NoError(c.t, err)
	for _, x := range list {
		c.s.wait(x.ID)
	}
	require.NoError(c.t, c.s.stop())
	c.restart() // what a dead broker kept is taken back by the next start
	time.Sleep(time.Minute)
	for _, p := range c.world.Partitions() {
		require.False(c.t, p.InFlight(), p.TopicPartition)
		require.Len(c.t, p.Replicas, 2, p.TopicPartition)
	}
	noThrottles(c.t, c.world)
	journalIsEmpty(c.t, c.world)
}
