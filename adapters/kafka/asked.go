package kafka

import (
	"context"
	"sync"

	"github.com/IBM/sarama"
)

// asked makes a call that asks a broker for something. The result is under a lock, because a call that was given up may
// still be under way, and come to its end later.
func asked[T any](call func(func(*sarama.Broker) error) error, ask func(*sarama.Broker) (T, error)) (T, error) {
	var mu sync.Mutex
	var result T
	err := call(func(b *sarama.Broker) error {
		r, err := ask(b)
		if err == nil {
			mu.Lock()
			defer mu.Unlock()
			result = r
		}
		return err
	})
	mu.Lock()
	defer mu.Unlock()
	return result, err
}

// any is onAny for asked.
func (c *Client) any(ctx context.Context, p purpose) func(func(*sarama.Broker) error) error {
	return func(f func(*sarama.Broker) error) error { return c.onAny(ctx, p, f) }
}
