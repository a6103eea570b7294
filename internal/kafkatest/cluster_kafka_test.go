//go:build kafka

package kafkatest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/IBM/sarama"
	"github.com/stretchr/testify/require"
)

func TestKafkaTopicsAreWhereTheyWereAskedToBe(t *testing.T) {
	c := shared.Cluster(t)
	require.NoError(t, c.CreateTopic("placed", [][]int32{{3, 1}, {4, 2}}, map[string]string{"min.insync.replicas": "2"}))
	require.NoError(t, c.WaitInSync())
	found, err := c.PlacementOf("placed")
	require.NoError(t, err)
	require.Len(t, found, 2)
	require.Equal(t, []int32{3, 1}, found[0].Replicas)
	require.EqualValues(t, 4, found[1].Leader)
	require.ElementsMatch(t, []int32{2, 4}, found[1].ISR)

	out, err := c.Tool("kafka-topics", "--describe", "--topic", "placed")
	require.NoError(t, err)
	require.Contains(t, out, "Partition: 1\tLeader: 4\tReplicas: 4,2")
	require.Contains(t, out, "min.insync.replicas=2")

	require.NoError(t, c.DeleteTopic("placed"))
	found, err = c.PlacementOf("placed")
	require.NoError(t, err)
	require.Empty(t, found)
}

func TestKafkaToolSaysWhatWentWrong(t *testing.T) {
	out, err := shared.Cluster(t).Tool("kafka-topics", "--describe", "--topic", "nowhere")
	require.ErrorContains(t, err, "kafka-topics --bootstrap-server 127.0.0.1:")
	require.Regexp(t, "nowhere.* does not exist", out)
}

func TestKafkaControlledStopAndRestart(t *testing.T) {
	c := shared.Cluster(t)
	require.NoError(t, c.CreateTopic("restart", [][]int32{{2, 3}}, nil))
	require.NoError(t, c.Stop(2))
	require.NoError(t, c.Stop(2), "a second time is no error")
	require.NoError(t, c.WaitReady())
	found, err := c.PlacementOf("restart")
	require.NoError(t, err)
	require.EqualValues(t, 3, found[0].Leader)
	require.Equal(t, []int32{2}, found[0].Offline)
	require.True(t, found[0].UnderReplicated())

	require.NoError(t, c.StartBroker(2))
	require.ErrorContains(t, c.StartBroker(2), "broker 2 runs already")
	require.NoError(t, c.WaitInSync())
	log, err := c.Log(2)
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(log, started), "the log covers both runs")
	require.NoError(t, c.DeleteTopic("restart"))
}

func TestKafkaKillWhileAMoveNeedsTheBroker(t *testing.T) {
	c := shared.Cluster(t)
	require.NoError(t, c.CreateTopic("move", [][]int32{{1, 2}}, nil))
	require.NoError(t, c.Kill(4))
	require.NoError(t, c.WaitReady(), "the controller fences a killed broker after its session")

	require.NoError(t, c.admin(func(a sarama.ClusterAdmin) error {
		return a.AlterPartitionReassignments("move", [][]int32{{1, 4}})
	}))
	moves, err := c.Moves()
	require.NoError(t, err)
	require.Equal(t, []Move{{"move", 0, []int32{1, 4, 2}, []int32{4}, []int32{2}}}, moves)

	require.NoError(t, c.StartBroker(4))
	require.NoError(t, c.await("the move is done", func() error {
		if moves, err = c.Moves(); err == nil && len(moves) > 0 {
			err = fmt.Errorf("still %v", moves)
		}
		return err
	}))
	require.NoError(t, c.WaitInSync())
	require.NoError(t, c.DeleteTopic("move"))
}

func TestKafkaPauseAndResume(t *testing.T) {
	c := shared.Cluster(t)
	require.NoError(t, c.Pause(1))
	require.NoError(t, c.WaitReady(), "a paused broker is fenced like a dead one")
	require.NotContains(t, c.runningBootstrap(), c.Bootstrap()[0])
	require.NoError(t, c.Resume(1))
	require.NoError(t, c.WaitReady())
	require.ErrorContains(t, c.Pause(9), "no node 9")
}

