package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
	"github.com/kafka-pilot/pilot/safety"
)

func read(t *testing.T, world *sim.Cluster) *balance.Cluster {
	t.Helper()
	r, err := world.Client(nil).Read(t.Context())
	require.NoError(t, err)
	return r
}

func health(t *testing.T, world *sim.Cluster) safety.Health {
	t.Helper()
	h, err := world.Client(nil).Health(t.Context())
	require.NoError(t, err)
	return h
}

func TestReadingShowsTheTargetOfAMove(t *testing.T) {
	world := sixBrokers(t)
	rates := sim.Rates{ProduceMessages: 10, ProduceBytes: 1_000, ConsumeMessages: 20, ConsumeBytes: 2_000}
	createOrders(t, world, sim.TopicSpec{Bytes: 100 * megabyte, MinISR: 2, Rates: rates}, 1, 2, 3)
	require.NoError(t, world.Reassign(orders0, 4, 2, 1))
	require.NoError(t, world.Stop(5))
	pass(world, 5)
	r := read(t, world)
	require.Equal(t, world.Now(), r.TakenAt)
	require.Len(t, r.Brokers, 6)
	require.Equal(t, balance.Broker{ID: 4, Host: "k", Rack: "a"}, r.Brokers[3])
	require.Equal(t, balance.Unavailable, r.Brokers[4].State)
	require.Equal(t, int32(2), r.Topics[0].MinISR)
	require.Len(t, r.Topics[0].ID, 22)
	size := int64(100*megabyte + 5_000)
	require.Equal(t, balance.Partition{
		Topic: "orders", Leader: 1, Replicas: []int32{4, 2, 1}, ISR: []int32{1, 2, 3},
		SizeBytes: size, ReplicaBytes: []int64{size, size, size},
		ProduceMessages: 10, ProduceBytes: 1_000, ConsumeMessages: 20, ConsumeBytes: 2_000,
		Moving: &balance.Change{Adding: []int32{4}, Removing: []int32{3}},
	}, r.Partitions[0], "the adding replica counts at the size that it will have")
}

func TestLeaderlessPartitionIsUnmeasured(t *testing.T) {
	world := withOrders(t, 1)
	require.NoError(t, world.Stop(1))
	p := read(t, world).Partitions[0]
	require.True(t, p.Unmeasured)
	require.Equal(t, int32(-1), p.Leader)
}

func TestHealthNamesWhatIsWrong(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	require.Equal(t, safety.Health{
		At: world.Now(), Controller: safety.ControllerHealthy,
		Registered: []int32{1, 2, 3, 4, 5, 6}, Alive: []int32{1, 2, 3, 4, 5, 6},
	}, health(t, world))

	require.NoError(t, world.Stop(3))
	require.NoError(t, world.Reassign(orders0, 4, 2, 1))
	require.Equal(t, safety.Health{
		At: world.Now(), Controller: safety.ControllerHealthy,
		Registered: []int32{1, 2, 3, 4, 5, 6}, Alive: []int32{1, 2, 4, 5, 6},
		Shrunk:   []safety.ShrunkPartition{{TopicPartition: orders0, Replicas: 3, InSync: 2, MinISR: 1, Out: []int32{3}}},
		InFlight: []balance.TopicPartition{orders0},
	}, health(t, world), "the adding replica is not missed")
}

func TestAnswersAreCopies(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	client := world.Client(nil)
	require.NoError(t, world.Reassign(orders0, 4, 2, 1))
	before := world.Dump()
	view := look(t, client, orders0)
	for _, list := range [][]int32{view.Partitions[0].Replicas, view.Partitions[0].ISR, view.Partitions[0].Adding, view.Alive} {
		clear(list)
	}
	r := read(t, world)
	clear(r.Partitions[0].Replicas)
	clear(r.Partitions[0].ISR)
	clear(r.Partitions[0].Moving.Adding)
	truth := at(t, world, orders0)
	clear(truth.Replicas)
	require.Equal(t, before, replaceCalls(before, world.Dump()))
}

// replaceCalls ignores the first line, which counts calls.
func replaceCalls(before, after string) string {
	line := func(s string) int {
		for i, r := range s {
			if r == '\n' {
				return i
			}
		}
		return 0
	}
	return before[:line(before)] + after[line(after):]
}

func TestLookSortsAndNamesWhatItFinds(t *testing.T) {
	world := sixBrokers(t)
	require.NoError(t, world.CreateTopic(sim.TopicSpec{Name: "b", Partitions: 3, Factor: 2, Bytes: megabyte}))
	require.NoError(t, world.CreateTopic(sim.TopicSpec{Name: "a", Partitions: 1, Factor: 2, Bytes: megabyte}))
	b := func(i int32) balance.TopicPartition { return balance.TopicPartition{Topic: "b", Partition: i} }
	require.NoError(t, world.Reassign(b(2), 5, 6))
	require.NoError(t, world.Reassign(balance.TopicPartition{Topic: "a"}, 5, 6))
	view := look(t, world.Client(nil), b(1), b(7), b(0), b(1), balance.TopicPartition{Topic: "a"})
	require.Len(t, view.Partitions, 3)
	require.Equal(t, "a", view.Partitions[0].Topic)
	require.Equal(t, b(1), view.Partitions[2].TopicPartition)
	require.Equal(t, []balance.TopicPartition{b(7)}, view.Missing)
	require.Equal(t, []balance.TopicPartition{b(2)}, view.Foreign, "one that was asked about is not foreign")
}

