package pilot

import (
	"context"
	"fmt"
	"time"

	"github.com/kafka-pilot/pilot/balance"
)

// readTimeout is the longest that one reading may take: a source that hangs must not look like one that works.
const readTimeout = 2 * time.Minute

// keepReading reads and plans on a schedule, and at once when asked.
func (s *Service) keepReading(ctx context.Context) {
	for {
		wait := s.o.ReadEvery
		if err := s.refresh(ctx); err != nil {
			wait = min(wait, retryReadAfter)
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-s.readNow:
		}
		timer.Stop()
		if ctx.Err() != nil {
			return
		}
	}
}

// refresh reads the cluster and makes a plan of it.
func (s *Service) refresh(ctx context.Context) error {
	if err := s.reading.take(ctx); err != nil {
		return err
	}
	defer s.reading.give()
	r, err := s.read(ctx)
	if err != nil {
		return err
	}
	s.settleDrains(ctx, r)
	return s.plan(ctx)
}

// read takes a new reading and makes it the latest.
func (s *Service) read(ctx context.Context) (*reading, error) {
	limited, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	c, err := s.o.Source.Read(limited)
	if err == nil {
		err = c.Validate()
	}
	if err != nil {
		err = fmt.Errorf("the cluster cannot be read: %w", err)
		if ctx.Err() == nil { // whoever asked is still there: it was the cluster
			s.notRead(err)
		}
		return nil, err
	}
	r := newReading(c, s.maintained(), s.o.Policy)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readError, s.readAt = nil, time.Now()
	if s.latest != nil && c.TakenAt.Before(s.latest.measured.TakenAt) {
		return s.latest, nil
	}
	s.latest = r.under(s.state, s.o.Policy)
	return s.latest, nil
}

// notRead notes why there is no new reading, and logs what was not known yet.
func (s *Service) notRead(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.readError == nil || s.readError.Error() != err.Error() {
		s.o.Logger.Warn("no new reading", "error", err)
	}
	s.readError = err
}

// plan makes a proposal of the latest reading. While moves are executed there is nothing to plan on, and a plan that
// brokers changed under is made again.
func (s *Service) plan(ctx context.Context) error {
	for ctx.Err() == nil {
		s.mu.Lock()
		r, eligibility, unsettled := s.latest, s.eligibility, s.executions.unsettled()
		s.mu.Unlock()
		if unsettled {
			return nil
		}
		p, err := balance.Propose(r.cluster, s.o.Policy)
		if err != nil {
			err = fmt.Errorf("no plan can be made: %w", err)
			s.o.Logger.Error("no new plan", "error", err)
			return err
		}
		if s.keep(p, r, eligibility) {
			return nil
		}
	}
	return ctx.Err()
}

// keep makes p the current proposal, unless brokers have changed since.
func (s *Service) keep(p *balance.Proposal, r *reading, eligibility int) bool {
	made := newStored(p, r, s.o.Limits)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.eligibility != eligibility {
		return false
	}
	s.proposals.keep(made, time.Now())
	return true
}
