package pilot

import (
	"fmt"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/maintenance"
)

const externalThrottlesWarning = "Another tool manages replication throttles (PILOT_THROTTLE_MANAGED=false), so nothing limits these moves unless it does."

// drainView returns how far the maintenance of a broker is. Without a plan and an execution there is nothing more to
// say. The lock must be held.
func (s *Service) drainView(broker int32, plan *maintenance.Drain, x *ExecutionView) DrainView {
	v := DrainView{
		Broker: broker, State: string(s.state.Phase(broker)), Execution: x,
		ReducedFactor: []string{}, RackCollapses: []RackCollapseView{}, Warnings: []string{},
	}
	if plan == nil {
		return v
	}
	v.ReducedFactor = texts(plan.ReducedFactor)
	v.Warnings = append(v.Warnings, plan.Warnings...)
	for _, c := range plan.RackCollapses {
		v.RackCollapses = append(v.RackCollapses, RackCollapseView{
			Topic: c.Topic, Partition: c.Partition, Replicas: c.Replicas, Racks: c.Racks,
		})
	}
	return v
}

// waitingNote is what the execution of a drain says about partitions that it leaves on the broker.
func waitingNote(waiting []maintenance.Blocked) string {
	var names []balance.TopicPartition
	for _, w := range waiting {
		names = append(names, w.TopicPartition)
	}
	return fmt.Sprintf("%s on the broker for now: %s", count(len(names), "partition stays", "partitions stay"), listPartitions(names))
}
