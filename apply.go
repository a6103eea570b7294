package pilot

import (
	"context"
	"slices"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/safety"
)

// Apply starts the execution of a stored proposal and returns once it has started. It asks Options.Authorize, looks at
// the cluster and reads it afresh, and refuses what the checks speak against; force passes those findings that are not
// hard. A plan for a placement that is gone is refused, and so is an optional plan of which a part is left.
func (s *Service) Apply(ctx context.Context, id string, o ApplyOptions) (ExecutionView, error) {
	p, err := s.applicable(id)
	if err != nil {
		return ExecutionView{}, err
	}
	request := Request{Action: actionApply, ProposalID: id, Principal: o.Principal, Force: o.Force}
	if err := s.entitled(ctx, request); err != nil {
		return ExecutionView{}, err
	}
	x, err := s.claim(about{Strategy: strategyProposal, ProposalID: id})
	if err != nil {
		return ExecutionView{}, err
	}
	view, err := s.apply(ctx, x, p, o)
	if err != nil {
		s.release(x)
	}
	return view, err
}

// applicable returns a stored proposal that has moves.
func (s *Service) applicable(id string) (*stored, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkRunning(); err != nil {
		return nil, err
	}
	p := s.proposals.find(id)
	if p == nil {
		return nil, refuseProposal(id)
	}
	if len(p.proposal.Moves) == 0 {
		return nil, refuseConflict(codeNothingToApply, "Proposal %s has no moves. %s", id, p.proposal.Message)
	}
	return p, nil
}

// apply checks a proposal and starts it in the slot that x holds.
func (s *Service) apply(ctx context.Context, x *execution, p *stored, o ApplyOptions) (ExecutionView, error) {
	seen, err := s.inspect(ctx)
	if err != nil {
		return ExecutionView{}, err
	}
	fit := s.fit(p, seen)
	if err := fit.refusal(o.Force); err != nil {
		return ExecutionView{}, err
	}
	x.note = skippedNote(fit.stale, fit.skipped)
	return s.launch(ctx, x, fit.moves, seen.reading, AuditEvent{
		Action: actionApply, Principal: o.Principal, Reason: o.Reason, Force: o.Force,
		Overridden: overridden(fit.findings, o.Force), ProposalID: p.proposal.ID, ExecutionID: x.id,
	})
}

// fitting is what of a proposal fits the cluster as it is now, and what speaks against it.
type fitting struct {
	moves    []balance.Move
	stale    []balance.TopicPartition // not where the proposal starts from
	skipped  []safety.Skipped         // not safe, and nothing to put in their place
	altered  bool                     // what is left no longer does what was promised
	findings []safety.Finding
}

// fit compares a proposal with what was just seen.
func (s *Service) fit(p *stored, seen inspection) fitting {
	var f fitting
	var there []balance.Move
	for _, m := range p.proposal.Moves {
		if seen.reading.startsFrom(&m) {
			there = append(there, m)
			continue
		}
		f.stale = append(f.stale, m.Name())
		f.altered = f.altered || optional(&m)
	}
	safe := safety.Substitute(seen.reading.cluster, seen.health.Alive, there)
	f.moves, f.skipped, f.altered = safe.Moves, safe.Skipped, f.altered || safe.Altered
	r := seen.request
	r.Receivers, r.Altered = receivers(f.moves), f.altered
	r.PlannedOn, r.Placement = p.placement, seen.reading.placement
	f.findings = slices.Concat(safety.Check(seen.health, seen.history, r), adviseThrottle(f.moves, seen.reading, s.o.Limits))
	return f
}

// refusal says why the proposal may not be applied, nil that it may. What is wrong with the cluster comes before what
// is wrong with the plan, and that a plan is stale before what follows from it.
func (f *fitting) refusal(force bool) error {
	blocking := safety.Blocking(f.findings, force)
	planOnly := !slices.ContainsFunc(blocking, func(x safety.Finding) bool { return x.Hard && x.Code != safety.PlanAltered })
	switch {
	case planOnly && !force && len(f.stale) > 0:
		return refuseStale(f.stale, f.findings, !f.altered)
	case len(blocking) > 0:
		return refuseFindings(blocking, f.findings)
	case len(f.moves) == 0:
		return refuseConflict(codeNothingToApply, "No move of this proposal can be made now%s. Generate a new one.", whySkipped(f.skipped))
	}
	return nil
}

// startsFrom reports whether a partition is where a move starts from.
func (r *reading) startsFrom(m *balance.Move) bool {
	p := r.find(m.Name())
	return p != nil && p.Moving == nil && slices.Equal(p.Replicas, m.From)
}

// optional reports whether a move only evens loads.
func optional(m *balance.Move) bool {
	return m.Kind == balance.MoveBalance || m.Kind == balance.MoveLeader
}
