package sim_test

import (
	"context"
	"fmt"
	"time"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

// A move from broker 1 to broker 3 at 10 MB/s, looked at every four seconds of virtual time.
func Example() {
	ctx := context.Background()
	world := sim.New(sim.Config{CopyBytes: 10_000_000})
	for id := int32(1); id <= 3; id++ {
		_ = world.AddBroker(balance.Broker{ID: id})
	}
	_ = world.CreateTopic(sim.TopicSpec{Name: "orders", Assignment: [][]int32{{1, 2}}, Bytes: 100_000_000})

	client, orders := world.Client(nil), balance.TopicPartition{Topic: "orders"}
	_, _ = client.Submit(ctx, []reassign.Target{{TopicPartition: orders, Replicas: []int32{3, 2}}})
	for range 4 {
		view, _ := client.Look(ctx, reassign.Query{Partitions: []balance.TopicPartition{orders}, Sizes: true})
		p := view.Partitions[0]
		fmt.Println(p.Replicas, "adding", p.Adding, "in sync", p.ISR, "copied", p.Sizes[len(p.Sizes)-1].Bytes)
		world.Advance(4 * time.Second)
	}
	// Output:
	// [3 2 1] adding [3] in sync [1 2] copied 0
	// [3 2 1] adding [3] in sync [1 2] copied 40000000
	// [3 2 1] adding [3] in sync [1 2] copied 80000000
	// [3 2] adding [] in sync [2 3] copied 100000000
}
