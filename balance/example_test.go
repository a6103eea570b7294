package balance_test

import (
	"fmt"
	"strings"

	"github.com/kafka-pilot/pilot/balance"
)

func ExamplePropose() {
	cluster, err := balance.ReadSnapshot(strings.NewReader(`{
	  "brokers": [{"id": 1}, {"id": 2}],
	  "partitions": [
	    {"topic": "orders", "partition": 0, "leader": 1, "replicas": [1, 2], "isr": [1, 2]},
	    {"topic": "orders", "partition": 1, "leader": 1, "replicas": [1, 2], "isr": [1, 2]},
	    {"topic": "orders", "partition": 2, "leader": 1, "replicas": [1, 2], "isr": [1, 2]},
	    {"topic": "orders", "partition": 3, "leader": 1, "replicas": [1, 2], "isr": [1, 2]}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := balance.Propose(cluster, balance.Policy{})
	fmt.Println(plan, err)
	// Output:
	// Broker 1 is 50% above its fair share of leaders. The plan brings every broker within 5%.
	// orders-0 [1 2] -> [2 1] leadership from broker 1 to 2 <nil>
}

func ExampleSummarize() {
	cluster := &balance.Cluster{Brokers: []balance.Broker{{ID: 1}, {ID: 2}}}
	for i := range int32(100) {
		leader := int32(1)
		if i >= 64 {
			leader = 2
		}
		cluster.Partitions = append(cluster.Partitions, balance.Partition{Topic: "orders", ID: i, Leader: leader, Replicas: []int32{leader}, ISR: []int32{leader}})
	}
	report, err := balance.NewReport(cluster, balance.Policy{})
	if err != nil {
		fmt.Println(err)
		return
	}
	row := balance.Summarize(report, nil, 0).Rows[0]
	fmt.Println(row.Load.Phrase(), "·", row.Text, "·", row.Note)
	// Output: leaders · Broker 1 · 26% above · More than 10% above its fair share
}
