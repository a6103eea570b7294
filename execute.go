package pilot

import (
	"context"
	"errors"
	"time"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

// neverGiveUp makes an execution outlast any outage: what is in flight is its own to end.
const neverGiveUp = 100 * 365 * 24 * time.Hour

// launch turns a claim into an execution and starts it in Run's group.
func (s *Service) launch(ctx context.Context, x *execution, moves []balance.Move, base *reading, e AuditEvent) (ExecutionView, error) {
	machine, err := reassign.New(x.id, moves, base.cluster, s.o.Limits)
	if err != nil {
		return ExecutionView{}, refuseConflict(codeNotExecutable, "These moves cannot be executed: %v.", err)
	}
	if err := s.saveAbout(ctx, x); err != nil {
		return ExecutionView{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkRunning(); err != nil {
		return ExecutionView{}, err
	}
	s.record(e)
	s.proposals.mark(x.ProposalID, storedApplied)
	s.o.Logger.Info("execution starts", "id", x.id, "strategy", x.Strategy, "moves", len(moves))
	s.start(x, machine)
	return x.view(true), nil
}

// start runs an execution in the slot. The lock must be held and the slot be free or x's.
func (s *Service) start(x *execution, machine *reassign.Execution) {
	x.machine, x.progress = machine, machine.Progress()
	for _, m := range x.progress.Moves {
		x.partitions = append(x.partitions, m.TopicPartition)
	}
	s.executions.begin(x)
	s.spawn(func(ctx context.Context) { s.execute(ctx, x) })
}

// execute drives an execution to its end, or until Run ends.
func (s *Service) execute(ctx context.Context, x *execution) {
	err := reassign.Run(ctx, x.machine, s.o.Executor, s.o.Journal, reassign.RunOptions{
		Cancel: x.stop, GiveUpAfter: neverGiveUp,
		OnProgress: func(p reassign.Progress) { s.progressed(x, p) },
	})
	switch {
	case errors.Is(err, reassign.ErrFenced):
		s.fail(err)
	case err != nil:
		s.o.Logger.Info("execution is left for the next run", "id", x.id, "error", err)
	default:
		s.forgetAbout(ctx, x)
		s.ended(x)
	}
}

// progressed takes in how far an execution is, and logs what somebody should look at. The last progress is shown once
// the slot is free: who sees an execution ended may start the next.
func (s *Service) progressed(x *execution, p reassign.Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range p.Warnings[min(len(p.Warnings), len(x.progress.Warnings)):] {
		s.o.Logger.Warn("execution", "id", x.id, "warning", w)
	}
	if p.EndedAt.IsZero() {
		x.progress = p
	} else {
		x.outcome = p
	}
}

// ended frees the slot for the next, and has the cluster read: what the moves did is to be seen at once.
func (s *Service) ended(x *execution) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !x.outcome.EndedAt.IsZero() {
		x.progress = x.outcome
	}
	p := &x.progress
	s.o.Logger.Info("execution has ended", "id", x.id, "state", p.State.String(), "outcome", p.Message)
	for _, left := range p.Leftovers {
		s.o.Logger.Warn("a throttle could not be put back: the next start of the program tries again", "id", x.id, "throttle", left)
	}
	switch p.State {
	case reassign.Cancelled:
		s.proposals.mark(x.ProposalID, storedCancelled)
	case reassign.Failed, reassign.TimedOut:
		s.proposals.mark(x.ProposalID, storedFailed)
	}
	s.executions.slot, x.machine = nil, nil
	s.resumeNext()
	s.readNow.send()
}
