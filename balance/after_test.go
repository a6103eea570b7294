package balance

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAfter(t *testing.T) {
	c := &Cluster{Brokers: []Broker{{ID: 1}, {ID: 2}, {ID: 3}}, Partitions: []Partition{
		{Topic: "a", Leader: 1, Replicas: []int32{1, 2}, ISR: []int32{1}, SizeBytes: 7, ReplicaBytes: []int64{10, 4}},
		{Topic: "b", Leader: 2, Replicas: []int32{2, 1}, ISR: []int32{1, 2}, SizeBytes: 5},
	}}
	next, err := After(c, []Move{{Topic: "a", From: []int32{1, 2}, To: []int32{3, 2}, FromLeader: 1, ToLeader: 3}})
	require.NoError(t, err)
	require.Equal(t, Partition{Topic: "a", Leader: 3, Replicas: []int32{3, 2}, ISR: []int32{3}, SizeBytes: 7, ReplicaBytes: []int64{10, 4}}, next.Partitions[0])
	require.Equal(t, c.Partitions[1], next.Partitions[1])
	require.EqualValues(t, 1, c.Partitions[0].Leader, "the reading stays")

	for want, m := range map[string]Move{
		"move 0: partition c-0 is not in the reading, or the moves are not sorted":                      {Topic: "c"},
		"move 0: partition b-0: it is on brokers 2, 1 led by 2, and the move starts from 1, 2 led by 1": {Topic: "b", From: []int32{1, 2}, FromLeader: 1},
		"after the moves: partition b-0: replicas names broker 9, which is not among the brokers":       {Topic: "b", From: []int32{2, 1}, To: []int32{9, 1}, FromLeader: 2, ToLeader: 9},
	} {
		_, err := After(c, []Move{m})
		require.EqualError(t, err, want)
	}
}

// What a proposal promises is what the cluster is after it.
func TestAfterAPlanTheReportIsThePromisedOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCluster(t)
		p, err := Propose(c, Policy{})
		require.NoError(t, err)
		next, err := After(c, p.Moves)
		require.NoError(t, err)
		r, err := NewReport(next, Policy{})
		require.NoError(t, err)
		for i := range r.Brokers {
			for m := range r.Brokers[i].Loads {
				require.InDelta(t, p.After.Brokers[i].Loads[m].Have, r.Brokers[i].Loads[m].Have, 1e-3)
			}
		}
	})
}

// Two plans in a row: the second one is for what the first leaves.
func ExampleAfter() {
	c := &Cluster{Brokers: []Broker{{ID: 1}, {ID: 2}}}
	for i := range int32(20) {
		c.Partitions = append(c.Partitions, Partition{Topic: "orders", ID: i, Leader: 1, Replicas: []int32{1, 2}, ISR: []int32{1, 2}})
	}
	plan, _ := Propose(c, Policy{})
	next, _ := After(c, plan.Moves)
	again, _ := Propose(next, Policy{})
	fmt.Println(len(plan.Moves), again.Status)
	// Output: 9 none_needed
}
