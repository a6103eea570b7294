package kafka

import (
	"context"
	"sync"
	"time"

	"github.com/IBM/sarama"
)

// atOnce is how many brokers are asked at the same time.
const atOnce = 16

// answer is what one broker answered.
type answer[T any] struct {
	broker int32
	value  T
	err    error
}

// askEach asks several brokers side by side, each for at most the limit, so that one that hangs holds up no other. The
// answers are in the order of the brokers.
func askEach[T any](ctx context.Context, c *Client, brokers []int32, p purpose, limit time.Duration,
	ask func(b *sarama.Broker, id int32) (T, error)) []answer[T] {
	answers := make([]answer[T], len(brokers))
	var wait sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for i, id := range brokers {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			call := func(f func(*sarama.Broker) error) error { return c.onBrokerWithin(ctx, id, p, limit, f) }
			value, err := asked(call, func(b *sarama.Broker) (T, error) { return ask(b, id) })
			answers[i] = answer[T]{id, value, err}
		})
	}
	wait.Wait()
	return answers
}
