package profile

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func inspect(t *testing.T, rules string, partitions ...Partition) Report {
	p, err := Parse(rules)
	require.NoError(t, err)
	return p.Inspect([]Broker{{ID: 1, Rack: "a"}, {ID: 2, Rack: "b"}, {ID: 3, Rack: "c"}}, slices.Values(partitions))
}

// The leader sends to consumers and to two followers: 10 + 2 × 20 = 50 MB/s out, against 20 MB/s in on every host.
func TestNetworkIsTheBusierDirection(t *testing.T) {
	r := inspect(t, "network=100MB/s", Partition{Leader: 1, Replicas: []int32{1, 2, 3}, ProduceBytes: 20e6, ConsumeBytes: 10e6})
	assert.Equal(t, 50.0, *r.Usages[0].Network)
	assert.Equal(t, 20.0, *r.Usages[1].Network)
	assert.Equal(t, 20.0, *r.Usages[2].Network)
	assert.Nil(t, r.Usages[0].Disk)
	assert.Empty(t, r.Warnings)
}

func TestDiskCountsEachReplicaAtItsSize(t *testing.T) {
	r := inspect(t, "disk=1000B",
		Partition{Leader: 1, Replicas: []int32{1, 2}, SizeBytes: 100, ReplicaBytes: []int64{300, 200}},
		Partition{Leader: -1, Replicas: []int32{2, 9}, SizeBytes: 100, ConsumeBytes: 5})
	assert.Equal(t, 30.0, *r.Usages[0].Disk)
	assert.Equal(t, 30.0, *r.Usages[1].Disk)
	assert.Equal(t, 0.0, *r.Usages[2].Disk)
	assert.Nil(t, r.Usages[0].Network)
}

func TestWarnings(t *testing.T) {
	full := Partition{Leader: 1, Replicas: []int32{1, 3}, SizeBytes: 1500, ProduceBytes: 11}
	r := inspect(t, "network=10B/s disk=1000B; rack=[xy]: disk=1B; rack=[xy]: network=1B/s; broker=7-9: disk=1B; rack=a: disk=2000B", full)
	assert.Equal(t, []Warning{
		{"selector_without_broker", "The broker profile has rules that match no broker: rack=[xy], broker=7-9.", []string{"rack=[xy]", "broker=7-9"}},
		{"network_above_capacity", "Brokers use more than the network= of their profile, usually a mistake in a unit: 1 (110.0%), 3 (110.0%).", []string{"1", "3"}},
		{"disk_above_capacity", "Brokers use more than the disk= of their profile, usually a mistake in a unit: 3 (150.0%).", []string{"3"}},
	}, r.Warnings)
}

func TestWarningsRepeatOnlyWhenTheyChange(t *testing.T) {
	full := Partition{Leader: 1, Replicas: []int32{1}, SizeBytes: 1500}
	first := inspect(t, "disk=1000B", full)
	assert.True(t, first.SameWarnings(first))

	full.SizeBytes = 1600
	assert.True(t, first.SameWarnings(inspect(t, "disk=1000B", full)), "another percentage is no news")
	assert.False(t, first.SameWarnings(inspect(t, "disk=1001B", full)), "another capacity is")
	full.Replicas = []int32{2}
	assert.False(t, first.SameWarnings(inspect(t, "disk=1000B", full)), "and so is another broker")
	assert.False(t, first.SameWarnings(inspect(t, "disk=1000B")), "or none")
	assert.False(t, first.SameWarnings(inspect(t, "disk=1000B; rack=x: disk=1B", full)), "or a selector that matches nothing")
}

// What all brokers receive is what producers write times the replicas; what all send is what consumers read and a copy
// for each follower. Nothing is counted twice or lost, wherever the replicas are.
func TestTrafficAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		brokers := []int32{1, 2, 3, 4}
		capacities := []Capacity{{1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {4, 1, 1}}
		var in, out, stored float64
		var all []Partition
		for range rapid.IntRange(0, 20).Draw(t, "partitions") {
			set := rapid.Permutation(brokers).Draw(t, "replicas")[:rapid.IntRange(1, 4).Draw(t, "factor")]
			p := Partition{Leader: set[0], Replicas: set, SizeBytes: rapid.Int64Range(0, 1000).Draw(t, "size"),
				ProduceBytes: float64(rapid.IntRange(0, 1000).Draw(t, "produce")), ConsumeBytes: float64(rapid.IntRange(0, 1000).Draw(t, "consume"))}
			all = append(all, p)
			n := float64(len(set))
			in, out, stored = in+n*p.ProduceBytes, out+p.ConsumeBytes+(n-1)*p.ProduceBytes, stored+n*float64(p.SizeBytes)
		}
		var got traffic
		for _, s := range sum(capacities, slices.Values(all)) {
			got = traffic{got.in + s.in, got.out + s.out, got.stored + s.stored}
		}
		require.Equal(t, traffic{in, out, stored}, got)
	})
}

func BenchmarkInspect(b *testing.B) {
	p, err := Parse("network=10Gbit/s disk=2TiB; rack=a: network=25Gbit/s; broker=0-99: disk=8TiB")
	require.NoError(b, err)
	var brokers []Broker
	for id := range int32(300) {
		brokers = append(brokers, Broker{ID: id, Rack: string(rune('a' + id%3))})
	}
	var partitions []Partition
	for i := range int32(300_000) {
		partitions = append(partitions, Partition{Leader: i % 300, Replicas: []int32{i % 300, (i + 1) % 300, (i + 2) % 300}, SizeBytes: 1 << 30, ProduceBytes: 1e5})
	}
	for b.Loop() {
		p.Inspect(brokers, slices.Values(partitions))
	}
}
