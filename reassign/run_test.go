package reassign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/kafka-pilot/pilot/balance"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// clocked is a fake whose time is the clock's.
type clocked struct{ *fake }

func (c clocked) catchUp() { c.pass(time.Since(c.now)) }

func (c clocked) Look(ctx context.Context, q Query) (View, error) {
	c.catchUp()
	return c.fake.Look(ctx, q)
}

func (c clocked) Submit(ctx context.Context, targets []Target) ([]Outcome, error) {
	c.catchUp()
	return c.fake.Submit(ctx, targets)
}

// inBubble runs a test with a virtual clock on a cluster with two moves, one at a time.
func inBubble(t *testing.T, test func(t *testing.T, e *Execution, c clocked)) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, Limits{Managed: true, Throttle: 5_000_000, MaxPerBroker: 1},
			move("orders-0", []int32{1, 2}, []int32{4, 2}), move("orders-1", []int32{1, 2}, []int32{4, 2}))
		h.now = time.Now()
		test(t, h.e, clocked{h.fake})
	})
}

func TestRunToTheEnd(t *testing.T) {
	inBubble(t, func(t *testing.T, e *Execution, c clocked) {
		start := time.Now()
		var told []Progress
		err := Run(t.Context(), e, c, c, RunOptions{OnProgress: func(p Progress) { told = append(told, p) }})
		require.NoError(t, err)
		require.Equal(t, 200*time.Second, time.Since(start), "two copies of 100 MB at 1 MB/s, without a second lost")
		require.Empty(t, c.journal)
		require.Equal(t, Active, told[0].State)
		require.Equal(t, Completed, told[len(told)-1].State)
		require.Less(t, len(told), 60, "it tells what changed and not every look")
		require.True(t, slices.IsSortedFunc(told, func(a, b Progress) int { return int(a.CopiedBytes - b.CopiedBytes) }))
	})
}

func TestRunCancelled(t *testing.T) {
	inBubble(t, func(t *testing.T, e *Execution, c clocked) {
		stop := make(chan struct{})
		time.AfterFunc(10*time.Second+time.Millisecond, func() { close(stop) })
		start := time.Now()
		require.NoError(t, Run(t.Context(), e, c, c, RunOptions{Cancel: stop}))
		require.Less(t, time.Since(start), 15*time.Second)
		p := e.Progress()
		require.Equal(t, Cancelled, p.State)
		require.Equal(t, []int32{1, 2}, c.parts[0].replicas)
		require.Empty(t, c.parts[0].adding)
		require.Empty(t, c.journal)
		require.Nil(t, c.rates[4].Follower)
	})
}

// TestRunStopsWithItsContext: nothing is taken back, and a later Run goes on.
func TestRunStopsWithItsContext(t *testing.T) {
	inBubble(t, func(t *testing.T, e *Execution, c clocked) {
		ctx, stop := context.WithCancelCause(t.Context())
		time.AfterFunc(10*time.Second+time.Millisecond, func() { stop(errors.New("shutting down")) })
		err := Run(ctx, e, c, c, RunOptions{})
		require.EqualError(t, err, "execution plan is left as it is: shutting down")
		require.Equal(t, []int32{4}, c.parts[0].adding)
		require.NotEmpty(t, c.journal)

		all, err := Restore(c.journal)
		require.NoError(t, err)
		require.NoError(t, Run(t.Context(), all[0], c, c, RunOptions{}))
		require.Equal(t, Completed, all[0].Progress().State)
		require.Empty(t, c.journal)
	})
}

// fenced is a journal that somebody takes over after so many saves.
type fenced struct {
	*fake
	left int
}

func (f *fenced) Save(ctx context.Context, key string, value []byte) error {
	if f.left--; f.left < 0 {
		return ErrFenced
	}
	return f.fake.Save(ctx, key, value)
}

// TestRunStopsWhenFenced: however far it is, it makes no further call that changes the cluster.
func TestRunStopsWhenFenced(t *testing.T) {
	for after := range 12 {
		inBubble(t, func(t *testing.T, e *Execution, c clocked) {
			j := &fenced{c.fake, after}
			c.fault = func(call string) faultAt {
				if call != "look" && call != "throttles" {
					require.GreaterOrEqual(t, j.left, 0, "%s after the journal was taken over", call)
				}
				return works
			}
			err := Run(t.Context(), e, c, j, RunOptions{})
			require.ErrorIs(t, err, ErrFenced)
		})
	}
}

