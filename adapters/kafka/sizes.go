package kafka

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

// askLogDirs asks a broker for what it holds of the partitions given, or of all when there are none. What is in a
// failed log directory is not in the answer.
func askLogDirs(b *sarama.Broker, partitions []balance.TopicPartition) ([]sarama.DescribeLogDirsResponseDirMetadata, error) {
	request := &sarama.DescribeLogDirsRequest{Version: 4}
	for topic, ids := range byTopic(partitions) {
		request.DescribeTopics = append(request.DescribeTopics, sarama.DescribeLogDirsRequestTopic{Topic: topic, PartitionIDs: ids})
	}
	answer, err := b.DescribeLogDirs(request)
	if err != nil {
		return nil, err
	}
	switch answer.ErrorCode {
	case sarama.ErrNoError:
		return answer.LogDirs, nil
	case sarama.ErrClusterAuthorizationFailed:
		return nil, denied("DESCRIBE on the cluster", answer.ErrorCode)
	}
	return nil, refused("reading log directories", answer.ErrorCode)
}

// measure adds the sizes of the replicas on the brokers that answer.
func (x *Executor) measure(ctx context.Context, partitions []reassign.Live, brokers []brokerInfo) error {
	hosted := map[int32][]balance.TopicPartition{}
	at := map[balance.TopicPartition]*reassign.Live{}
	up := alive(brokers)
	for i := range partitions {
		l := &partitions[i]
		at[l.TopicPartition] = l
		for _, b := range l.Replicas {
			if slices.Contains(up, b) {
				hosted[b] = append(hosted[b], l.TopicPartition)
			}
		}
	}
	answers := askEach(ctx, x.client, slices.Sorted(maps.Keys(hosted)), control, brokerPatience,
		func(b *sarama.Broker, id int32) ([]sarama.DescribeLogDirsResponseDirMetadata, error) {
			return askLogDirs(b, hosted[id])
		})
	var lacks *DeniedError
	for _, a := range answers {
		if errors.As(a.err, &lacks) || ctx.Err() != nil {
			return a.err
		}
		addSizes(at, a.broker, a.value)
	}
	return nil
}

// addSizes adds what one broker holds. A copy on its way to another directory of the same broker does not count.
func addSizes(at map[balance.TopicPartition]*reassign.Live, broker int32, dirs []sarama.DescribeLogDirsResponseDirMetadata) {
	for _, dir := range dirs {
		for _, t := range dir.Topics {
			for _, p := range t.Partitions {
				l := at[balance.TopicPartition{Topic: t.Topic, Partition: p.PartitionID}]
				if l == nil || p.IsTemporary || slices.ContainsFunc(l.Sizes, func(s reassign.ReplicaSize) bool { return s.Broker == broker }) {
					continue
				}
				l.Sizes = append(l.Sizes, reassign.ReplicaSize{Broker: broker, Bytes: p.Size})
				slices.SortFunc(l.Sizes, func(a, b reassign.ReplicaSize) int { return cmp.Compare(a.Broker, b.Broker) })
			}
		}
	}
}
