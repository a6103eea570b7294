package kafka

import (
	"testing"

	"github.com/IBM/sarama"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

func inFlight(replicas, adding, removing []int32) *sarama.PartitionReplicaReassignmentsStatus {
	return &sarama.PartitionReplicaReassignmentsStatus{Replicas: replicas, AddingReplicas: adding, RemovingReplicas: removing}
}

// A move from 1, 2, 3 to 4, 2, 1 shows as 4, 2, 1, 3 while it lasts, and ends as 4, 2, 1 or, cancelled, as 2, 1, 3.
func TestWhetherMetadataTrailsTheController(t *testing.T) {
	before, during, done, undone := []int32{1, 2, 3}, []int32{4, 2, 1, 3}, []int32{4, 2, 1}, []int32{2, 1, 3}
	submit := func(e *expectations) { e.submitted(orders, done) }
	list := func(e *expectations) { e.listed(orders, inFlight(during, []int32{4}, []int32{3})) }
	cancel := func(e *expectations) { e.cancelled(orders) }
	type step = func(*expectations)
	for name, row := range map[string]struct {
		steps  []step
		trails [][]int32
		not    [][]int32
	}{
		"nothing is known":             {nil, nil, [][]int32{before, during, done, undone}},
		"submitted":                    {[]step{submit}, [][]int32{before, during, undone}, [][]int32{done}},
		"submitted and seen in flight": {[]step{submit, list}, [][]int32{before, during, undone}, [][]int32{done}},
		"seen in flight, of another":   {[]step{list}, [][]int32{before, during}, [][]int32{done, undone}},
		"cancelled after it was seen":  {[]step{submit, list, cancel}, [][]int32{before, during, done}, [][]int32{undone}},
		"cancelled unseen":             {[]step{submit, cancel}, nil, [][]int32{before, during, done, undone}},
		"given up":                     {[]step{submit, func(e *expectations) { e.forget(orders) }}, nil, [][]int32{before}},
	} {
		t.Run(name, func(t *testing.T) {
			known := func() *expectations {
				e := &expectations{of: map[balance.TopicPartition]expectation{}}
				for _, s := range row.steps {
					s(e)
				}
				return e
			}
			for _, replicas := range row.trails {
				require.True(t, known().trails(orders, replicas), "%v is too old", replicas)
			}
			for _, replicas := range row.not {
				e := known()
				require.False(t, e.trails(orders, replicas), "%v can be", replicas)
				require.False(t, e.trails(orders, before), "and then nothing more is expected")
			}
		})
	}
}

// Somebody submitted another target over ours: what the controller lists counts.
func TestAnotherTargetReplacesOurs(t *testing.T) {
	e := &expectations{of: map[balance.TopicPartition]expectation{}}
	e.submitted(orders, []int32{4, 2, 1})
	e.listed(orders, inFlight([]int32{5, 2, 1, 3, 4}, []int32{5}, []int32{3, 4}))
	require.True(t, e.trails(orders, []int32{4, 2, 1}))
	require.False(t, e.trails(orders, []int32{5, 2, 1}))
}
