//go:build kafka

package kafka

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/IBM/sarama"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/kafkatest"
	"github.com/kafka-pilot/pilot/safety"
)

// honest is how far a rate that was measured for a minute may be off.
const honest = 0.10

// readingOf reads, and returns the partitions of some topics by name.
func readingOf(t *testing.T, s *Source, topics ...string) (*balance.Cluster, map[string]balance.Partition) {
	t.Helper()
	c, err := s.Read(t.Context())
	require.NoError(t, err)
	require.NoError(t, c.Validate())
	named := map[string]balance.Partition{}
	for _, p := range c.Partitions {
		if slices.Contains(topics, p.Topic) {
			named[p.Name().String()] = p
		}
	}
	return c, named
}

// Producers write at known rates into logs that hold old records of another size, one log has been compacted, and two
// groups read. After a minute every rate is known, and close to what was sent.
func TestKafkaSourceMeasuresKnownTraffic(t *testing.T) {
	c := shared.Cluster(t)
	const state = "traffic-state"
	topicOf(t, c, "traffic-a", []int32{1, 2}, []int32{2, 3}, []int32{3, 4}, []int32{4, 5})
	topicOf(t, c, "traffic-b", []int32{5, 1}, []int32{1, 3})
	topicOf(t, c, "traffic-idle", []int32{2, 1})
	makeCompacted(t, c, state)
	require.NoError(t, c.Fill("traffic-a", 20<<20))

	streams := []kafkatest.Stream{
		{Topic: "traffic-a", Partition: 0, Messages: 100, Bytes: 200_000},
		{Topic: "traffic-a", Partition: 1, Messages: 50, Bytes: 150_000},
		{Topic: "traffic-a", Partition: 2, Messages: 20, Bytes: 20_000},
		{Topic: "traffic-a", Partition: 3, Messages: 4, Bytes: 16_000},
		{Topic: "traffic-b", Partition: 0, Messages: 80, Bytes: 80_000},
		{Topic: "traffic-b", Partition: 1, Messages: 30, Bytes: 120_000},
	}
	readers := map[string]float64{"traffic-a": 2, "traffic-b": 1} // groups of each topic
	load, err := c.StartLoad(kafkatest.LoadConfig{Streams: streams, Groups: []kafkatest.Group{
		{Name: "traffic-one", Topics: []string{"traffic-a", "traffic-b"}}, {Name: "traffic-two", Topics: []string{"traffic-a"}},
	}})
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = load.Stop() })
	stop := writeState(t, c, state, 40)
	s := NewSource(open(t, c, ClientConfig{}), SourceConfig{})
	require.NoError(t, s.Measure(t.Context(), time.Minute, func(p Progress) { require.Empty(t, p.Silent) }))
	reading, p := readingOf(t, s, "traffic-a", "traffic-b", "traffic-idle", state)
	stop()
	result, err := load.Stop()
	require.NoError(t, err)
	require.Zero(t, result.ProducerErrors)

	for _, stream := range streams {
		got := p[fmt.Sprintf("%s-%d", stream.Topic, stream.Partition)]
		t.Logf("%v: wrote %.1f of %.0f msg/s, %.0f of %.0f B/s, read %.1f msg/s, %.0f B/s", got.Name(),
			got.ProduceMessages, stream.Messages, got.ProduceBytes, stream.Bytes, got.ConsumeMessages, got.ConsumeBytes)
		require.False(t, got.Unmeasured, got.Name())
		require.InEpsilon(t, stream.Messages, got.ProduceMessages, honest, got.Name())
		require.InEpsilon(t, stream.Bytes, got.ProduceBytes, honest, got.Name())
		require.InEpsilon(t, stream.Messages*readers[stream.Topic], got.ConsumeMessages, honest, got.Name())
		require.InEpsilon(t, stream.Bytes*readers[stream.Topic], got.ConsumeBytes, honest, got.Name())
	}
	compacted := p[state+"-0"]
	t.Logf("%v: wrote %.1f msg/s, %.0f B/s", compacted.Name(), compacted.ProduceMessages, compacted.ProduceBytes)
	require.False(t, compacted.Unmeasured)
	require.InEpsilon(t, 40, compacted.ProduceMessages, honest)
	require.InEpsilon(t, 40*stateBytes, compacted.ProduceBytes, honest)
	require.Zero(t, compacted.ConsumeMessages)
	idle := p["traffic-idle-0"]
	require.False(t, idle.Unmeasured, "nothing written and nothing read is known, not unknown")
	require.Zero(t, idle.ProduceMessages+idle.ProduceBytes+idle.ConsumeMessages+idle.ConsumeBytes)

	i := slices.IndexFunc(reading.Topics, func(topic balance.Topic) bool { return topic.Name == state })
	require.True(t, reading.Topics[i].Compacted)
	require.EqualValues(t, 1, reading.Topics[i].MinISR)
	require.EqualValues(t, 100<<20, reading.Topics[i].SegmentBytes)
	sameSizesAsKafkasTool(t, c, s, "traffic-a", "traffic-b", state)
}

