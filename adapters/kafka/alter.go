package kafka

import (
	"context"
	"reflect"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

// alter submits targets, and cancels where a target has no replicas. It uses the request itself: sarama's
// administrator sends every partition from 0 on, which cancels those that are left out.
func (x *Executor) alter(ctx context.Context, targets []reassign.Target) ([]reassign.Outcome, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	name := func(t reassign.Target) balance.TopicPartition { return t.TopicPartition }
	return inBatches(ctx, targets, name, func(ctx context.Context, part []reassign.Target) ([]reassign.Outcome, error) {
		return asked(x.client.any(ctx, control), func(b *sarama.Broker) ([]reassign.Outcome, error) { return askAlter(b, part) })
	})
}

func askAlter(b *sarama.Broker, targets []reassign.Target) ([]reassign.Outcome, error) {
	request := &sarama.AlterPartitionReassignmentsRequest{TimeoutMs: serverTimeoutMs}
	for _, t := range targets {
		request.AddBlock(t.Topic, t.Partition, t.Replicas)
	}
	answer, err := b.AlterPartitionReassignments(request)
	if err != nil {
		return nil, err
	}
	whole, message := judged(answer.ErrorCode, deref(answer.ErrorMessage))
	if whole == reassign.CodeUnknown {
		return nil, refused("altering reassignments", answer.ErrorCode)
	}
	outcomes := make([]reassign.Outcome, len(targets))
	for i, t := range targets {
		o := reassign.Outcome{TopicPartition: t.TopicPartition, Code: whole, Message: message}
		if whole == reassign.CodeOK {
			o.Code, o.Message = judged(alterCode(answer, t.Topic, t.Partition))
		}
		outcomes[i] = o
	}
	return outcomes, nil
}

// noAnswer stands for a partition that an answer leaves out.
const noAnswer = sarama.ErrUnknown

// alterCode reads what an answer says of one partition. sarama keeps that in a type that it does not export.
func alterCode(answer *sarama.AlterPartitionReassignmentsResponse, topic string, partition int32) (sarama.KError, string) {
	block := answer.Errors[topic][partition]
	if block == nil {
		return noAnswer, "the answer leaves this partition out"
	}
	fields := reflect.ValueOf(block).Elem()
	code, message := fields.FieldByName("errorCode"), fields.FieldByName("errorMessage")
	if !code.CanInt() {
		return noAnswer, "this version of the Kafka client does not say what became of it"
	}
	if message.Kind() != reflect.Pointer || message.IsNil() {
		return sarama.KError(code.Int()), ""
	}
	return sarama.KError(code.Int()), message.Elem().String()
}
