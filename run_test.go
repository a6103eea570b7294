package pilot_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/safety"
)

// TestBeforeRun: nothing is known, and every answer says why.
func TestBeforeRun(t *testing.T) {
	s, err := pilot.New(complete())
	require.NoError(t, err)
	ctx := t.Context()
	health := s.Health(ctx)
	require.False(t, health.Ready)
	require.Equal(t, "The service has not been started yet.", health.Reason)
	require.Nil(t, health.ReadAt)
	require.NotNil(t, health.Findings)
	for name, ask := range map[string]func() error{
		"Cluster":        func() error { _, err := s.Cluster(ctx); return err },
		"Balance":        func() error { _, err := s.Balance(ctx); return err },
		"Current":        func() error { _, err := s.Current(ctx); return err },
		"Proposals":      func() error { _, err := s.Proposals(ctx); return err },
		"Proposal":       func() error { _, err := s.Proposal(ctx, "x"); return err },
		"Generate":       func() error { _, err := s.Generate(ctx, true); return err },
		"Apply":          func() error { _, err := s.Apply(ctx, "x", pilot.ApplyOptions{}); return err },
		"Executions":     func() error { _, err := s.Executions(ctx); return err },
		"Execution":      func() error { _, err := s.Execution(ctx, "x"); return err },
		"Cancel":         func() error { _, err := s.Cancel(ctx, "x"); return err },
		"Drain":          func() error { _, err := s.Drain(ctx, 1, pilot.DrainOptions{}); return err },
		"EndMaintenance": func() error { _, err := s.EndMaintenance(ctx, 1); return err },
		"InMaintenance":  func() error { _, err := s.InMaintenance(ctx); return err },
	} {
		r := refused(t, ask())
		require.Equal(t, "not_ready", r.Code, name)
		require.Equal(t, pilot.RefusedNotReady, r.Kind, name)
		require.Positive(t, r.RetryAfter, name)
	}
}

// TestAfterRun: what was known can still be read, and nothing can be changed.
func TestAfterRun(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world)
		plan := s.plan()
		require.NoError(t, s.stop())
		require.Equal(t, "The service has been stopped.", s.Health(t.Context()).Reason)
		_, err := s.Balance(t.Context())
		require.NoError(t, err)
		_, err = s.Proposal(t.Context(), plan.ID)
		require.NoError(t, err)
		_, err = s.Generate(t.Context(), true)
		require.Equal(t, "not_ready", refused(t, err).Code)
		require.ErrorContains(t, s.Run(t.Context()), "make a new Service")
	})
}

// TestClusterUnreachable at the start: the service waits for it and says so.
func TestClusterUnreachable(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		var up atomic.Bool
		var log lines
		s := startWith(t, world, func(c sim.Call) sim.Effect {
			return sim.Effect{Drop: !up.Load() && (c.Op == sim.OpRead || c.Op == sim.OpHealth)}
		}, log.logger)
		time.Sleep(time.Minute)
		health := s.Health(t.Context())
		require.False(t, health.Ready)
		require.Contains(t, health.Reason, "There is no reading yet: the cluster cannot be read: no answer")
		_, err := s.Current(t.Context())
		require.Contains(t, refused(t, err).Message, "no answer")
		_, err = s.Generate(t.Context(), true)
		require.ErrorIs(t, err, sim.ErrLost, "failed input is no refusal")
		require.Equal(t, 1, log.count("no new reading"), "the same trouble is logged once")

		up.Store(true)
		time.Sleep(31 * time.Second)
		health = s.Health(t.Context())
		require.True(t, health.Ready, health.Reason)
		require.Empty(t, health.Findings)
		require.NotNil(t, health.ReadAt)
	})
}

// broken is a source whose readings contradict themselves.
type broken struct{ *sim.Client }

func (b broken) Read(ctx context.Context) (*balance.Cluster, error) {
	c, err := b.Client.Read(ctx)
	if err == nil {
		c.Partitions[0].Replicas = nil
	}
	return c, err
}

func TestReadingThatMakesNoSense(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world, func(o *pilot.Options) { o.Source = broken{world.Client(nil)} })
		require.False(t, s.Health(t.Context()).Ready)
		_, err := s.Balance(t.Context())
		require.Contains(t, refused(t, err).Message, "replicas is empty")
	})
}

// hanging is a source that never answers.
type hanging struct{ *sim.Client }

func (hanging) Read(ctx context.Context) (*balance.Cluster, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (hanging) Health(ctx context.Context) (safety.Health, error) {
	<-ctx.Done()
	return safety.Health{}, ctx.Err()
}

// TestSourceThatHangs is told apart from one that works, and does not keep the program from ending.
func TestSourceThatHangs(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world, func(o *pilot.Options) { o.Source = hanging{} })
		time.Sleep(3 * time.Minute)
		require.Contains(t, s.Health(t.Context()).Reason, "deadline exceeded")
		require.NoError(t, s.stop())
	})
}

