package kafkatest

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/IBM/sarama"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Move is one reassignment that is in progress, by the controller's own list.
type Move struct {
	Topic                      string
	Partition                  int32
	Replicas, Adding, Removing []int32 // Replicas holds the old and the new ones
}

// Moves lists every reassignment in progress, whoever started it, sorted by topic and partition.
func (c *Cluster) Moves() ([]Move, error) {
	n, err := c.anyBroker()
	if err != nil {
		return nil, err
	}
	request := kmsg.NewPtrListPartitionReassignmentsRequest()
	request.TimeoutMillis = int32(callTime.Milliseconds())
	answer, err := call[*kmsg.ListPartitionReassignmentsResponse](n.address(), request)
	if err != nil {
		return nil, err
	}
	if answer.ErrorCode != 0 {
		return nil, fmt.Errorf("list reassignments: %w", sarama.KError(answer.ErrorCode))
	}
	var all []Move
	for _, t := range answer.Topics {
		for _, p := range t.Partitions {
			all = append(all, Move{t.Topic, p.Partition, p.Replicas, p.AddingReplicas, p.RemovingReplicas})
		}
	}
	slices.SortFunc(all, func(a, b Move) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
	})
	return all, nil
}

// ActiveController is the id of the controller that leads the metadata quorum.
func (c *Cluster) ActiveController() (int32, error) {
	n, err := c.anyBroker()
	if err != nil {
		return 0, err
	}
	request := kmsg.NewPtrDescribeQuorumRequest()
	topic := kmsg.NewDescribeQuorumRequestTopic()
	topic.Topic = "__cluster_metadata"
	topic.Partitions = append(topic.Partitions, kmsg.NewDescribeQuorumRequestTopicPartition())
	request.Topics = append(request.Topics, topic)
	answer, err := call[*kmsg.DescribeQuorumResponse](n.address(), request)
	if err != nil {
		return 0, err
	}
	if answer.ErrorCode != 0 {
		return 0, fmt.Errorf("describe the quorum: %w", sarama.KError(answer.ErrorCode))
	}
	for _, t := range answer.Topics {
		for _, p := range t.Partitions {
			return p.LeaderID, nil
		}
	}
	return 0, fmt.Errorf("describe the quorum: %v knows no quorum", n)
}
