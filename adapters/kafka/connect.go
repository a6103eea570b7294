package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/IBM/sarama"
)

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
	call := func(f func(*sarama.Broker) error) error { return c.onNode(ctx, n, control, limit, f) }
	brokers, err := asked(call, askCluster)
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
