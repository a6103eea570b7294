package safety

import (
	"time"

	"github.com/kafka-pilot/pilot/balance"
)

// Health is what one look at the cluster says about whether moving partitions is safe. A Source makes it; the checks
// of this package judge it.
type Health struct {
	At time.Time
	// Controller says whether an active controller answered.
	Controller ControllerState
	// Registered are the brokers that the controller knows, Alive those of them that are not fenced. Both sorted.
	Registered []int32
	Alive      []int32
	// Shrunk are the partitions whose in-sync replicas are fewer than their replicas, adding ones not counted. Sorted.
	Shrunk []ShrunkPartition
	// InFlight are the reassignments in flight, whoever started them. Sorted.
	InFlight []balance.TopicPartition
}

// ControllerState says what is known of the active controller.
type ControllerState uint8

const (
	// ControllerUnknown means that nothing answered: it counts as unhealthy, since it cannot be told apart.
	ControllerUnknown ControllerState = iota
	// ControllerHealthy means that the active controller answered a request.
	ControllerHealthy
	// ControllerUnhealthy means that brokers answered that there is no active controller.
	ControllerUnhealthy
)

// ShrunkPartition is a partition with replicas out of sync.
type ShrunkPartition struct {
	balance.TopicPartition
	Replicas int // expected in sync
	InSync   int
	MinISR   int // effective min.insync.replicas, 0 when unknown
	// Out are the brokers whose replica is out of sync, sorted. nil means that it is not known which: the shrink is
	// then held to be one that a lost broker does not explain.
	Out []int32
}
