package pilot

import (
	"context"
	"errors"
	"sync"
)

// lifetime is what Run is doing. It is guarded by Service.mu.
type lifetime struct {
	stage stage
	ctx   context.Context // ends all that Run owns
	end   context.CancelCauseFunc
	group sync.WaitGroup
}

type stage uint8

const (
	created    stage = iota // Run has not been called
	recovering              // the journals are being read
	running
	ended
)

// notReady says why nothing can be asked for in a stage.
var notReady = map[stage]string{
	created:    "The service has not been started yet.",
	recovering: "The service is reading its journal.",
	ended:      "The service has been stopped.",
}

var errRunTwice = errors.New("pilot: Run has been called before: make a new Service")

// Run does the work of the Service until the context ends, and may be called once. It takes up the executions that a
// stopped or crashed process left unfinished, then reads the cluster on a schedule, keeps a plan ready, and carries out
// what is asked for. All goroutines of the Service are Run's, and all have ended when it returns.
//
// It returns nil after the context has ended: an execution in progress is then left as it is, with its record in the
// journal, and the next Run takes it up. It returns an error when the journals cannot be read at the start, and when
// another process has taken a journal over, which wraps reassign.ErrFenced.
func (s *Service) Run(ctx context.Context) error {
	ctx, ok := s.begin(ctx)
	if !ok {
		return errRunTwice
	}
	unfinished, err := s.recover(ctx)
	if err == nil {
		s.serve(unfinished)
		<-ctx.Done()
	} else if ctx.Err() == nil {
		s.fail(err)
	}
	s.finish()
	s.life.group.Wait()
	var broken *failure
	if errors.As(context.Cause(ctx), &broken) {
		return broken.err
	}
	return nil
}

// begin returns the context of everything that Run owns, or false when Run has been called before.
func (s *Service) begin(ctx context.Context) (context.Context, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.life.stage != created {
		return nil, false
	}
	s.life.stage = recovering
	s.life.ctx, s.life.end = context.WithCancelCause(ctx)
	return s.life.ctx, true
}

// serve begins all that goes on while the service runs.
func (s *Service) serve(unfinished []*execution) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.life.stage = running
	s.spawn(s.keepLooking)
	s.spawn(s.keepReading)
	s.resume(unfinished)
}

// spawn runs f in Run's group. The lock must be held and the stage be running.
func (s *Service) spawn(f func(ctx context.Context)) {
	ctx := s.life.ctx
	s.life.group.Go(func() { f(ctx) })
}

// finish refuses all further work.
func (s *Service) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.life.stage = ended
	s.life.end(nil)
}

// failure is the cause of a Run that ended by itself.
type failure struct{ err error }

func (f *failure) Error() string { return f.err.Error() }

// fail ends Run with an error.
func (s *Service) fail(err error) {
	s.o.Logger.Error("the service stops", "error", err)
	s.life.end(&failure{err})
}
