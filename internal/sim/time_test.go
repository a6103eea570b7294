package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

func TestTimeStandsStillWithoutAdvance(t *testing.T) {
	world := sim.New(sim.Config{})
	require.Equal(t, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), world.Now())
	world.Advance(-time.Hour)
	world.Advance(600 * time.Microsecond)
	require.Equal(t, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), world.Now())
	world.Advance(600 * time.Microsecond)
	require.Equal(t, time.Date(2026, 1, 1, 0, 0, 0, int(time.Millisecond), time.UTC), world.Now(), "microseconds add up")
}

func TestTimeFollowsAClock(t *testing.T) {
	clock := time.Date(2030, 5, 1, 12, 0, 0, 0, time.UTC)
	world := withOrders(t, 1, 2, 3)
	world.Follow(func() time.Time { return clock }, 10)
	client := world.Client(nil)
	require.Equal(t, reassign.CodeOK, submit(t, client, orders0, 4, 2, 1))

	clock = clock.Add(500 * time.Millisecond)
	view := look(t, client, orders0)
	require.Equal(t, clock, view.At, "answers carry the clock's time")
	require.Equal(t, int64(50*megabyte), view.Partitions[0].Sizes[3].Bytes, "half of the copy, after half a second at ten times the speed")
	reading, err := client.Read(t.Context())
	require.NoError(t, err)
	require.Equal(t, clock, reading.TakenAt)

	clock = clock.Add(-time.Minute)
	require.Equal(t, view.Partitions, look(t, client, orders0).Partitions, "a clock that is set back moves nothing")
	clock = clock.Add(time.Minute + 500*time.Millisecond)
	require.False(t, moving(t, world, orders0))
}

// What is looked at must not depend on how often it is looked at.
func TestSlicesOfTimeMakeNoDifference(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		seed := rapid.Uint64Range(0, 5).Draw(r, "seed")
		whole, sliced := busy(seed), busy(seed)
		total := time.Duration(0)
		for _, ms := range rapid.SliceOfN(rapid.IntRange(1, 20_000), 1, 20).Draw(r, "milliseconds") {
			d := time.Duration(ms) * time.Millisecond
			sliced.Advance(d)
			total += d
		}
		whole.Advance(total)
		require.Equal(r, whole.Dump(), sliced.Dump())
	})
}

// busy is a cluster in which much moves at odd rates and a broker has just died.
func busy(seed uint64) *sim.Cluster {
	world := small()
	_ = world.CreateTopic(sim.TopicSpec{Name: "many", Partitions: 20, Factor: 3, Bytes: 77_777_777, Rates: sim.Rates{ProduceBytes: 12_345}})
	for i, p := range world.Partitions() {
		if (uint64(i)+seed)%3 == 0 {
			other := (p.Replicas[0]+2)%6 + 1
			_ = world.Reassign(p.TopicPartition, append([]int32{other}, p.Replicas[1:]...)...)
		}
	}
	for id := int32(1); id <= 6; id++ {
		_ = world.SetBandwidth(id, int64(id)*3_333_333)
	}
	_ = world.Kill(3)
	return world
}

func TestADayOfIdlenessIsCheap(t *testing.T) {
	world := sim.Skewed(1)
	world.Advance(30 * 24 * time.Hour)
	require.Equal(t, sim.Skewed(1).Partitions(), world.Partitions(), "logs at their retention keep their size")
}

func TestMetadataTrailsTheList(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	world.SetMetadataLag(2 * time.Second)
	client := world.Client(nil)
	pass(world, 10)
	require.Equal(t, reassign.CodeOK, submit(t, client, orders0, 4, 2, 1))
	require.Equal(t, "[4 2 1 3] +[4] -[3] isr [1 2 3] leader 1", state(look(t, client, orders0).Partitions[0]), "the list knows at once")
	pass(world, 10)
	require.Equal(t, "[4 2 1 3] isr [1 2 3] leader 1", state(look(t, client, orders0).Partitions[0]), "finished, and metadata shows the past")
	pass(world, 1.999)
	require.Equal(t, "[4 2 1 3] isr [1 2 3] leader 1", state(look(t, client, orders0).Partitions[0]))
	pass(world, 0.001)
	require.Equal(t, "[4 2 1] isr [1 2 4] leader 1", state(look(t, client, orders0).Partitions[0]))
}

func TestMetadataTrailsTopics(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	pass(world, 10)
	world.SetMetadataLag(time.Second)
	client := world.Client(nil)
	old := at(t, world, orders0).TopicID
	require.NoError(t, world.DeleteTopic("orders"))
	createOrders(t, world, sim.TopicSpec{}, 4)
	require.NoError(t, world.CreateTopic(sim.TopicSpec{Name: "young", Partitions: 1, Factor: 1}))
	require.Equal(t, old, look(t, client, orders0).Partitions[0].TopicID, "the deleted one is still shown")
	require.Equal(t, []balance.TopicPartition{{Topic: "young"}}, look(t, client, balance.TopicPartition{Topic: "young"}).Missing)
	reading, err := client.Read(t.Context())
	require.NoError(t, err)
	require.Len(t, reading.Topics, 1)
	require.Equal(t, old, reading.Topics[0].ID)

	pass(world, 1)
	require.Equal(t, at(t, world, orders0).TopicID, look(t, client, orders0).Partitions[0].TopicID)
	require.Len(t, look(t, client, orders0, balance.TopicPartition{Topic: "young"}).Partitions, 2)
	require.NoError(t, world.AddPartitions("young", 1))
	require.Len(t, look(t, client, balance.TopicPartition{Topic: "young", Partition: 1}).Missing, 1)
}
