//go:build kafka

package kafka

import (
	"testing"
	"time"

	"github.com/IBM/sarama"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/executortest"
	"github.com/kafka-pilot/pilot/internal/kafkatest"
)

// open connects to the shared cluster, over its plain listener unless the configuration names another.
func open(t *testing.T, c *kafkatest.Cluster, config ClientConfig) *Client {
	t.Helper()
	if config.Brokers == nil {
		config.Brokers = c.Bootstrap()
	}
	client, err := Open(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

// eventually asks again until it is so, for half a minute.
func eventually(done func() bool) bool {
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if done() {
			return true
		}
	}
	return done()
}

// admin is another tool, on the plain listener.
func admin(t *testing.T, c *kafkatest.Cluster) sarama.ClusterAdmin {
	t.Helper()
	config := sarama.NewConfig()
	config.Version = sarama.V3_6_0_0
	a, err := sarama.NewClusterAdmin(c.Bootstrap(), config)
	require.NoError(t, err)
	t.Cleanup(func() { _ = a.Close() })
	return a
}

func setConfig(a sarama.ClusterAdmin, kind sarama.ConfigResourceType, name string, values map[string]string) error {
	entries := map[string]sarama.IncrementalAlterConfigsEntry{}
	for key, value := range values {
		entries[key] = sarama.IncrementalAlterConfigsEntry{Operation: sarama.IncrementalAlterConfigsOperationSet, Value: &value}
		if value == "" {
			entries[key] = sarama.IncrementalAlterConfigsEntry{Operation: sarama.IncrementalAlterConfigsOperationDelete}
		}
	}
	return a.IncrementalAlterConfig(kind, name, entries, false)
}

// hold keeps the moves of a topic from completing: everything of it is throttled to next to nothing. The rates are the
// cluster's defaults, which the rates of single brokers come before.
func hold(a sarama.ClusterAdmin, topic string) (release func(), err error) {
	const next2nothing = "100"
	everything := map[string]string{leaderListKey: "*", followerListKey: "*"}
	rates := map[string]string{leaderRateKey: next2nothing, followerRateKey: next2nothing}
	if err := setConfig(a, sarama.TopicResource, topic, everything); err != nil {
		return nil, err
	}
	if err := setConfig(a, sarama.BrokerResource, "", rates); err != nil {
		return nil, err
	}
	return func() {
		_ = setConfig(a, sarama.BrokerResource, "", map[string]string{leaderRateKey: "", followerRateKey: ""})
		_ = setConfig(a, sarama.TopicResource, topic, map[string]string{leaderListKey: "", followerListKey: ""})
	}, nil
}

func TestKafkaExecutorKeepsTheContract(t *testing.T) {
	c := shared.Cluster(t)
	a := admin(t, c)
	client := open(t, c, ClientConfig{})
	executortest.Run(t, func(*testing.T) executortest.Fixture {
		return executortest.Fixture{
			Executor: NewExecutor(client),
			Brokers:  []int32{1, 2, 3, 4, 5},
			CreateTopic: func(name string, assignment [][]int32) error {
				return c.CreateTopic(name, assignment, map[string]string{"min.insync.replicas": "1"})
			},
			Fill:        func(tp balance.TopicPartition, bytes int64) error { return c.Fill(tp.Topic, bytes, tp.Partition) },
			Wait:        eventually,
			DeleteTopic: c.DeleteTopic,
			Hold:        func(topic string) (func(), error) { return hold(a, topic) },
			Kill:        c.Kill,
			Start:       c.StartBroker,
			Reassign: func(tp balance.TopicPartition, replicas []int32) error {
				return a.AlterPartitionReassignments(tp.Topic, [][]int32{replicas})
			},
			SetLists: func(topic, leader, follower string) error {
				return setConfig(a, sarama.TopicResource, topic, map[string]string{leaderListKey: leader, followerListKey: follower})
			},
		}
	})
}
