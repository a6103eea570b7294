package pilot

import "context"

// turn lets one goroutine at a time do something that takes long, and gives up waiting when a context ends, which a
// mutex does not.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

// take waits for the turn. Without an error the caller gives it back.
func (t turn) take(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t turn) give() { <-t }

// signal asks a loop to do its work now. Asking again before it has begun changes nothing.
type signal chan struct{}

func newSignal() signal { return make(signal, 1) }

func (s signal) send() {
	select {
	case s <- struct{}{}:
	default:
	}
}
