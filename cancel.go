package pilot

import "context"

// Executions returns the running and the ended executions, newest first, without their moves. Ended ones are kept
// while the program runs, the latest 100 of them.
func (s *Service) Executions(context.Context) ([]ExecutionView, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkServing(); err != nil {
		return nil, err
	}
	views := []ExecutionView{}
	for _, x := range s.executions.listed() {
		views = append(views, x.view(false))
	}
	return views, nil
}

// Execution returns one execution with its moves.
func (s *Service) Execution(_ context.Context, id string) (ExecutionView, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkServing(); err != nil {
		return ExecutionView{}, err
	}
	x := s.executions.find(id)
	if x == nil {
		return ExecutionView{}, refuseExecution(id)
	}
	return x.view(true), nil
}

// Cancel asks a running execution to stop and returns at once. What is in flight is moved back, what is completed
// stays, and so does the maintenance of a broker that was being drained. Asking again changes nothing.
func (s *Service) Cancel(_ context.Context, id string) (ExecutionView, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkRunning(); err != nil {
		return ExecutionView{}, err
	}
	x := s.executions.find(id)
	switch {
	case x == nil:
		return ExecutionView{}, refuseExecution(id)
	case !x.progress.EndedAt.IsZero():
		return ExecutionView{}, refuseConflict(codeEnded, "Execution %s has ended. %s.", id, x.progress.Message)
	}
	if !x.cancelled {
		x.cancelled = true
		close(x.stop)
		s.record(AuditEvent{Action: actionCancel, ExecutionID: id, ProposalID: x.ProposalID, Broker: x.Broker})
	}
	return x.view(true), nil
}