func TestKafkaThrottlesAreFoundWhereverTheyAre(t *testing.T) {
	c := shared.Cluster(t)
	require.NoError(t, c.CreateTopic("slow", [][]int32{{1}}, nil))
	found, err := c.Throttles()
	require.NoError(t, err)
	require.Empty(t, found)

	set := func(kind sarama.ConfigResourceType, name, key, value string, operation sarama.IncrementalAlterConfigsOperation) {
		require.NoError(t, c.admin(func(a sarama.ClusterAdmin) error {
			return a.IncrementalAlterConfig(kind, name, map[string]sarama.IncrementalAlterConfigsEntry{key: {Operation: operation, Value: &value}}, false)
		}))
	}
	want := []Throttle{
		{"broker 2", "leader.replication.throttled.rate", "1000000"},
		{"every broker", "follower.replication.throttled.rate", "2000000"},
		{"topic slow", "leader.replication.throttled.replicas", "0:1"},
	}
	for _, operation := range []sarama.IncrementalAlterConfigsOperation{sarama.IncrementalAlterConfigsOperationSet, sarama.IncrementalAlterConfigsOperationDelete} {
		set(sarama.BrokerResource, "2", want[0].Name, want[0].Value, operation)
		set(sarama.BrokerResource, "", want[1].Name, want[1].Value, operation)
		set(sarama.TopicResource, "slow", want[2].Name, want[2].Value, operation)
		require.NoError(t, c.await("the throttles are as set", func() error {
			found, err = c.Throttles()
			if operation == sarama.IncrementalAlterConfigsOperationDelete {
				want = nil
			}
			if err == nil && fmt.Sprint(found) != fmt.Sprint(want) {
				err = fmt.Errorf("found %v", found)
			}
			return err
		}))
	}
	require.NoError(t, c.DeleteTopic("slow"))
}

func TestKafkaFillIsOnDisk(t *testing.T) {
	c := shared.Cluster(t)
	require.NoError(t, c.CreateTopic("filled", [][]int32{{1, 2}, {2, 3}, {3, 4}}, nil))
	require.NoError(t, c.Fill("filled", 20<<20, 0, 1))
	require.NoError(t, c.WaitInSync())
	copies, err := c.Copies()
	require.NoError(t, err)
	var sizes []string
	for _, x := range copies {
		if x.Topic == "filled" {
			sizes = append(sizes, fmt.Sprintf("%d on %d: %d MB", x.Partition, x.Broker, (x.Bytes+1<<19)>>20))
			require.Contains(t, x.LogDir, fmt.Sprintf("node-%d/data-", x.Broker))
		}
	}
	require.Equal(t, []string{"0 on 1: 10 MB", "0 on 2: 10 MB", "1 on 2: 10 MB", "1 on 3: 10 MB", "2 on 3: 0 MB", "2 on 4: 0 MB"}, sizes)
	require.NoError(t, c.DeleteTopic("filled"))
}

func TestKafkaLoadLosesNothingWhileLeadersChange(t *testing.T) {
	c := shared.Cluster(t)
	require.NoError(t, c.CreateTopic("busy", [][]int32{{1, 2, 3}, {2, 3, 4}, {3, 4, 1}, {4, 1, 2}}, nil))
	require.NoError(t, c.CreateTopic("calm", [][]int32{{2, 1}}, nil))
	load, err := c.StartLoad(LoadConfig{
		Streams: append(Streams("busy", 4, 100, 100_000), Streams("calm", 1, 5, 5_000)...),
		Groups:  []Group{{"readers", []string{"busy", "calm"}}, {"others", []string{"busy"}}},
	})
	require.NoError(t, err)
	time.Sleep(2 * time.Second)
	require.NoError(t, c.Restart(2))
	require.NoError(t, c.Kill(3))
	require.NoError(t, c.StartBroker(3))
	require.NoError(t, c.WaitInSync())
	_, err = c.Tool("kafka-leader-election", "--election-type", "preferred", "--all-topic-partitions")
	require.NoError(t, err)
	result, err := load.Stop()
	require.NoError(t, err)
	t.Logf("%+v", result)
	require.Zero(t, result.ProducerErrors, "%v", result.FirstErrors)
	require.Zero(t, result.Gaps)
	require.Zero(t, result.Duplicates)
	require.Greater(t, result.Produced, int64(2000))
	require.Greater(t, result.Consumed, result.Produced)
	require.NoError(t, c.DeleteTopic("busy"))
	require.NoError(t, c.DeleteTopic("calm"))
}

func TestKafkaAddedBrokerTakesPartitions(t *testing.T) {
	c := shared.Cluster(t)
	id, err := c.AddBroker("r9")
	require.NoError(t, err)
	require.EqualValues(t, 5, id)
	require.NoError(t, c.WaitReady())
	require.Len(t, c.Bootstrap(), 5)
	require.NoError(t, c.CreateTopic("new", [][]int32{{5, 1}}, nil))
	out, err := c.Tool("kafka-configs", "--describe", "--entity-type", "brokers", "--entity-name", "5", "--all")
	require.NoError(t, err)
	require.Contains(t, out, "broker.rack=r9")
	require.NoError(t, c.DeleteTopic("new"))
}
