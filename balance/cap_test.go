package balance

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Row PLAN-08: broker 1 leads all of sixty partitions of unequal traffic. Whatever the cap, the plan changes no more
// partitions, brings broker 1 closer with each one more, and leaves nobody worse off than the box allows.
func TestACapOnPartitions(t *testing.T) {
	c := &Cluster{Brokers: []Broker{{ID: 1}, {ID: 2}, {ID: 3}}}
	for i := range int32(60) {
		r := []int32{1, 2 + i%2}
		c.Partitions = append(c.Partitions, Partition{Topic: "orders", ID: i, Leader: 1, Replicas: r, ISR: r,
			ProduceBytes: float64(1000 * (1 + i%7)), ProduceMessages: float64(10 * (1 + i%7))})
	}
	all, err := Propose(c, Policy{})
	require.NoError(t, err)
	last := all.Before.Brokers[0].Loads[Leaders].Distance
	for _, most := range []int{1, 5, 10, 20, 30} {
		p, err := Propose(c, Policy{MaxPartitions: most})
		require.NoError(t, err)
		require.Equal(t, RebalanceRecommended, p.Status, "%d: %s", most, p.Message)
		require.LessOrEqual(t, len(p.Moves), most)
		got := p.After.Brokers[0].Loads[Leaders].Distance
		require.Less(t, got, last, "%d partitions", most)
		last = got
		require.Empty(t, p.Limits, "what the cap cuts off is no limit of the cluster")
	}
	p, err := Propose(c, Policy{MaxPartitions: 1000})
	require.NoError(t, err)
	require.Equal(t, all.Moves, p.Moves, "a cap that nothing reaches changes nothing")
}