const stateBytes = 2000 // of one record

// makeCompacted makes a topic whose log the cleaner has cut to a part of what was written.
func makeCompacted(t *testing.T, c *kafkatest.Cluster, topic string) {
	t.Helper()
	require.NoError(t, c.CreateTopic(topic, [][]int32{{3, 5}}, map[string]string{
		"cleanup.policy": "compact", "segment.bytes": "1048576", "min.cleanable.dirty.ratio": "0.01", "min.insync.replicas": "1",
	}))
	t.Cleanup(func() { _ = c.DeleteTopic(topic) })
	p := stateProducer(t, c)
	const records = 2500
	for i := range records {
		p.Input() <- stateRecord(topic, i)
	}
	require.NoError(t, p.Close())
	require.Eventually(t, func() bool {
		copies, err := c.Copies()
		require.NoError(t, err)
		for _, one := range copies {
			if one.Topic == topic && one.Bytes > records*stateBytes/2 {
				return false
			}
		}
		return true
	}, time.Minute, time.Second, "the cleaner cuts the log on both brokers")
	require.NoError(t, setConfig(admin(t, c), sarama.TopicResource, topic, map[string]string{"segment.bytes": "104857600"}))
}

// stateProducer writes records with keys, which are acknowledged by the leader alone.
func stateProducer(t *testing.T, c *kafkatest.Cluster) sarama.AsyncProducer {
	t.Helper()
	config := sarama.NewConfig()
	config.Producer.Return.Errors = false
	config.Producer.RequiredAcks = sarama.WaitForLocal
	p, err := sarama.NewAsyncProducer(c.Bootstrap(), config)
	require.NoError(t, err)
	return p
}

// stateRecord is the i-th record: there are a hundred keys.
func stateRecord(topic string, i int) *sarama.ProducerMessage {
	return &sarama.ProducerMessage{Topic: topic, Key: sarama.StringEncoder(fmt.Sprintf("key %02d", i%100)), Value: sarama.ByteEncoder(make([]byte, stateBytes-6))}
}

// writeState writes that many records a second until it is stopped.
func writeState(t *testing.T, c *kafkatest.Cluster, topic string, perSecond int) (stop func()) {
	t.Helper()
	p := stateProducer(t, c)
	done := make(chan struct{})
	var writing sync.WaitGroup
	writing.Go(func() {
		ticker := time.NewTicker(20 * time.Millisecond)
		defer ticker.Stop()
		began, sent := time.Now(), 0
		for {
			select {
			case <-done:
				return
			case now := <-ticker.C:
				for due := int(now.Sub(began).Seconds() * float64(perSecond)); sent < due; sent++ {
					p.Input() <- stateRecord(topic, sent)
				}
			}
		}
	})
	var once sync.Once
	stop = func() {
		once.Do(func() {
			close(done)
			writing.Wait()
			_ = p.Close()
		})
	}
	t.Cleanup(stop)
	return stop
}

