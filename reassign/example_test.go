package reassign_test

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

// An Execution says what to do and does nothing by itself, so that a few lines without a Kafka show what it would do.
func Example() {
	moves := []balance.Move{{
		Topic: "orders", From: []int32{1, 2, 3}, To: []int32{4, 2, 3}, FromLeader: 1, ToLeader: 4,
		Kind: balance.MoveBalance, CopyBytes: 1 << 30,
	}}
	e, err := reassign.New("plan-7", moves, nil, reassign.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	todo := e.Step(now, reassign.Seen{})
	fmt.Println("look at", todo.Look.Partitions)

	view := &reassign.View{Alive: []int32{1, 2, 3, 4}, Partitions: []reassign.Live{{
		TopicPartition: moves[0].Name(), Leader: 1, Replicas: []int32{1, 2, 3}, ISR: []int32{1, 2, 3},
	}}}
	todo = e.Step(now, reassign.Seen{View: view})
	for _, entry := range todo.Save {
		fmt.Println("save", entry.Key)
	}
	fmt.Println("submit", todo.Submit[0].TopicPartition, todo.Submit[0].Replicas)
	// Output:
	// look at [orders-0]
	// save execution/plan-7
	// save execution/plan-7/moves/0
	// submit orders-0 [4 2 3]
}

// A throttle below what the moving partitions replicate anyway stops the moves altogether.
func ExampleAdviseThrottle() {
	reading := &balance.Cluster{Partitions: []balance.Partition{{Topic: "orders", ID: 0, ProduceBytes: 6e6}}}
	moves := []balance.Move{{Topic: "orders", From: []int32{1, 2, 3}, To: []int32{4, 2, 3}, FromLeader: 1, ToLeader: 4}}
	advice := reassign.AdviseThrottle(moves, reading, reassign.Limits{Throttle: 10_000_000})
	fmt.Println(advice.Code)
	fmt.Println(advice.Message)
	// Output:
	// throttle_too_low
	// The throttle of 10 MB/s stops the moves: broker 1 sends to followers 12 MB/s of the moving partitions anyway. Use at least 25 MB/s.
}

// The moves of a plan can be given to Kafka's own tool.
func ExampleWriteReassignmentJSON() {
	moves := []balance.Move{{Topic: "orders", Partition: 5, From: []int32{1, 2}, To: []int32{3, 2}}}
	if err := reassign.WriteReassignmentJSON(os.Stdout, moves); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"version":1,"partitions":[
	//   {"topic":"orders","partition":5,"replicas":[3,2],"log_dirs":["any","any"]}
	// ]}
}

// After a restart the journal says what was going on.
func ExampleRestore() {
	journal := map[string][]byte{} // what Journal.Load returned
	executions, err := reassign.Restore(journal)
	if err != nil {
		fmt.Println(err)
	}
	for _, e := range slices.Backward(executions) {
		e.Settle() // or Cancel, or neither, and then Run
	}
	fmt.Println(len(executions), "to go on with")
	// Output:
	// 0 to go on with
}
