package pilot_test

import (
	"context"
	"fmt"
	"time"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

// Bring a cluster to even: read it, review the plan, apply it and wait until it is done. A program for a real cluster
// takes the source, the executor and the journal from package adapters/kafka.
func Example() {
	cluster := sim.Skewed(1, sim.WithBrokers(4), sim.WithScale(0.01))
	cluster.Follow(time.Now, 1000) // a simulated second takes a millisecond
	client := cluster.Client(nil)
	service, err := pilot.New(pilot.Options{
		Source: client, Executor: client, Journal: client.Journal(),
		Limits: reassign.Limits{Managed: true, PollEvery: time.Millisecond},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	defer stop()
	go func() { ended <- service.Run(ctx) }()
	for !service.Health(ctx).Ready {
		time.Sleep(time.Millisecond)
	}

	plan, err := service.Generate(ctx, true)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(plan.Decision.Title)
	execution, err := service.Apply(ctx, plan.ID, pilot.ApplyOptions{Reason: "leaders are uneven"})
	for err == nil && execution.EndedAt == nil {
		time.Sleep(time.Millisecond)
		execution, err = service.Execution(ctx, execution.ID)
	}
	fmt.Println(execution.State)

	stop()
	fmt.Println(<-ended)
	// Output:
	// Rebalance recommended
	// completed
	// <nil>
}
