package kafka

import (
	"context"
	"net"
	"sync"
	"sync/atomic"

	"github.com/IBM/sarama"
)

// session is one connection and the sarama broker that uses it. sarama knows no contexts, and closing its broker waits
// for the call under way: ending a call means to close the connection below, which the session keeps hold of.
type session struct {
	broker  *sarama.Broker
	address string
	through sarama.Config // with the session as its dialer
	given   interface {   // a dialer of the user's own, nil when there is none
		Dial(network, address string) (net.Conn, error)
	}
	ctx    context.Context
	cancel context.CancelFunc

	mu   sync.Mutex
	conn net.Conn
}

// newSession prepares a connection; the first call makes it.
func newSession(base *sarama.Config, address string) *session {
	s := &session{broker: sarama.NewBroker(address), address: address, through: *base}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	if base.Net.Proxy.Enable {
		s.given = base.Net.Proxy.Dialer
	}
	s.through.Net.Proxy.Enable, s.through.Net.Proxy.Dialer = true, s
	return s
}

// open begins to connect. A failure comes out of the next call on the broker.
func (s *session) open() error { return s.broker.Open(&s.through) }

// Dial is called by sarama.
func (s *session) Dial(network, address string) (net.Conn, error) {
	conn, err := s.connect(network, address)
	if err != nil {
		return nil, &unreachableError{address, err}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		_ = conn.Close()
		return nil, &unreachableError{address, s.ctx.Err()}
	}
	s.conn = conn
	return &firstByteConn{Conn: conn, address: address, encrypted: s.through.Net.TLS.Enable}, nil
}

func (s *session) connect(network, address string) (net.Conn, error) {
	if s.given != nil {
		return s.given.Dial(network, address)
	}
	dialer := net.Dialer{Timeout: s.through.Net.DialTimeout, LocalAddr: s.through.Net.LocalAddr}
	return dialer.DialContext(s.ctx, network, address)
}

// cut ends the call under way: it fails, and so does every later one.
func (s *session) cut() {
	s.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		_ = s.conn.Close()
	}
}

// end ends the call under way and frees everything.
func (s *session) end() {
	s.cut()
	_ = s.broker.Close() // says that it is closed already, where it is
}

// firstByteConn looks at the first byte that arrives. Taken for a length, an answer of something that is no Kafka
// would make sarama ask for gigabytes.
type firstByteConn struct {
	net.Conn
	address   string
	encrypted bool
	seen      bool
	wrong     atomic.Pointer[strangerError] // what is wrong with the other side, for good
}

const (
	tlsAlert = 0x15
	// largestFirst is the highest first byte of a length below 100 MB, which is the most that a broker answers.
	largestFirst = 0x06
)

// Read is called by one goroutine at a time.
func (c *firstByteConn) Read(p []byte) (int, error) {
	if wrong := c.wrong.Load(); wrong != nil {
		return 0, wrong
	}
	n, err := c.Conn.Read(p)
	if n == 0 || c.seen {
		return n, err
	}
	c.seen = true
	switch {
	case c.encrypted:
	case p[0] == tlsAlert:
		c.wrong.Store(&strangerError{c.address + " speaks TLS: enable TLS, or use the port of a listener without it"})
	case p[0] > largestFirst:
		c.wrong.Store(&strangerError{"what answers at " + c.address + " is not Kafka"})
	}
	if wrong := c.wrong.Load(); wrong != nil {
		return 0, wrong
	}
	return n, err
}

// Write fails once the other side is known to be wrong: sarama would go on to another version of its first request.
func (c *firstByteConn) Write(p []byte) (int, error) {
	if wrong := c.wrong.Load(); wrong != nil {
		return 0, wrong
	}
	return c.Conn.Write(p)
}
