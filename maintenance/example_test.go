package maintenance_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/maintenance"
)

// Take broker 3 out of service and bring it back.
func Example() {
	reading := &balance.Cluster{
		Brokers: []balance.Broker{{ID: 1, Rack: "a"}, {ID: 2, Rack: "b"}, {ID: 3, Rack: "c"}, {ID: 4, Rack: "c"}},
		Topics:  []balance.Topic{{Name: "orders", MinISR: 2}},
		Partitions: []balance.Partition{
			{Topic: "orders", ID: 0, Leader: 3, Replicas: []int32{3, 1, 2}, ISR: []int32{1, 2, 3}, SizeBytes: 1 << 30},
			{Topic: "orders", ID: 1, Leader: 1, Replicas: []int32{1, 2, 3}, ISR: []int32{1, 2, 3}, SizeBytes: 1 << 30},
		},
	}
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	state := maintenance.State{}.Enter(3, now) // save it before the first move
	drain, err := maintenance.Plan(maintenance.Overlay(reading, state), 3, maintenance.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range drain.Moves {
		fmt.Println(m.Name(), m.From, "→", m.To, m.Reason)
	}
	state, _ = state.Drained(3, now.Add(time.Hour))
	fmt.Println(state.Phase(3))
	state, _ = state.Exit(3)
	fmt.Println(state.Phase(3))
	// Output:
	// orders-0 [3 1 2] → [2 4 1] Broker 3 is drained: its replica goes to broker 4, leadership goes to broker 2.
	// orders-1 [1 2 3] → [1 2 4] Broker 3 is drained: its replica goes to broker 4.
	// maintenance
	// online
}

// A drain that would cost replicas is refused and says which.
func ExamplePlan_refused() {
	reading := &balance.Cluster{
		Brokers:    []balance.Broker{{ID: 1}, {ID: 2}, {ID: 3}},
		Partitions: []balance.Partition{{Topic: "orders", Leader: 3, Replicas: []int32{3, 1, 2}, ISR: []int32{1, 2, 3}}},
	}
	_, err := maintenance.Plan(reading, 3, maintenance.Options{})
	var refused *maintenance.Refused
	if errors.As(err, &refused) {
		fmt.Println(refused.Code, refused.Overridable)
		fmt.Println(refused.Partitions[0], refused.Partitions[0].Reason)
	}
	// Output:
	// replication_factor_not_preservable true
	// orders-0 Too few brokers are left for its replication factor of 3.
}
