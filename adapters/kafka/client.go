package kafka

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
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

// Open connects to a cluster: to the first broker of the list that answers, and to one of those that it names. It
// returns one sentence that says what to do when that fails. The caller closes the client.
func Open(ctx context.Context, config ClientConfig) (*Client, error) {
	base, err := config.build()
	if err != nil {
		return nil, err
	}
	c := newClient(base, config.Brokers)
	if err := c.connect(ctx); err != nil {
		c.Close()
		return nil, fmt.Errorf("cannot connect to Kafka: %w", err)
	}
	return c, nil
}

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

// connect finds the brokers through the bootstrap addresses, and checks that one of them can be reached.
func (c *Client) connect(ctx context.Context) error {
	var failures []error
	seeds := c.candidates()
	for i, seed := range seeds {
		err := c.greet(ctx, seed, c.share(ctx, control, len(seeds)-i))
		if err == nil {
			return c.reachBroker(ctx)
		}
		if ctx.Err() != nil || decides(err) {
			return c.explain(err)
		}
		failures = append(failures, err)
	}
	return c.explain(mostTelling(failures))
}

// reachBroker tells a cluster whose brokers advertise addresses that cannot be reached from here.
func (c *Client) reachBroker(ctx context.Context) error {
	var failures []error
	nodes := c.candidates()
	for i, n := range nodes {
		if n.id < 0 {
			continue
		}
		err := c.greet(ctx, n, c.share(ctx, control, len(nodes)-i))
		if err == nil {
			return nil
		}
		failures = append(failures, err)
	}
	err := mostTelling(failures)
	var unreachable *unreachableError
	if errors.As(err, &unreachable) {
		return fmt.Errorf("%s answers, but the address that its brokers advertise does not: %w", c.bootstrap(), c.explain(err))
	}
	return c.explain(err)
}

// greet asks one broker for all of them.
func (c *Client) greet(ctx context.Context, n *node, limit time.Duration) error {
	var brokers []brokerInfo
	err := c.onNode(ctx, n, control, limit, func(b *sarama.Broker) (err error) {
		brokers, err = askCluster(b)
		return err
	})
	if err == nil {
		c.learn(brokers)
	}
	return err
}

func (c *Client) bootstrap() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := c.nodes[-1]; n != nil {
		return n.address
	}
	return "the bootstrap broker"
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

// candidates returns the brokers in the order in which onAny tries them.
func (c *Client) candidates() []*node {
	c.mu.Lock()
	defer c.mu.Unlock()
	var nodes []*node
	for _, n := range c.nodes {
		if !n.fenced {
			nodes = append(nodes, n)
		}
	}
	now := time.Now()
	rank := func(n *node) int {
		switch {
		case n.id < 0:
			return 2
		case now.Sub(n.failedAt) < lately:
			return 1
		}
		return 0
	}
	slices.SortFunc(nodes, func(a, b *node) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(max(a.id, -a.id), max(b.id, -b.id)))
	})
	return nodes
}

// rotate puts the first n brokers behind the others. Bootstrap addresses stay last.
func rotate(nodes []*node, n int) []*node {
	brokers := slices.IndexFunc(nodes, func(n *node) bool { return n.id < 0 })
	if brokers < 1 {
		return nodes
	}
	n %= brokers
	return slices.Concat(nodes[n:brokers], nodes[:n], nodes[brokers:])
}

// learn takes in what the cluster says of its brokers. Those that it does not name are gone.
func (c *Client) learn(brokers []brokerInfo) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.nodes == nil {
		return
	}
	for _, n := range c.replaceNodes(brokers) {
		c.calls.Go(n.close) // a call under way goes on to its end
	}
}

func (c *Client) replaceNodes(brokers []brokerInfo) (gone []*node) {
	named := map[int32]bool{}
	for _, b := range brokers {
		named[b.ID] = true
		n := c.nodes[b.ID]
		if n != nil && n.address == b.address() {
			n.fenced = b.Fenced
			continue
		}
		if n != nil {
			gone = append(gone, n)
		}
		c.nodes[b.ID] = c.newNode(b.ID, b.address(), b.Fenced)
	}
	for id, n := range c.nodes {
		if id >= 0 && !named[id] {
			gone = append(gone, n)
			delete(c.nodes, id)
		}
	}
	return gone
}
