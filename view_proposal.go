package pilot

import "context"

// Current returns the current proposal with the decision on it. While there is none, at the start and after a change of
// maintenance, it refuses with the kind RefusedNotReady. Asking calculates nothing.
func (s *Service) Current(context.Context) (ProposalView, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkRead(); err != nil {
		return ProposalView{}, err
	}
	if s.proposals.current == nil {
		return ProposalView{}, refusePending(s.decide(nil))
	}
	return s.proposalView(s.proposals.current), nil
}

// Proposals returns the stored proposals, newest first.
func (s *Service) Proposals(context.Context) ([]ProposalView, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkServing(); err != nil {
		return nil, err
	}
	views := []ProposalView{}
	for _, p := range s.proposals.all {
		views = append(views, s.proposalView(p))
	}
	return views, nil
}

// Proposal returns one stored proposal.
func (s *Service) Proposal(_ context.Context, id string) (ProposalView, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkServing(); err != nil {
		return ProposalView{}, err
	}
	p := s.proposals.find(id)
	if p == nil {
		return ProposalView{}, refuseProposal(id)
	}
	return s.proposalView(p), nil
}

// Generate returns the current proposal. With immediate it reads the cluster and calculates anew first, which is
// refused while moves are executed.
func (s *Service) Generate(ctx context.Context, immediate bool) (ProposalView, error) {
	if immediate {
		if err := s.mayGenerate(); err != nil {
			return ProposalView{}, err
		}
		if err := s.refresh(ctx); err != nil {
			return ProposalView{}, err
		}
	}
	return s.Current(ctx)
}

func (s *Service) mayGenerate() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkRunning(); err != nil {
		return err
	}
	if x := s.executions.running(); x != nil {
		return refuseBusy(x)
	}
	return nil
}

// proposalView returns a stored proposal as adapters show it. The lock must be held.
func (s *Service) proposalView(p *stored) ProposalView {
	return ProposalView{
		ID: p.proposal.ID, CreatedAt: p.createdAt, Stored: p.status, Proposal: p.proposal, Decision: s.decide(p),
	}
}