// TestRunGivesUp: a cluster that does not answer is waited for, not for ever, and asked less and less often.
func TestRunGivesUp(t *testing.T) {
	inBubble(t, func(t *testing.T, e *Execution, c clocked) {
		c.fault = func(string) faultAt { return lost }
		start := time.Now()
		err := Run(t.Context(), e, c, c, RunOptions{})
		require.ErrorContains(t, err, "execution plan is left as it is: calls fail for 15m")
		require.ErrorIs(t, err, errLost)
		require.Greater(t, time.Since(start), 15*time.Minute)
		require.Less(t, c.calls, 50)
	})
}

// TestRunSurvivesAnOutage: five minutes without any answer in mid-copy, the journal included.
func TestRunSurvivesAnOutage(t *testing.T) {
	inBubble(t, func(t *testing.T, e *Execution, c clocked) {
		begin := time.Now()
		c.fault = func(string) faultAt {
			if since := time.Since(begin); since > 30*time.Second && since < 330*time.Second {
				return lost
			}
			return works
		}
		require.NoError(t, Run(t.Context(), e, c, c, RunOptions{}))
		require.Equal(t, Completed, e.Progress().State)
	})
}

// TestRunNeedsAJournal: while the intent cannot be saved nothing is changed.
func TestRunNeedsAJournal(t *testing.T) {
	inBubble(t, func(t *testing.T, e *Execution, c clocked) {
		c.fault = func(call string) faultAt {
			require.Contains(t, []string{"look", "throttles", "save"}, call)
			if call == "save" {
				return lost
			}
			return works
		}
		err := Run(t.Context(), e, c, c, RunOptions{GiveUpAfter: time.Minute})
		require.ErrorContains(t, err, "saving execution/plan: connection lost")
	})
}

// TestRunCancelledDuringAnOutage: the request is not lost.
func TestRunCancelledDuringAnOutage(t *testing.T) {
	inBubble(t, func(t *testing.T, e *Execution, c clocked) {
		begin := time.Now()
		c.fault = func(string) faultAt {
			if since := time.Since(begin); since > 5*time.Second && since < 65*time.Second {
				return lost
			}
			return works
		}
		stop := make(chan struct{})
		time.AfterFunc(20*time.Second, func() { close(stop) })
		require.NoError(t, Run(t.Context(), e, c, c, RunOptions{Cancel: stop}))
		require.Equal(t, Cancelled, e.Progress().State)
		require.Equal(t, []int32{1, 2}, c.parts[0].replicas)
	})
}

// terse is a cluster that forgets to answer.
type terse struct{ clocked }

func (t terse) SetThrottles(context.Context, []ThrottleChange) ([]ThrottleOutcome, error) {
	return nil, nil
}

func TestRunWithTooFewAnswers(t *testing.T) {
	inBubble(t, func(t *testing.T, e *Execution, c clocked) {
		require.NoError(t, Run(t.Context(), e, terse{c}, c, RunOptions{}))
		require.Contains(t, e.Progress().Moves[0].Reason, "the throttles cannot be set now: 0 answers to 4 changes of throttles")
	})
}

// TestStepsMayBeRepeated: a Todo that was not carried out is returned again.
func TestStepsMayBeRepeated(t *testing.T) {
	h := newHost(t, Limits{Managed: true, Throttle: 5_000_000}, move("orders-0", []int32{1, 2}, []int32{4, 2}))
	h.until(func() bool {
		first := h.e.Step(h.now, h.seen)
		h.seen = Seen{}
		second := h.e.Step(h.now, h.seen)
		require.Equal(t, first, second)
		return false
	})
	require.Equal(t, Completed, h.e.Progress().State)
}

// TestSameStoryTwice: the machine is deterministic to the byte.
func TestSameStoryTwice(t *testing.T) {
	story := func() (told []string) {
		var moves []balance.Move
		for p := range int32(40) {
			m := move("orders-0", []int32{1, 2, 3}, []int32{4 + p%3, 2, 3})
			m.Partition = p
			moves = append(moves, m)
		}
		h := newHost(t, Limits{Managed: true, Throttle: 5_000_000, MaxPerBroker: 3}, moves...)
		h.tell = func(format string, args ...any) {
			told = append(told, fmt.Sprintf(format, args...), string(h.journal["execution/plan"]))
		}
		h.until(func() bool { return false })
		return append(told, h.state()...)
	}
	require.Equal(t, story(), story())
}
