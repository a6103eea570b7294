package kafka

import (
	"slices"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/balance"
)

// listing is what the controller has in flight.
type listing map[balance.TopicPartition]*sarama.PartitionReplicaReassignmentsStatus

// sorted returns the partitions in flight but for those that skip names.
func (l listing) sorted(skip map[balance.TopicPartition]bool) []balance.TopicPartition {
	var partitions []balance.TopicPartition
	for tp := range l {
		if !skip[tp] {
			partitions = append(partitions, tp)
		}
	}
	slices.SortFunc(partitions, balance.TopicPartition.Compare)
	return partitions
}

// askListing lists the reassignments in flight of all partitions given, as counts per topic. Its answer comes from the
// controller and is fresher than any metadata; that it answers proves that there is one. Every partition is named,
// since sarama cannot ask for all: it would be answered that there is nothing.
func askListing(b *sarama.Broker, counts map[string]int32) (listing, error) {
	request := &sarama.ListPartitionReassignmentsRequest{TimeoutMs: serverTimeoutMs}
	for topic, n := range counts {
		partitions := make([]int32, n)
		for i := range partitions {
			partitions[i] = int32(i)
		}
		request.AddBlock(topic, partitions)
	}
	answer, err := b.ListPartitionReassignments(request)
	if err != nil {
		return nil, err
	}
	switch answer.ErrorCode {
	case sarama.ErrNoError:
	case sarama.ErrClusterAuthorizationFailed:
		return nil, denied("DESCRIBE on the cluster", answer.ErrorCode)
	default:
		return nil, refused("listing reassignments", answer.ErrorCode)
	}
	listed := listing{}
	for topic, partitions := range answer.TopicStatus {
		for id, status := range partitions {
			listed[balance.TopicPartition{Topic: topic, Partition: id}] = status
		}
	}
	return listed, nil
}
