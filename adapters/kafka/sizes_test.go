package kafka

import (
	"testing"

	"github.com/IBM/sarama"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

func TestSizesCountEveryReplicaOnce(t *testing.T) {
	live := &reassign.Live{TopicPartition: orders}
	at := map[balance.TopicPartition]*reassign.Live{orders: live}
	dir := func(size int64, future bool) sarama.DescribeLogDirsResponseDirMetadata {
		return sarama.DescribeLogDirsResponseDirMetadata{Topics: []sarama.DescribeLogDirsResponseTopic{
			{Topic: "orders", Partitions: []sarama.DescribeLogDirsResponsePartition{{PartitionID: 0, Size: size, IsTemporary: future}, {PartitionID: 7, Size: 1}}},
			{Topic: "others", Partitions: []sarama.DescribeLogDirsResponsePartition{{PartitionID: 0, Size: 1}}},
		}}
	}
	addSizes(at, 3, []sarama.DescribeLogDirsResponseDirMetadata{dir(40, true), dir(100, false)})
	addSizes(at, 1, []sarama.DescribeLogDirsResponseDirMetadata{dir(200, false), {ErrorCode: 56}})
	addSizes(at, 2, nil)
	require.Equal(t, []reassign.ReplicaSize{{Broker: 1, Bytes: 200}, {Broker: 3, Bytes: 100}}, live.Sizes,
		"sorted; a copy on its way to another directory does not count")
}
