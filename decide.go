package pilot

import (
	"slices"

	"github.com/kafka-pilot/pilot/safety"
)

// decide returns the decision on a stored proposal, or with nil on having none, as the latest reading and look have
// it. The lock must be held.
func (s *Service) decide(p *stored) safety.Decision {
	r := s.asking()
	if p == nil {
		return safety.Decide(nil, safety.Check(s.look, s.history, r), s.evidence())
	}
	r.Receivers, r.PlannedOn = p.receivers, p.placement
	if s.latest != nil {
		r.Placement = s.latest.placement
	}
	findings := slices.Concat(safety.Check(s.look, s.history, r), p.advice)
	return safety.Decide(p.proposal, findings, s.evidence())
}

// asking is what the checks have to know in any case. The lock must be held.
func (s *Service) asking() safety.Request {
	r := safety.Request{ExternalThrottles: !s.o.Limits.Managed}
	if x := s.executions.running(); x != nil {
		r.Own = x.partitions
	}
	return r
}

// evidence is what the history says about acting now. The lock must be held.
func (s *Service) evidence() *safety.Evidence {
	x := s.executions.running()
	if x == nil {
		return nil
	}
	return &safety.Evidence{State: safety.Running, Message: x.progress.Message + "."}
}
