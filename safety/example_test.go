package safety_test

import (
	"fmt"
	"time"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/safety"
)

// Look at the cluster every half minute, and ask before a plan is applied.
func Example() {
	look := safety.Health{
		Controller: safety.ControllerHealthy,
		Registered: []int32{1, 2, 3}, Alive: []int32{1, 2, 3},
		Shrunk: []safety.ShrunkPartition{{
			TopicPartition: balance.TopicPartition{Topic: "orders", Partition: 3}, Replicas: 3, InSync: 2, Out: []int32{2},
		}},
	}
	var history safety.History
	for i := range 5 {
		look.At = time.Date(2026, 11, 30, 12, 0, 30*i, 0, time.UTC)
		history = history.Next(look)
	}
	plan := &balance.Proposal{Status: balance.RebalanceRecommended, Message: "Broker 4 is 28% below its fair share of leaders.", Moves: make([]balance.Move, 7)}
	decision := safety.Decide(plan, safety.Check(look, history, safety.Request{}), nil)
	fmt.Println(decision.Title, decision.ApplicationAllowed, decision.Reason)
	fmt.Println(decision.Findings[0].Message)
	// Output:
	// Rebalance recommended false sustained_isr_shrink
	// 1 partition has had replicas out of sync for 2 minutes or more: orders-3. Replication does not keep up, and moves would add to its work.
}

func ExampleCheckReplicaSet() {
	c := &balance.Cluster{
		Brokers:    []balance.Broker{{ID: 1}, {ID: 2}, {ID: 3}},
		Topics:     []balance.Topic{{Name: "orders", MinISR: 1}},
		Partitions: []balance.Partition{{Topic: "orders", Leader: 1, Replicas: []int32{1, 2}}},
	}
	fmt.Println(safety.CheckReplicaSet(c, &c.Partitions[0], []int32{3, 2}))
	fmt.Println(safety.CheckReplicaSet(c, &c.Partitions[0], []int32{3}).Code)
	// Output:
	// <nil>
	// replicas_below_floor
}
