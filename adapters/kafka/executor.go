package kafka

import (
	"context"
	"slices"
	"time"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

const (
	// batch is how many partitions or topics one request names. The controller takes 10,000 and fails the rest.
	batch = 500
	// serverTimeout is what the controller is told of our patience. It does not keep to it.
	serverTimeout = 30 * time.Second
	// brokerPatience is how long one broker may take for what only it can answer: a hung one shall not hold up a look
	// at the others.
	brokerPatience = 5 * time.Second
)

var serverTimeoutMs = int32(serverTimeout / time.Millisecond)

// Executor carries out executions on a real cluster. It needs, on the cluster: DESCRIBE, ALTER, DESCRIBE_CONFIGS and
// ALTER_CONFIGS; on all topics: DESCRIBE, DESCRIBE_CONFIGS and ALTER_CONFIGS. It may be used from several goroutines,
// though what it carries out must not overlap.
type Executor struct {
	client *Client
	topics inventory
	ends   expectations
}

var _ reassign.Executor = (*Executor)(nil)

// NewExecutor returns an executor on a client, which stays the caller's to close.
func NewExecutor(client *Client) *Executor {
	return &Executor{client: client, ends: expectations{of: map[balance.TopicPartition]expectation{}}}
}

// Submit implements reassign.Executor.
func (x *Executor) Submit(ctx context.Context, targets []reassign.Target) ([]reassign.Outcome, error) {
	outcomes, err := x.alter(ctx, targets)
	for i, o := range outcomes {
		if o.Code == reassign.CodeOK {
			x.ends.submitted(o.TopicPartition, targets[i].Replicas)
		}
	}
	return outcomes, err
}

// Cancel implements reassign.Executor. CodeInvalid means that every original replica is down: Kafka keeps the move.
func (x *Executor) Cancel(ctx context.Context, partitions []balance.TopicPartition) ([]reassign.Outcome, error) {
	targets := make([]reassign.Target, len(partitions))
	for i, tp := range partitions {
		targets[i].TopicPartition = tp // without replicas: Kafka's way to say cancel
	}
	outcomes, err := x.alter(ctx, targets)
	for _, o := range outcomes {
		if o.Code == reassign.CodeOK {
			x.ends.cancelled(o.TopicPartition)
		}
	}
	return outcomes, err
}

// inBatches makes a call in several requests. When one fails after others have been answered, its items are unknown;
// when the first fails the whole call does.
func inBatches[T any](ctx context.Context, items []T, name func(T) balance.TopicPartition,
	send func(context.Context, []T) ([]reassign.Outcome, error)) ([]reassign.Outcome, error) {
	var outcomes []reassign.Outcome
	for part := range slices.Chunk(items, batch) {
		answered, err := send(ctx, part)
		if err != nil && (len(outcomes) == 0 || ctx.Err() != nil) {
			return nil, err
		}
		if err != nil {
			for _, item := range part {
				answered = append(answered, reassign.Outcome{TopicPartition: name(item), Code: reassign.CodeUnknown, Message: oneLine(err.Error())})
			}
		}
		outcomes = append(outcomes, answered...)
	}
	return outcomes, nil
}
