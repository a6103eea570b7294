package pilot

import (
	"context"
	"time"

	"github.com/kafka-pilot/pilot/maintenance"
	"github.com/kafka-pilot/pilot/safety"
)

// Drain puts a broker into maintenance and starts to move everything off it. From then on no plan gives it anything,
// also when the execution is cancelled; EndMaintenance takes it back. Draining again moves what is on it by then. What
// cannot keep its replication factor or its racks refuses the drain and nothing is changed; force drains it with fewer
// of them, and passes soft findings.
func (s *Service) Drain(ctx context.Context, broker int32, o DrainOptions) (DrainView, error) {
	s.mu.Lock()
	err := s.checkRunning()
	s.mu.Unlock()
	if err != nil {
		return DrainView{}, err
	}
	request := Request{Action: actionDrain, Broker: &broker, Principal: o.Principal, Force: o.Force}
	if err := s.entitled(ctx, request); err != nil {
		return DrainView{}, err
	}
	x, err := s.claim(about{Strategy: strategyDrain, Broker: &broker})
	if err != nil {
		return DrainView{}, err
	}
	defer s.release(x)
	return s.drain(ctx, x, broker, o)
}

// drain checks a drain and starts it in the slot that x holds.
func (s *Service) drain(ctx context.Context, x *execution, broker int32, o DrainOptions) (DrainView, error) {
	seen, err := s.inspect(ctx)
	if err != nil {
		return DrainView{}, err
	}
	plan, findings, err := s.planDrain(seen, broker, o.Force)
	if err != nil {
		return DrainView{}, err
	}
	enter := func(m maintenance.State) (maintenance.State, error) { return m.Enter(broker, time.Now()), nil }
	if err := s.change(ctx, enter); err != nil {
		return DrainView{}, err
	}
	event := AuditEvent{
		Action: actionDrain, Principal: o.Principal, Reason: o.Reason, Force: o.Force,
		Overridden: overridden(findings, o.Force), Broker: &broker, ReducedFactor: texts(plan.ReducedFactor),
	}
	if len(plan.Moves) == 0 {
		return s.nothingToDrain(ctx, plan, event)
	}
	event.ExecutionID = x.id
	if plan.Warnings = append(plan.Warnings, s.throttleWarning(seen)...); len(plan.Waiting) > 0 {
		x.note = waitingNote(plan.Waiting)
	}
	view, err := s.launch(ctx, x, plan.Moves, seen.reading, event)
	if err != nil {
		return DrainView{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.drainView(broker, plan, &view), nil
}

// planDrain makes the plan, once nothing speaks against moving anything. What is wrong with the cluster comes before
// what is wrong with the plan.
func (s *Service) planDrain(seen inspection, broker int32, force bool) (*maintenance.Drain, []safety.Finding, error) {
	r := seen.request
	// Whoever passes that throttles are managed elsewhere would let the replication factor fall with the same force:
	// the drain warns of it instead.
	r.ExternalThrottles = false
	findings := safety.Check(seen.health, seen.history, r)
	if blocking := safety.Blocking(findings, force); len(blocking) > 0 {
		return nil, nil, refuseFindings(blocking, findings)
	}
	plan, err := maintenance.Plan(seen.reading.cluster, broker, maintenance.Options{Policy: s.o.Policy, Force: force})
	if err != nil {
		return nil, nil, refuseDrain(err)
	}
	r.Receivers = receivers(plan.Moves)
	findings = safety.Check(seen.health, seen.history, r)
	if blocking := safety.Blocking(findings, force); len(blocking) > 0 {
		return nil, nil, refuseFindings(blocking, findings)
	}
	return plan, findings, nil
}

// nothingToDrain ends a drain that needs no move: the broker is empty already, or what is on it has to wait.
func (s *Service) nothingToDrain(ctx context.Context, plan *maintenance.Drain, e AuditEvent) (DrainView, error) {
	if len(plan.Waiting) == 0 {
		if err := s.drained(ctx, plan.Broker); err != nil {
			return DrainView{}, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record(e)
	return s.drainView(plan.Broker, plan, nil), nil
}

// throttleWarning says that nothing of ours limits the moves of a drain.
func (s *Service) throttleWarning(seen inspection) []string {
	var warnings []string
	for _, f := range safety.Check(seen.health, seen.history, seen.request) {
		if f.Code == safety.ExternalThrottles {
			warnings = append(warnings, externalThrottlesWarning)
		}
	}
	return warnings
}
