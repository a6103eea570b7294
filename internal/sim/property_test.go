package sim_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

// deed is one thing that happens to a cluster: what, to which partition and broker, and a number to go with it.
type deed struct {
	what      int
	partition int32
	broker    int32
	target    []int32
	millis    int
}

const deedKinds = 16

func drawDeeds(r *rapid.T) []deed {
	return rapid.SliceOfN(rapid.Custom(func(r *rapid.T) deed {
		return deed{
			what:      rapid.IntRange(0, deedKinds-1).Draw(r, "what"),
			partition: rapid.Int32Range(0, 3).Draw(r, "partition"),
			broker:    rapid.Int32Range(1, 6).Draw(r, "broker"),
			target:    rapid.SliceOfNDistinct(rapid.Int32Range(1, 6), 1, 4, rapid.ID[int32]).Draw(r, "target"),
			millis:    rapid.IntRange(0, 40_000).Draw(r, "millis"),
		}
	}), 1, 40).Draw(r, "deeds")
}

// small is six brokers and three partitions that are written to.
func small(trace ...func(string)) *sim.Cluster {
	cfg := sim.Config{CopyBytes: 10 * megabyte}
	if len(trace) > 0 {
		cfg.Trace = trace[0]
	}
	world := sim.New(cfg)
	for id := int32(1); id <= 6; id++ {
		_ = world.AddBroker(balance.Broker{ID: id, Rack: string(rune('a' + (id-1)%3))})
	}
	_ = world.CreateTopic(sim.TopicSpec{
		Name: "orders", Partitions: 3, Factor: 3, MinISR: 2, Bytes: 50 * megabyte, Rates: sim.Rates{ProduceBytes: 100 * kilobyte},
	})
	return world
}

// do plays one deed. What the cluster refuses is part of the game.
func (d deed) do(world *sim.Cluster, client *sim.Client) {
	tp := balance.TopicPartition{Topic: "orders", Partition: d.partition}
	ctx, list := context.Background(), []balance.TopicPartition{tp}
	switch d.what {
	case 0:
		_ = world.Kill(d.broker)
	case 1:
		_ = world.Stop(d.broker)
	case 2, 3:
		_ = world.Start(d.broker)
	case 4, 5, 6:
		_, _ = client.Submit(ctx, []reassign.Target{{TopicPartition: tp, Replicas: d.target}})
	case 7:
		_, _ = client.Cancel(ctx, list)
	case 8:
		_, _ = client.Elect(ctx, list)
	case 9:
		_ = world.Stall(tp, d.broker)
	case 10:
		_ = world.Unstall(tp, d.broker)
	case 11:
		_ = world.SetTopicThrottle("orders", "*", "*")
		_ = world.SetBrokerThrottle(d.broker, int64(d.millis)*50, int64(d.millis)*50)
	case 12:
		world.StopController()
	case 13:
		world.StartController()
	case 14:
		_ = world.Fill(tp, int64(d.millis)*100)
	default:
		world.Advance(time.Duration(d.millis) * time.Millisecond)
	}
}

// Whatever happens, the record of every partition makes sense and no byte that was acknowledged is lost.
func TestNoReplicaIsEverLost(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		world := small()
		client := world.Client(nil)
		most := map[int32]int64{}
		for _, d := range drawDeeds(r) {
			d.do(world, client)
			for _, p := range world.Partitions() {
				checkRecord(r, p)
				whole := largest(p)
				require.GreaterOrEqual(r, whole, most[p.Partition], "%v: a broker holds all that was ever written", p.TopicPartition)
				most[p.Partition] = whole
			}
		}
	})
}

func checkRecord(r *rapid.T, p reassign.Live) {
	require.NotEmpty(r, p.Replicas)
	require.Len(r, slices.Compact(slices.Sorted(slices.Values(p.Replicas))), len(p.Replicas), "no broker twice")
	require.Subset(r, p.Replicas, p.ISR)
	require.Subset(r, p.Replicas, p.Adding)
	require.Subset(r, p.Replicas, p.Removing)
	require.Len(r, p.Sizes, len(p.Replicas), "a log for every replica")
	if p.Leader >= 0 {
		require.Contains(r, p.ISR, p.Leader)
	} else {
		require.Empty(r, p.ISR)
	}
	for _, s := range p.Sizes {
		if slices.Contains(p.ISR, s.Broker) {
			require.Equal(r, largest(p), s.Bytes, "in-sync replicas hold everything")
		}
	}
}

func largest(p reassign.Live) int64 {
	var most int64
	for _, s := range p.Sizes {
		most = max(most, s.Bytes)
	}
	return most
}

// Once everything is mended, every reassignment ends and every replica is in sync.
func TestEverythingHeals(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		world := small()
		client := world.Client(nil)
		for _, d := range drawDeeds(r) {
			d.do(world, client)
		}
		world.StartController()
		for id := int32(1); id <= 6; id++ {
			_ = world.Start(id)
			_ = world.SetBrokerThrottle(id, -1, -1)
			for _, p := range world.Partitions() {
				_ = world.Unstall(p.TopicPartition, id)
			}
		}
		world.Advance(time.Hour)
		for _, p := range world.Partitions() {
			require.False(r, p.InFlight())
			require.ElementsMatch(r, p.Replicas, p.ISR)
			require.GreaterOrEqual(r, p.Leader, int32(0))
			require.Equal(r, int64(0), largest(p)*int64(len(p.Sizes))-total(p), "all copies are whole")
		}
	})
}

func total(p reassign.Live) int64 {
	var n int64
	for _, s := range p.Sizes {
		n += s.Bytes
	}
	return n
}

func TestEqualRunsGiveEqualBytes(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		deeds := drawDeeds(r)
		run := func() (string, []string) {
			var story []string
			world := small(func(line string) { story = append(story, line) })
			client := world.Client(nil)
			for _, d := range deeds {
				d.do(world, client)
			}
			return world.Dump(), story
		}
		dump, story := run()
		again, told := run()
		require.Equal(r, dump, again)
		require.Equal(r, story, told)
	})
}
