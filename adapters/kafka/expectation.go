package kafka

import (
	"slices"
	"sync"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/balance"
)

// expectation holds the lists of replicas that metadata must come to, once the controller has finished with a
// partition. Until then a broker still shows what was before.
type expectation struct {
	ends  [][]int32
	undo  []int32 // what a cancel leads to, nil when unknown
	given bool    // ends is the target of a submission
}

// expectations remembers how moves that this process has seen will end. Metadata trails the controller by some
// milliseconds, on a busy broker by seconds: "finished" and "as before" together mean that it is too old.
type expectations struct {
	mu sync.Mutex
	of map[balance.TopicPartition]expectation
}

// submitted notes an accepted target.
func (e *expectations) submitted(tp balance.TopicPartition, target []int32) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.of[tp] = expectation{ends: [][]int32{slices.Clone(target)}, given: true}
}

// cancelled notes an accepted cancel.
func (e *expectations) cancelled(tp balance.TopicPartition) {
	e.mu.Lock()
	defer e.mu.Unlock()
	undo := e.of[tp].undo
	delete(e.of, tp)
	if undo != nil {
		e.of[tp] = expectation{ends: [][]int32{undo}}
	}
}

// listed notes a move in flight: it will complete or be cancelled, unless it was submitted here, and then it is held to
// complete.
func (e *expectations) listed(tp balance.TopicPartition, s *sarama.PartitionReplicaReassignmentsStatus) {
	e.mu.Lock()
	defer e.mu.Unlock()
	target, undo := minus(s.Replicas, s.RemovingReplicas), minus(s.Replicas, s.AddingReplicas)
	known := e.of[tp]
	if known.given && slices.Equal(known.ends[0], target) {
		known.undo = undo
		e.of[tp] = known
		return
	}
	e.of[tp] = expectation{ends: [][]int32{target, undo}, undo: undo}
}

// trails reports whether metadata is older than what is known of a partition that is not in flight.
func (e *expectations) trails(tp balance.TopicPartition, replicas []int32) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	known, ok := e.of[tp]
	if !ok {
		return false
	}
	for _, end := range known.ends {
		if slices.Equal(end, replicas) {
			delete(e.of, tp)
			return false
		}
	}
	return true
}

// forget gives up on an expectation: something else happened.
func (e *expectations) forget(tp balance.TopicPartition) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.of, tp)
}

// minus returns the brokers of a list that are not in the other, in order.
func minus(list, other []int32) []int32 {
	return slices.DeleteFunc(slices.Clone(list), func(b int32) bool { return slices.Contains(other, b) })
}
