package kafka

import (
	"context"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

// Elect implements reassign.Executor. It never asks for an unclean election.
func (x *Executor) Elect(ctx context.Context, partitions []balance.TopicPartition) ([]reassign.Outcome, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	name := func(tp balance.TopicPartition) balance.TopicPartition { return tp }
	return inBatches(ctx, partitions, name, func(ctx context.Context, part []balance.TopicPartition) ([]reassign.Outcome, error) {
		return asked(x.client.any(ctx, control), func(b *sarama.Broker) ([]reassign.Outcome, error) { return askElection(b, part) })
	})
}

func askElection(b *sarama.Broker, partitions []balance.TopicPartition) ([]reassign.Outcome, error) {
	answer, err := b.ElectLeaders(&sarama.ElectLeadersRequest{
		Version: 2, Type: sarama.PreferredElection, TopicPartitions: byTopic(partitions), TimeoutMs: serverTimeoutMs,
	})
	if err != nil {
		return nil, err
	}
	whole, message := judged(answer.ErrorCode, "")
	if whole == reassign.CodeUnknown {
		return nil, refused("electing leaders", answer.ErrorCode)
	}
	outcomes := make([]reassign.Outcome, len(partitions))
	for i, tp := range partitions {
		outcomes[i] = reassign.Outcome{TopicPartition: tp, Code: whole, Message: message}
		if whole != reassign.CodeOK {
			continue
		}
		result := answer.ReplicaElectionResults[tp.Topic][tp.Partition]
		if result == nil {
			result = &sarama.PartitionResult{ErrorCode: noAnswer}
		}
		outcomes[i].Code, outcomes[i].Message = judged(result.ErrorCode, deref(result.ErrorMessage))
	}
	return outcomes, nil
}

// byTopic groups partitions as requests name them.
func byTopic(partitions []balance.TopicPartition) map[string][]int32 {
	topics := map[string][]int32{}
	for _, tp := range partitions {
		topics[tp.Topic] = append(topics[tp.Topic], tp.Partition)
	}
	return topics
}
