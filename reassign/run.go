package reassign

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// RunOptions are what Run needs besides an execution and a cluster.
type RunOptions struct {
	// Cancel asks the execution to cancel, when it is closed. nil is never.
	Cancel <-chan struct{}
	// OnProgress is called from Run's goroutine at the start, after each change and at the end. It must not block for
	// long, since nothing else happens meanwhile. nil is nobody.
	OnProgress func(Progress)
	// GiveUpAfter is how long calls may fail in a row before Run returns the error. 0 means 15 minutes.
	GiveUpAfter time.Duration
}

// Run drives an execution to its end and returns nil then, whatever became of its moves: Progress says. The record in
// the journal is gone then, unless Progress names leftovers. Run is the one place here that waits and reads a clock.
//
// It returns early, with the record in place and everything in flight left as it is, when the context ends, when calls
// fail for longer than GiveUpAfter, and when another instance has taken the journal over: an error that wraps
// ErrFenced, after which nothing was changed. Except in the last case, Restore and Run take up where it was.
func Run(ctx context.Context, e *Execution, x Executor, j Journal, o RunOptions) error {
	r := runner{Execution: e, executor: x, journal: j, options: o}
	if r.options.GiveUpAfter == 0 {
		r.options.GiveUpAfter = 15 * time.Minute
	}
	var seen Seen
	for {
		todo := e.Step(time.Now(), seen)
		r.report(todo.Done)
		var err error
		seen, err = r.do(ctx, todo)
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("execution %s is left as it is: %w", e.ID(), context.Cause(ctx))
		case errors.Is(err, ErrFenced):
			return fmt.Errorf("execution %s: %w", e.ID(), err)
		case err == nil && todo.Done:
			return nil
		}
		if err := r.endure(ctx, err); err != nil {
			return err
		}
	}
}

type runner struct {
	*Execution
	executor   Executor
	journal    Journal
	options    RunOptions
	reported   digest
	failing    time.Time // since when calls fail
	failures   int       // in a row
	saveFailed bool      // the latest attempt to save failed: what else works is no comfort
}

// do saves, waits and makes the call.
func (r *runner) do(ctx context.Context, todo Todo) (Seen, error) {
	for _, entry := range todo.Save {
		if err := r.journal.Save(ctx, entry.Key, entry.Value); err != nil {
			r.saveFailed = true
			return Seen{}, fmt.Errorf("saving %s: %w", entry.Key, err)
		}
	}
	r.saveFailed = r.saveFailed && len(todo.Save) == 0
	if woken := r.wait(ctx, todo.Wait); woken {
		return Seen{Saved: true}, nil
	}
	seen, err := r.call(ctx, &todo)
	seen.Saved, seen.Err = true, err
	return seen, err
}

// wait returns true when something happened that the execution should hear of first.
func (r *runner) wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-r.options.Cancel:
		r.options.Cancel = nil
		r.Cancel()
		return true
	default:
	}
	if d <= 0 {
		return false
	}
	select {
	case <-timer.C:
		return false
	case <-r.options.Cancel:
		r.options.Cancel = nil
		r.Cancel()
	case <-ctx.Done():
	}
	return true
}

// call makes the one call that the Todo holds.
func (r *runner) call(ctx context.Context, todo *Todo) (seen Seen, err error) {
	switch {
	case todo.Look != nil:
		var v View
		v, err = r.executor.Look(ctx, *todo.Look)
		seen.View = &v
	case todo.Throttles != nil:
		var t Throttles
		t, err = r.executor.Throttles(ctx, todo.Throttles.Brokers, todo.Throttles.Topics)
		seen.Throttles = &t
	case len(todo.SetThrottles) > 0:
		seen.Changes, err = r.executor.SetThrottles(ctx, todo.SetThrottles)
		if err == nil && len(seen.Changes) != len(todo.SetThrottles) {
			err = fmt.Errorf("%d answers to %d changes of throttles", len(seen.Changes), len(todo.SetThrottles))
		}
	case len(todo.Submit) > 0:
		seen.Outcomes, err = r.executor.Submit(ctx, todo.Submit)
	case len(todo.Elect) > 0:
		seen.Outcomes, err = r.executor.Elect(ctx, todo.Elect)
	case len(todo.Cancel) > 0:
		seen.Outcomes, err = r.executor.Cancel(ctx, todo.Cancel)
	}
	if err == nil && seen.Outcomes == nil {
		seen.Outcomes = []Outcome{}
	}
	return seen, err
}

// endure waits after a failure, longer each time, and gives up when they do not end.
func (r *runner) endure(ctx context.Context, err error) error {
	if err == nil {
		if !r.saveFailed {
			r.failures = 0
		}
		return nil
	}
	if r.failures == 0 {
		r.failing = time.Now()
	}
	if d := time.Since(r.failing); d > r.options.GiveUpAfter {
		return fmt.Errorf("execution %s is left as it is: calls fail for %v, the latest with: %w", r.ID(), d.Round(time.Second), err)
	}
	pause := min(250*time.Millisecond<<min(r.failures, 7), 30*time.Second)
	r.failures++
	r.wait(ctx, pause)
	if ctx.Err() != nil {
		return fmt.Errorf("execution %s is left as it is: %w", r.ID(), context.Cause(ctx))
	}
	return nil
}

// report tells the progress when it has changed.
func (r *runner) report(end bool) {
	if r.options.OnProgress == nil {
		return
	}
	p := r.Progress()
	now := digest{p.Message, p.Target.Text, p.Pending, p.Active, p.Completed, len(p.Warnings), p.CopiedBytes, p.CancelRequested}
	if end || now != r.reported {
		r.reported = now
		r.options.OnProgress(p)
	}
}

// digest is what of a Progress is worth telling when it changes.
type digest struct {
	message, target                      string
	pending, active, completed, warnings int
	copied                               int64
	cancelled                            bool
}
