package safety

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

// rackCluster has brokers 0, 1, 2 … in the racks given and one topic with the replica sets given.
func rackCluster(racks []string, minISR int32, sets ...[]int32) *balance.Cluster {
	c := &balance.Cluster{Topics: []balance.Topic{{Name: "orders", MinISR: minISR}}}
	for i, r := range racks {
		c.Brokers = append(c.Brokers, balance.Broker{ID: int32(i), Rack: r})
	}
	for i, set := range sets {
		c.Partitions = append(c.Partitions, balance.Partition{Topic: "orders", ID: int32(i), Replicas: set})
	}
	return c
}

func TestRackSafety(t *testing.T) {
	two := []string{"a", "a", "b", "b"}
	cases := []struct {
		name    string
		cluster *balance.Cluster
		want    string // severity and summary, "" for no advisory
	}{
		{"three racks for three replicas", rackCluster([]string{"a", "b", "c"}, 2, []int32{0, 1, 2}), ""},
		{"a host without a rack", rackCluster([]string{"a", "b", "c", ""}, 2, []int32{0, 1, 3}),
			"high: Broker 3 has no broker.rack. Replicas that look spread over racks may fail together: treat rack-aware placement as best effort."},
		{"a broker without a rack that hosts nothing", rackCluster([]string{"a", "b", "c", ""}, 2, []int32{0, 1, 2}), ""},
		{"replicas in one rack that need not be", rackCluster([]string{"a", "a", "b", "c"}, 2, []int32{0, 1, 2}, []int32{0, 2, 3}),
			"high: 1 partition has replicas that may be in one place. Replicas that look spread over racks may fail together: treat rack-aware placement as best effort."},
		{"several hosts without a rack", rackCluster([]string{"a", "", ""}, 1, []int32{0, 1}, []int32{1, 2}),
			"high: Brokers 1 and 2 have no broker.rack; 1 partition has replicas that may be in one place; there is a single rack for up to 2 replicas. Replicas that look spread over racks may fail together: treat rack-aware placement as best effort."},
		{"a single rack", rackCluster([]string{"a", "a"}, 1, []int32{0, 1}),
			"high: There is a single rack for up to 2 replicas. Replicas that look spread over racks may fail together: treat rack-aware placement as best effort."},
		{"a single rack and a single replica", rackCluster([]string{"a", "a"}, 1, []int32{0}), ""},
		{"four replicas in two racks leave two", rackCluster(two, 2, []int32{0, 1, 2, 3}), ""},
		{"but three are needed", rackCluster(two, 3, []int32{0, 1, 2, 3}),
			"warning: Replication factors go up to 4 with only 2 racks. The loss of one rack would leave topic orders 2 replicas in sync with min.insync.replicas 3, so acks=all producers would stall; this concerns 1 topic."},
		{"or it is not known how many", rackCluster(two, 0, []int32{0, 1, 2, 3}),
			"warning: Replication factors go up to 4 with only 2 racks. The loss of one rack takes up to 2 replicas of a partition at once; min.insync.replicas is not known for 1 topic."},
		{"the smaller of two factors is the weaker one", rackCluster(two, 2, []int32{0, 1, 2, 3}, []int32{0, 1, 2}),
			"warning: Replication factors go up to 4 with only 2 racks. The loss of one rack would leave topic orders 1 replica in sync with min.insync.replicas 2, so acks=all producers would stall; this concerns 1 topic."},
		{"nothing there", &balance.Cluster{}, ""},
	}
	for _, c := range cases {
		got := RackSafety(c.cluster)
		if c.want == "" {
			assert.Nil(t, got, c.name)
			continue
		}
		require.NotNil(t, got, c.name)
		assert.Equal(t, c.want, got.Severity+": "+got.Summary, c.name)
	}
}

func TestRackSafetyNamesTheWorstTopic(t *testing.T) {
	c := rackCluster([]string{"a", "a", "b", "b"}, 3, []int32{0, 1, 2, 3})
	c.Topics = append(c.Topics, balance.Topic{Name: "payments", MinISR: 4})
	c.Partitions = append(c.Partitions, balance.Partition{Topic: "payments", Replicas: []int32{0, 1, 2, 3}},
		balance.Partition{Topic: "unknown", Replicas: []int32{0, 1, 2, 3}})
	got := RackSafety(c)
	require.NotNil(t, got)
	assert.Equal(t, &RackLoss{Topic: "payments", Survivors: 2, MinISR: 4}, got.WorstCase)
	assert.Equal(t, 2, got.AffectedTopics)
}

func TestRackSafetyLeavesOutDrainedRacks(t *testing.T) {
	c := rackCluster([]string{"a", "b"}, 1, []int32{0})
	c.Partitions = append(c.Partitions, balance.Partition{Topic: "orders", ID: 1, Replicas: []int32{0, 1}})
	assert.Nil(t, RackSafety(c))
	c.Brokers[1].State = balance.Maintenance
	assert.Equal(t, rackHigh, RackSafety(c).Severity, "one rack is left for two replicas")
}