// TestSchedule reads every minute, looks every half minute, and keeps a plan that stays the same.
func TestSchedule(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		var reads, looks atomic.Int32 // the reader and the looker call side by side
		s := startWith(t, world, func(c sim.Call) sim.Effect {
			switch c.Op {
			case sim.OpRead:
				reads.Add(1)
			case sim.OpHealth:
				looks.Add(1)
			}
			return sim.Effect{}
		}, func(o *pilot.Options) { o.ReadEvery = 0 })
		plan := s.plan()
		at := s.Health(t.Context()).ReadAt
		time.Sleep(3*time.Minute + time.Second)
		require.EqualValues(t, 4, reads.Load())
		require.EqualValues(t, 7, looks.Load())
		require.True(t, s.Health(t.Context()).ReadAt.After(*at))
		now := s.plan()
		require.Equal(t, plan.ID, now.ID)
		require.Equal(t, plan.CreatedAt, now.CreatedAt, "the same moves are the same plan")
		require.True(t, now.Proposal != plan.Proposal, "with the figures of the latest reading")
		list, err := s.Proposals(t.Context())
		require.NoError(t, err)
		require.Len(t, list, 1)

		for range 10 {
			_, err := s.Current(t.Context())
			require.NoError(t, err)
			s.Health(t.Context())
		}
		require.EqualValues(t, 4, reads.Load(), "looking at it calculates nothing")
	})
}

// TestBrokerGoesAndComes: the plan follows within a look, long before the next reading is due.
func TestBrokerGoesAndComes(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *sim.Cluster) {
		world := even(t)
		s := start(t, world)
		for _, c := range []struct {
			change func(int32) error
			want   balance.Status
		}{{world.Kill, balance.Paused}, {world.Start, balance.RebalanceRecommended}} {
			require.NoError(t, c.change(4))
			time.Sleep(time.Minute)
			p, err := s.Current(t.Context())
			require.NoError(t, err)
			require.Equal(t, c.want, p.Decision.State, p.Decision.Message)
		}
	})
}

// TestTwoClusters in one process share nothing.
func TestTwoClusters(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		other := even(t)
		a, b := start(t, world), start(t, other)
		x := a.apply()
		drain, err := b.Drain(t.Context(), 5, pilot.DrainOptions{})
		require.NoError(t, err, "the slot is one of a cluster")
		_, err = a.Execution(t.Context(), drain.Execution.ID)
		if drain.Execution.ID != x.ID {
			require.Equal(t, "unknown_execution", refused(t, err).Code)
		}
		require.Equal(t, pilot.StateCompleted, b.wait(drain.Execution.ID).State)
		in, err := a.InMaintenance(t.Context())
		require.NoError(t, err)
		require.Empty(t, in)
		require.NoError(t, b.stop())
		require.Equal(t, pilot.StateCompleted, a.wait(x.ID).State)
	})
}

// TestManyCallers asks from many goroutines at once while everything happens; one of them gets the slot.
func TestManyCallers(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world)
		plan := s.plan()
		var started sync.Map
		var group sync.WaitGroup
		for i := range 20 {
			group.Go(func() {
				x, err := s.Apply(t.Context(), plan.ID, pilot.ApplyOptions{})
				if err == nil {
					started.Store(x.ID, i)
				} else if code := refused(t, err).Code; code != "reassignment_running" {
					t.Errorf("refused with %s", code)
				}
			})
			group.Go(func() {
				s.Health(t.Context())
				_, _ = s.Executions(t.Context())
				_, _ = s.Current(t.Context())
				_, _ = s.Balance(t.Context())
			})
		}
		group.Wait()
		n := 0
		started.Range(func(any, any) bool { n++; return true })
		require.Equal(t, 1, n)
	})
}

// TestIDs are the host's where it gives them, and differ in any case.
func TestIDs(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world, func(o *pilot.Options) { o.NewID = func() string { return "mine" } })
		require.Equal(t, "mine", s.apply().ID)
		require.NoError(t, s.stop())
		again := start(t, even(t))
		first, err := again.Drain(t.Context(), 1, pilot.DrainOptions{})
		require.NoError(t, err)
		require.Regexp(t, `^20000101-\d{6}-1$`, first.Execution.ID)
	})
}

func TestIDThatCannotBeUsed(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world, func(o *pilot.Options) { o.NewID = func() string { return "with spaces" } })
		_, err := s.Apply(t.Context(), s.plan().ID, pilot.ApplyOptions{})
		r := refused(t, err)
		require.Equal(t, "not_executable", r.Code)
		require.Contains(t, r.Message, `"with spaces"`)
	})
}

// TestAuditHook hears of every change, in order.
func TestAuditHook(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		var heard []pilot.AuditEvent
		s := start(t, world, func(o *pilot.Options) {
			o.Audit = func(e pilot.AuditEvent) { heard = append(heard, e) }
		})
		x := s.apply()
		_, err := s.Cancel(t.Context(), x.ID)
		require.NoError(t, err)
		s.wait(x.ID)
		log := s.AuditLog(t.Context())
		require.Equal(t, []pilot.AuditEvent{log[1], log[0]}, heard)
		require.Equal(t, "proposals.apply", heard[0].Action)
		require.Equal(t, "ada", heard[0].Principal)
		require.Equal(t, "uneven", heard[0].Reason)
		require.Equal(t, x.ProposalID, heard[0].ProposalID)
		require.Equal(t, x.ID, heard[0].ExecutionID)
		require.False(t, heard[0].At.IsZero())
	})
}

// TestLog tells what the service does by itself.
func TestLog(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		var log lines
		s := start(t, world, log.logger)
		x := s.wait(s.apply().ID)
		synctest.Wait()
		require.Equal(t, 1, log.count("execution starts"))
		require.Equal(t, 1, log.count("execution has ended id="+x.ID+" state=completed"))
	})
}

// lines is a log.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *lines) logger(o *pilot.Options) {
	o.Logger = slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.MessageKey {
			return slog.Any(a.Key, errors.New(a.Value.String())) // without quotes
		}
		return a
	}}))
}

func (l *lines) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(strings.ReplaceAll(l.text.String(), `"`, ""), text)
}