// sameSizesAsKafkasTool compares all sizes with what kafka-log-dirs prints, once nothing is written any more.
func sameSizesAsKafkasTool(t *testing.T, c *kafkatest.Cluster, s *Source, topics ...string) {
	t.Helper()
	out, err := c.Tool("kafka-log-dirs", "--describe", "--topic-list", strings.Join(topics, ","))
	require.NoError(t, err)
	var told struct {
		Brokers []struct {
			Broker  int32
			LogDirs []struct {
				Partitions []struct {
					Partition string
					Size      int64
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out[strings.Index(out, "{"):]), &told), out)
	_, err = s.sample(t.Context(), true)
	require.NoError(t, err)
	_, p := readingOf(t, s, topics...)
	compared := 0
	for _, b := range told.Brokers {
		for _, dir := range b.LogDirs {
			for _, one := range dir.Partitions {
				found := p[one.Partition]
				i := slices.Index(found.Replicas, b.Broker)
				require.GreaterOrEqual(t, i, 0, "%s on broker %d", one.Partition, b.Broker)
				require.Equal(t, one.Size, found.ReplicaBytes[i], "%s on broker %d", one.Partition, b.Broker)
				compared++
			}
		}
	}
	require.Equal(t, 2*len(p), compared)
}

// Brokers, racks, replicas, in-sync replicas and moves are Kafka's own, also while a broker is down.
func TestKafkaSourceReadsTheTopology(t *testing.T) {
	c := shared.Cluster(t)
	topicOf(t, c, "topology", []int32{1, 2, 3}, []int32{2, 3, 4})
	require.NoError(t, c.Fill("topology", 4<<20))
	a := admin(t, c)
	release, err := hold(a, "topology")
	require.NoError(t, err)
	t.Cleanup(release)
	require.NoError(t, a.AlterPartitionReassignments("topology", [][]int32{{5, 2, 1}}))
	s := NewSource(open(t, c, ClientConfig{}), SourceConfig{})
	reading, p := readingOf(t, s, "topology")
	var racks []string
	for _, b := range reading.Brokers {
		require.Equal(t, balance.Active, b.State)
		racks = append(racks, b.Rack)
	}
	require.Equal(t, []string{"r1", "r2", "r3", "r1", "r2"}, racks)
	moving := p["topology-0"]
	require.Equal(t, []int32{5, 2, 1}, moving.Replicas)
	require.Equal(t, &balance.Change{Adding: []int32{5}, Removing: []int32{3}}, moving.Moving)
	require.EqualValues(t, 1, moving.Leader)
	require.Equal(t, moving.ReplicaBytes[2], moving.ReplicaBytes[0], "what is being copied counts as what it will be")
	require.Greater(t, moving.ReplicaBytes[0], int64(1<<20))
	h, err := s.Health(t.Context())
	require.NoError(t, err)
	require.Equal(t, safety.ControllerHealthy, h.Controller)
	require.Equal(t, []balance.TopicPartition{{Topic: "topology"}}, h.InFlight)
	require.Empty(t, h.Shrunk, "what is being added is not expected to be in sync")

	require.NoError(t, c.Kill(4))
	t.Cleanup(func() {
		_ = c.StartBroker(4)
		_ = c.WaitInSync()
	})
	require.True(t, eventually(func() bool { // the broker asked may hear of the fenced one and of the ISR at different times
		h, err = s.Health(t.Context())
		shrunk := func(p safety.ShrunkPartition) bool { return p.Topic == "topology" }
		return err == nil && !slices.Contains(h.Alive, 4) && slices.ContainsFunc(h.Shrunk, shrunk)
	}))
	require.Equal(t, []int32{1, 2, 3, 4, 5}, h.Registered)
	require.Contains(t, h.Shrunk, safety.ShrunkPartition{
		TopicPartition: balance.TopicPartition{Topic: "topology", Partition: 1}, Replicas: 3, InSync: 2, MinISR: 1, Out: []int32{4},
	})
	reading, p = readingOf(t, s, "topology")
	require.Equal(t, balance.Broker{ID: 4, Host: "localhost", Rack: "r1", State: balance.Unavailable}, withoutHost(reading.Brokers[3]))
	require.ElementsMatch(t, []int32{2, 3}, p["topology-1"].ISR)
	require.Equal(t, p["topology-1"].ReplicaBytes[0], p["topology-1"].ReplicaBytes[2])

	require.NoError(t, c.StartBroker(4))
	release()
	require.True(t, eventually(func() bool {
		h, err := s.Health(t.Context())
		return err == nil && len(h.InFlight) == 0 && len(h.Shrunk) == 0
	}))
	_, p = readingOf(t, s, "topology")
	require.Equal(t, []int32{5, 2, 1}, p["topology-0"].Replicas)
	require.Nil(t, p["topology-0"].Moving)
}

func withoutHost(b balance.Broker) balance.Broker {
	b.Host = "localhost"
	return b
}

// A broker that hangs costs a round its patience once; what it does not lead is measured all the same.
func TestKafkaSourceDoesNotWaitForAHungBroker(t *testing.T) {
	c := shared.Cluster(t)
	topicOf(t, c, "hung-source", []int32{2}, []int32{3})
	s := NewSource(open(t, c, ClientConfig{}), SourceConfig{Every: time.Second, Patience: time.Second, Enough: time.Second})
	round, err := s.Sample(t.Context())
	require.NoError(t, err)
	require.Equal(t, round.Partitions, round.Answered)
	require.NoError(t, c.Pause(2))
	t.Cleanup(func() {
		_ = c.Resume(2)
		_ = c.WaitInSync()
	})
	round, err = s.Sample(t.Context())
	require.NoError(t, err)
	require.Equal(t, []int32{2}, round.Silent)
	require.Positive(t, round.Answered)
	t.Logf("a round with a hung broker: %v, %d of %d partitions", round.Took, round.Answered, round.Partitions)
	require.True(t, eventually(func() bool { // fenced, so that its partition has no leader
		_, p := readingOf(t, s, "hung-source")
		return p["hung-source-0"].Unmeasured && !p["hung-source-1"].Unmeasured
	}))
	require.NoError(t, c.Resume(2))
	require.True(t, eventually(func() bool {
		round, err = s.Sample(t.Context())
		return err == nil && round.Silent == nil && round.Answered == round.Partitions
	}))
}

// Kafka shows a user without permissions an empty cluster. The source says what is lacking instead, one thing after
// the other.
func TestKafkaSourceTellsWhatTheUserMayNotSee(t *testing.T) {
	c := shared.Cluster(t)
	topicOf(t, c, "secret", []int32{1})
	load, err := c.StartLoad(kafkatest.LoadConfig{
		Streams: kafkatest.Streams("secret", 1, 5, 500), Groups: []kafkatest.Group{{Name: "secret-readers", Topics: []string{"secret"}}},
	})
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = load.Stop() })
	require.NoError(t, c.CreateUser("reader", "reader secret"))
	var client *Client
	require.True(t, eventually(func() bool {
		client, err = Open(t.Context(), ClientConfig{Brokers: c.BootstrapSASL(), SASL: sasl(SCRAMSHA512, "reader", "reader secret")})
		return err == nil
	}))
	t.Cleanup(client.Close)
	read := func() error {
		_, err := NewSource(client, SourceConfig{}).Read(t.Context())
		return err
	}
	says := func(want string) {
		t.Helper()
		var lacks *DeniedError
		require.True(t, eventually(func() bool { err = read(); return err != nil && strings.Contains(err.Error(), want) }), "%v", err)
		require.ErrorAs(t, err, &lacks)
		t.Log(err)
	}
	says("the user lacks DESCRIBE on the cluster")
	require.NoError(t, c.CreateACL("reader", sarama.AclResourceCluster, "kafka-cluster", sarama.AclOperationDescribe))
	says(`the user lacks DESCRIBE on group "secret-readers", and perhaps on others; DESCRIBE on topic "`)
	require.NoError(t, c.CreateACL("reader", sarama.AclResourceTopic, "*", sarama.AclOperationDescribe))
	says("the user lacks DESCRIBE on group")
	require.NoError(t, c.CreateACL("reader", sarama.AclResourceGroup, "*", sarama.AclOperationDescribe))
	require.True(t, eventually(func() bool { err = read(); return err == nil }), "%v", err)
	require.NoError(t, c.CreateACL("reader", sarama.AclResourceTopic, "*", sarama.AclOperationDescribeConfigs))
	require.True(t, eventually(func() bool {
		reading, err := NewSource(client, SourceConfig{}).Read(t.Context())
		return err == nil && slices.ContainsFunc(reading.Topics, func(topic balance.Topic) bool { return topic.Name == "secret" && topic.SegmentBytes > 0 })
	}))
}

// A topic is deleted and made again under its name: nothing of the old one's rates is left.
func TestKafkaSourceForgetsATopicThatWasMadeAgain(t *testing.T) {
	c := shared.Cluster(t)
	topicOf(t, c, "again", []int32{1, 2})
	require.NoError(t, c.Fill("again", 1<<20))
	s := NewSource(open(t, c, ClientConfig{}), SourceConfig{Every: 200 * time.Millisecond, Enough: time.Millisecond})
	require.True(t, eventually(func() bool {
		_, p := readingOf(t, s, "again")
		return !p["again-0"].Unmeasured
	}))
	require.NoError(t, c.DeleteTopic("again"))
	topicOf(t, c, "again", []int32{1, 2})
	_, err := s.sample(t.Context(), true)
	require.NoError(t, err)
	_, p := readingOf(t, s, "again")
	require.Zero(t, p["again-0"].ProduceMessages)
	require.Zero(t, p["again-0"].SizeBytes)
}
