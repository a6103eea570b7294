package kafka

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"

	"github.com/IBM/sarama"
)

// purpose keeps slow calls out of the way of others: each has a connection of its own to a broker.
type purpose uint8

const (
	control  purpose = iota // what the controller answers, and the looks that decide about changes
	measure                 // sizes, offsets and groups: many bytes, no hurry
	purposes                // their number
)

// patience is how long a broker may take for one call. A killed controller of three stalls a call for 2.6 seconds, a
// hung one for 30: that is waited for by trying again.
var patience = [purposes]time.Duration{control: 10 * time.Second, measure: 15 * time.Second}

// link is the way to one broker for one purpose. One call at a time uses it; others queue.
type link struct {
	client  *Client
	address string
	slot    chan struct{}

	// Both are for the holder of the slot alone.
	session *session // nil while there is none
	closed  bool
}

func (c *Client) newLink(address string) *link {
	return &link{client: c, address: address, slot: make(chan struct{}, 1)}
}

// call runs f on the broker. f may run twice: when a connection that had been idle turns out to be closed. When the
// context ends or the broker takes longer than the limit the connection is closed, and the outcome is unknown.
func (l *link) call(ctx context.Context, limit time.Duration, f func(*sarama.Broker) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case l.slot <- struct{}{}:
		defer func() { <-l.slot }()
	case <-ctx.Done():
		return fmt.Errorf("waiting for another call to %s: %w", l.address, context.Cause(ctx))
	}
	if l.closed {
		return &unreachableError{l.address, errors.New("no broker has this address any more")}
	}
	reused := l.session != nil
	err := l.once(ctx, limit, f)
	if reused && brokenPipe(err) && ctx.Err() == nil {
		err = l.once(ctx, limit, f)
	}
	return err
}

func (l *link) once(ctx context.Context, limit time.Duration, f func(*sarama.Broker) error) error {
	if l.session == nil {
		l.session = newSession(l.client.base, l.address)
	}
	s := l.session
	_ = s.open() // "already connected" is the normal answer
	done := make(chan error, 1)
	l.client.calls.Go(func() { done <- f(s.broker) })
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case err := <-done:
		if dropsConnection(err) {
			l.session = nil
			s.end()
		}
		return err
	case <-timer.C:
		l.abandon(done)
		return &silentError{l.address, fmt.Sprintf("has not answered within %v", limit.Round(time.Millisecond)), nil}
	case <-ctx.Done():
		l.abandon(done)
		return &silentError{l.address, "had not answered when the call ended", context.Cause(ctx)}
	}
}

// abandon ends the call under way without waiting for it.
func (l *link) abandon(done <-chan error) {
	s := l.session
	l.session = nil
	s.cut()
	l.client.calls.Go(func() {
		<-done
		s.end()
	})
}

// close waits for the call under way and closes the connection for good.
func (l *link) close() {
	l.slot <- struct{}{}
	defer func() { <-l.slot }()
	l.closed = true
	if l.session != nil {
		l.session.end()
		l.session = nil
	}
}

// dropsConnection reports whether a connection is of no more use: sarama keeps one after a time-out, with every later
// call failing at once. An error code that a broker answered leaves it as it is.
func dropsConnection(err error) bool {
	var code sarama.KError
	return err != nil && (refusesLogin(err) || !errors.As(err, &code))
}

// brokenPipe reports whether the other side had closed the connection.
func brokenPipe(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}
