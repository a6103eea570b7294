package kafka

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/IBM/sarama"
)

// Client holds the connections to one cluster. A source, an executor and journals may share it, and it may be used
// from several goroutines.
type Client struct {
	base     *sarama.Config
	patience [purposes]time.Duration
	calls    sync.WaitGroup // goroutines of calls
	closed   context.Context
	close    context.CancelFunc

	mu    sync.Mutex
	nodes map[int32]*node
}

// node is one broker, or a bootstrap address, which has a negative id.
type node struct {
	id       int32
	address  string
	fenced   bool
	failedAt time.Time // of the latest failure to answer; zero after an answer
	links    [purposes]*link
}

// lately is how long a broker that did not answer is asked last.
const lately = 30 * time.Second

// silences is how many brokers may be silent before a call gives up: together they take three times the patience.
const silences = 3

// ErrClosed is what calls on a closed Client answer.
var ErrClosed = errors.New("the Kafka client is closed")

func newClient(base *sarama.Config, bootstrap []string) *Client {
	c := &Client{base: base, patience: patience, nodes: map[int32]*node{}}
	c.closed, c.close = context.WithCancel(context.Background())
	for i, address := range bootstrap {
		c.nodes[int32(-1-i)] = c.newNode(int32(-1-i), address, false)
	}
	return c
}

func (c *Client) newNode(id int32, address string, fenced bool) *node {
	n := &node{id: id, address: address, fenced: fenced}
	for p := range purposes {
		n.links[p] = c.newLink(address)
	}
	return n
}

// Close ends all calls under way, which fail, and closes the connections. Calling it again does nothing.
func (c *Client) Close() {
	c.close()
	c.mu.Lock()
	nodes := c.nodes
	c.nodes = nil
	c.mu.Unlock()
	for _, n := range nodes {
		n.close()
	}
	c.calls.Wait()
}

func (n *node) close() {
	for _, l := range n.links {
		l.close()
	}
}

// onBroker runs f on broker id. f may run twice and must be idempotent. An error wraps *unreachableError when nothing
// was sent, and *silentError or the context's cause when the outcome is unknown.
func (c *Client) onBroker(ctx context.Context, id int32, p purpose, f func(*sarama.Broker) error) error {
	return c.onBrokerWithin(ctx, id, p, c.patience[p], f)
}

// onBrokerWithin is onBroker with another limit than the purpose's.
func (c *Client) onBrokerWithin(ctx context.Context, id int32, p purpose, limit time.Duration, f func(*sarama.Broker) error) error {
	c.mu.Lock()
	n := c.nodes[id]
	closed := c.nodes == nil
	c.mu.Unlock()
	switch {
	case closed:
		return ErrClosed
	case n == nil:
		return &unreachableError{fmt.Sprintf("broker %d", id), errors.New("it is not registered")}
	}
	return c.onNode(ctx, n, p, limit, f)
}

func (c *Client) onNode(ctx context.Context, n *node, p purpose, limit time.Duration, f func(*sarama.Broker) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(c.closed, func() { cancel(ErrClosed) })
	defer stop()
	err := n.links[p].call(ctx, limit, f)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, ErrClosed): // says nothing of the broker
	case triesNext(err):
		n.failedAt = time.Now()
	default:
		n.failedAt = time.Time{}
	}
	return err
}

// onAny runs f on one broker that is alive: the first by ID, those that failed lately last, then the bootstrap
// addresses. When a broker cannot be reached, does not answer or has no controller the next one is tried. f may run
// several times and must be idempotent.
func (c *Client) onAny(ctx context.Context, p purpose, f func(*sarama.Broker) error) error {
	return c.onAnyFrom(ctx, p, 0, f)
}

// onAnyFrom is onAny that passes the first brokers over, for another opinion than theirs.
func (c *Client) onAnyFrom(ctx context.Context, p purpose, first int, f func(*sarama.Broker) error) error {
	nodes := rotate(c.candidates(), first)
	if len(nodes) == 0 {
		return ErrClosed
	}
	var failures []error
	silent := 0
	for i, n := range nodes {
		err := c.onNode(ctx, n, p, c.share(ctx, p, len(nodes)-i), f)
		if err == nil || !triesNext(err) || ctx.Err() != nil || c.closed.Err() != nil {
			return err
		}
		failures = append(failures, err)
		if isSilence(err) {
			silent++
		}
		if silent == silences {
			break
		}
	}
	return mostTelling(failures)
}

// share is how long one of several brokers may take, so that the caller's deadline leaves time for another.
func (c *Client) share(ctx context.Context, p purpose, left int) time.Duration {
	deadline, limited := ctx.Deadline()
	if !limited || left == 1 {
		return c.patience[p]
	}
	return min(c.patience[p], time.Until(deadline)/2)
}
