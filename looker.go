package pilot

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/kafka-pilot/pilot/safety"
)

// lookTimeout is the longest that one look may take.
const lookTimeout = 20 * time.Second

// keepLooking looks at the health of the cluster on a schedule, since a lasting ISR shrink shows in a series alone.
func (s *Service) keepLooking(ctx context.Context) {
	ticker := time.NewTicker(s.o.LookEvery)
	defer ticker.Stop()
	for {
		if err := s.lookNow(ctx); err != nil && ctx.Err() == nil {
			s.o.Logger.Warn("no look at the cluster's health", "error", err)
			s.notSeen()
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// lookNow looks at the cluster and remembers what it saw.
func (s *Service) lookNow(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	h, err := s.o.Source.Health(ctx)
	if err != nil {
		return fmt.Errorf("the health of the cluster cannot be told: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.look.At.IsZero() && !slices.Equal(s.look.Alive, h.Alive) {
		s.readNow.send() // what was planned is for other brokers
	}
	s.look, s.history = h, s.history.Next(h)
	return nil
}

// notSeen leaves it unknown whether there is a controller, which stops changes until somebody answers again.
func (s *Service) notSeen() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.look.Controller = safety.ControllerUnknown
}
