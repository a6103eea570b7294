package pilot

import (
	"context"

	"github.com/kafka-pilot/pilot/safety"
)

// inspection is what the live pre-flight of a change has seen.
type inspection struct {
	health  safety.Health
	history safety.History
	reading *reading
	request safety.Request // what the checks have to know in any case
}

// inspect looks at the cluster and reads it afresh, before anything is changed (row SAFE-01).
func (s *Service) inspect(ctx context.Context) (inspection, error) {
	if err := s.lookNow(ctx); err != nil {
		return inspection{}, err
	}
	r, err := s.read(ctx)
	if err != nil {
		return inspection{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return inspection{s.look, s.history, r, s.asking()}, nil
}