func TestSizesComeFromBrokersThatAnswer(t *testing.T) {
	world := withOrders(t, 1, 2, 3)
	require.NoError(t, world.Kill(2))
	view := look(t, world.Client(nil), orders0)
	require.Equal(t, []reassign.ReplicaSize{{Broker: 1, Bytes: 100 * megabyte}, {Broker: 3, Bytes: 100 * megabyte}}, view.Partitions[0].Sizes)
	require.Contains(t, view.Alive, int32(2), "its session is not over yet")
	without, err := world.Client(nil).Look(t.Context(), reassign.Query{Partitions: []balance.TopicPartition{orders0}})
	require.NoError(t, err)
	require.Nil(t, without.Partitions[0].Sizes)
}

func TestFromClusterReadsAsTheReading(t *testing.T) {
	given := sim.SkewedReading(2)
	given.Topics[0].Compacted, given.Topics[0].Internal = true, true
	given.Topics[1].ID = "fixed"
	p := &given.Partitions[0]
	p.ReplicaBytes = []int64{1_000, 900, 1_100}
	p.SizeBytes = 1_000
	q := &given.Partitions[1]
	q.Moving = &balance.Change{Adding: []int32{q.Replicas[0]}, Removing: []int32{q.Replicas[0] + 3}}
	q.Leader, q.ISR = q.Replicas[1], []int32{q.Replicas[1], q.Replicas[2]}
	world, err := sim.FromCluster(given, sim.Config{HoldSizes: true})
	require.NoError(t, err)
	got := read(t, world)
	require.Equal(t, given.TakenAt, got.TakenAt)
	require.Equal(t, given.Brokers, got.Brokers)
	require.Equal(t, "fixed", got.Topics[1].ID)
	for i := range given.Topics {
		given.Topics[i].ID = got.Topics[i].ID
	}
	require.Equal(t, given.Topics, got.Topics)
	for i := range given.Partitions {
		want := given.Partitions[i]
		if want.ReplicaBytes == nil {
			want.ReplicaBytes = []int64{want.SizeBytes, want.SizeBytes, want.SizeBytes}
		}
		require.Equal(t, want, got.Partitions[i])
	}
	world.Advance(time.Hour)
	require.Nil(t, read(t, world).Partitions[1].Moving, "a move in flight goes on")
}

func TestFromClusterTakesSmallReadings(t *testing.T) {
	world, err := sim.FromCluster(&balance.Cluster{
		Brokers:    []balance.Broker{{ID: 1}, {ID: 2, State: balance.Unavailable}, {ID: 3, State: balance.Maintenance}},
		Partitions: []balance.Partition{{Topic: "t", Leader: 2, Replicas: []int32{2, 1}}, {Topic: "t", ID: 1, Leader: 2, Replicas: []int32{2}}},
	}, sim.Config{Start: time.Unix(5, 0)})
	require.NoError(t, err)
	require.Equal(t, time.Unix(5, 0), world.Now())
	require.Equal(t, "[2 1] isr [1] leader 1", state(at(t, world, balance.TopicPartition{Topic: "t"})))
	require.Equal(t, "[2] isr [] leader -1", state(at(t, world, balance.TopicPartition{Topic: "t", Partition: 1})))
	require.Equal(t, []int32{1, 3}, health(t, world).Alive, "maintenance is up")
	require.NoError(t, world.Start(2))
	pass(world, 3)
	require.Equal(t, "[2] isr [2] leader 2", state(at(t, world, balance.TopicPartition{Topic: "t", Partition: 1})))
}

func TestFromClusterRefusesWhatCannotBe(t *testing.T) {
	one := []balance.Broker{{ID: 1}}
	for name, c := range map[string]struct {
		r   balance.Cluster
		why string
	}{
		"a broker twice":     {balance.Cluster{Brokers: []balance.Broker{{ID: 1}, {ID: 1}}}, "broker 1 exists already"},
		"a topic twice":      {balance.Cluster{Topics: []balance.Topic{{Name: "t"}, {Name: "t"}}}, "topic t is listed twice"},
		"a gap":              {balance.Cluster{Brokers: one, Partitions: []balance.Partition{{Topic: "t", ID: 1, Replicas: []int32{1}}}}, "without gaps"},
		"an unknown broker":  {balance.Cluster{Brokers: one, Partitions: []balance.Partition{{Topic: "t", Replicas: []int32{2}}}}, "broker 2 is not registered"},
		"a stranger in sync": {balance.Cluster{Brokers: one, Partitions: []balance.Partition{{Topic: "t", Replicas: []int32{1}, ISR: []int32{3}}}}, "in-sync replicas [3]"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := sim.FromCluster(&c.r, sim.Config{})
			require.ErrorContains(t, err, c.why)
		})
	}
}
