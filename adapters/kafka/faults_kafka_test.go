//go:build kafka

package kafka

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/IBM/sarama"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/kafkatest"
	"github.com/kafka-pilot/pilot/reassign"
)

func int64p(n int64) *int64 { return &n }

// topicOf makes a topic that goes at the test's end.
func topicOf(t *testing.T, c *kafkatest.Cluster, name string, assignment ...[]int32) {
	t.Helper()
	require.NoError(t, c.CreateTopic(name, assignment, map[string]string{"min.insync.replicas": "1"}))
	t.Cleanup(func() { _ = c.DeleteTopic(name) })
}

// The first broker of all, which everything is asked of first, stands still: the others are looked at and changed all
// the same, and afterwards it answers again though calls to it had timed out.
func TestKafkaHungBrokerHoldsUpNobody(t *testing.T) {
	c := shared.Cluster(t)
	topicOf(t, c, "hung", []int32{2, 3}, []int32{1, 2})
	client := open(t, c, ClientConfig{})
	client.patience = [purposes]time.Duration{control: 2 * time.Second, measure: 2 * time.Second}
	x := NewExecutor(client)
	asked := []balance.TopicPartition{{Topic: "hung", Partition: 0}, {Topic: "hung", Partition: 1}}
	_, err := x.Look(t.Context(), reassign.Query{Partitions: asked, Sizes: true}) // connections are in place
	require.NoError(t, err)
	require.NoError(t, c.Pause(1))
	t.Cleanup(func() { _ = c.Resume(1) })

	view, err := x.Look(t.Context(), reassign.Query{Partitions: asked, Sizes: true})
	require.NoError(t, err)
	require.Len(t, view.Partitions, 2)
	require.Equal(t, int32(3), view.Partitions[0].Sizes[1].Broker)
	found, err := x.Throttles(t.Context(), []int32{1, 2, 3}, []string{"hung"})
	require.NoError(t, err)
	require.Equal(t, []int32{2, 3}, brokersOf(found), "what does not answer is left out")
	outcomes, err := x.SetThrottles(t.Context(), []reassign.ThrottleChange{
		{Broker: 1, LeaderRate: int64p(50 << 20)}, {Broker: 2, LeaderRate: int64p(50 << 20)},
	})
	require.NoError(t, err)
	require.NotEqual(t, reassign.CodeOK, outcomes[0].Code)
	require.Equal(t, reassign.CodeOK, outcomes[1].Code, outcomes[1].Message)
	t.Cleanup(func() {
		_, _ = x.SetThrottles(context.Background(), []reassign.ThrottleChange{
			{Broker: 1, LeaderRate: int64p(-1)}, {Broker: 2, LeaderRate: int64p(-1)},
		})
	})
	reordered, err := x.Submit(t.Context(), []reassign.Target{{TopicPartition: asked[0], Replicas: []int32{3, 2}}})
	require.NoError(t, err)
	require.Equal(t, reassign.CodeOK, reordered[0].Code)

	require.NoError(t, c.Resume(1))
	require.True(t, eventually(func() bool {
		found, err = x.Throttles(t.Context(), []int32{1, 2, 3}, nil)
		return err == nil && len(found.Brokers) == 3
	}), "its connections are made anew")
	require.NoError(t, c.WaitInSync())
}

func brokersOf(t reassign.Throttles) []int32 {
	var ids []int32
	for _, b := range t.Brokers {
		ids = append(ids, b.Broker)
	}
	return ids
}

// Without a controller nothing is said to be in flight or done; with it back the same call is made again.
func TestKafkaLostControllerLeavesTheOutcomeUnknown(t *testing.T) {
	c := shared.Cluster(t)
	topicOf(t, c, "no-controller", []int32{1, 2})
	tp := balance.TopicPartition{Topic: "no-controller"}
	client := open(t, c, ClientConfig{})
	client.patience[control] = time.Second
	x := NewExecutor(client)
	require.NoError(t, c.Kill(1001))
	t.Cleanup(func() { _ = c.StartBroker(1001) })
	target := []reassign.Target{{TopicPartition: tp, Replicas: []int32{2, 1}}}
	_, err := x.Submit(t.Context(), target)
	require.Error(t, err)
	require.NotErrorIs(t, err, context.DeadlineExceeded, "the caller's time is not up")
	_, err = x.Look(t.Context(), reassign.Query{Partitions: []balance.TopicPartition{tp}})
	require.Error(t, err)
	_, err = x.Elect(t.Context(), []balance.TopicPartition{tp})
	require.Error(t, err)
	outcomes, err := x.SetThrottles(t.Context(), []reassign.ThrottleChange{{Topic: tp.Topic, AddLeader: []reassign.ThrottleEntry{{Broker: 1}}}})
	require.NoError(t, err)
	require.Equal(t, reassign.CodeUnknown, outcomes[0].Code)

	require.NoError(t, c.StartBroker(1001))
	client.patience[control] = patience[control]
	require.True(t, eventually(func() bool {
		again, err := x.Submit(t.Context(), target)
		return err == nil && again[0].Code == reassign.CodeOK
	}))
	require.True(t, eventually(func() bool {
		view, err := x.Look(t.Context(), reassign.Query{Partitions: []balance.TopicPartition{tp}})
		return err == nil && slices.Equal(view.Partitions[0].Replicas, []int32{2, 1})
	}))
}

// Kafka closes the connection on whoever sets a longer list.
func TestKafkaListsThatAreTooLongAreRefused(t *testing.T) {
	c := shared.Cluster(t)
	topicOf(t, c, "long-list", []int32{1})
	x := NewExecutor(open(t, c, ClientConfig{}))
	entries := func(from, n int) []reassign.ThrottleEntry {
		var list []reassign.ThrottleEntry
		for i := range n {
			list = append(list, reassign.ThrottleEntry{Partition: int32(from + i), Broker: 1})
		}
		return list
	}
	set := func(change reassign.ThrottleChange) reassign.ThrottleOutcome {
		t.Helper()
		outcomes, err := x.SetThrottles(t.Context(), []reassign.ThrottleChange{change})
		require.NoError(t, err)
		return outcomes[0]
	}
	fits := entries(10_000, 3_700) // of 8 bytes each
	require.Equal(t, reassign.CodeOK, set(reassign.ThrottleChange{Topic: "long-list", AddLeader: fits}).Code)
	more := set(reassign.ThrottleChange{Topic: "long-list", AddLeader: entries(20_000, 100)})
	require.Equal(t, reassign.CodeInvalid, more.Code)
	require.Contains(t, more.Message, "may have 30000")
	require.Equal(t, reassign.CodeOK, set(reassign.ThrottleChange{Topic: "long-list", DropLeader: fits}).Code)
	zero := set(reassign.ThrottleChange{Broker: 1, LeaderRate: int64p(0)})
	require.Equal(t, reassign.CodeInvalid, zero.Code, "Kafka takes 0, which stops replication")
}

// A user who may look but not change is told so for each partition.
func TestKafkaUserWhoMayOnlyLook(t *testing.T) {
	c := shared.Cluster(t)
	topicOf(t, c, "look-only", []int32{1, 2})
	tp := balance.TopicPartition{Topic: "look-only"}
	require.NoError(t, c.CreateUser("looker", "looker secret"))
	as := ClientConfig{Brokers: c.BootstrapSASL(), SASL: sasl(SCRAMSHA256, "looker", "looker secret")}
	var client *Client
	require.True(t, eventually(func() (opened bool) {
		var err error
		client, err = Open(t.Context(), as)
		return err == nil
	}))
	defer client.Close()
	x := NewExecutor(client)
	asked := reassign.Query{Partitions: []balance.TopicPartition{tp}}

	var lacks *DeniedError
	_, err := x.Look(t.Context(), asked)
	require.ErrorAs(t, err, &lacks, "nothing is granted yet")
	require.NoError(t, c.CreateACL("looker", sarama.AclResourceCluster, "kafka-cluster", sarama.AclOperationDescribe))
	require.True(t, eventually(func() bool {
		_, err = x.Look(t.Context(), reassign.Query{})
		return err != nil && errorSays(err, "DESCRIBE on topic")
	}), "a cluster whose topics are hidden is not one without moves: %v", err)

	require.NoError(t, c.CreateACL("looker", sarama.AclResourceTopic, "*", sarama.AclOperationDescribe))
	require.True(t, eventually(func() bool { _, err = x.Look(t.Context(), asked); return err == nil }), "%v", err)
	view, err := x.Look(t.Context(), asked)
	require.NoError(t, err)
	require.Zero(t, view.Partitions[0].MinISR, "may not be read")

	outcomes, err := x.Submit(t.Context(), []reassign.Target{{TopicPartition: tp, Replicas: []int32{2, 1}}})
	require.NoError(t, err)
	require.Equal(t, reassign.Outcome{TopicPartition: tp, Code: reassign.CodeDenied, Message: "the user lacks a permission on the cluster"}, outcomes[0])
	outcomes, err = x.Cancel(t.Context(), asked.Partitions)
	require.NoError(t, err)
	require.Equal(t, reassign.CodeDenied, outcomes[0].Code)
	outcomes, err = x.Elect(t.Context(), asked.Partitions)
	require.NoError(t, err)
	require.Equal(t, reassign.CodeDenied, outcomes[0].Code)
	set, err := x.SetThrottles(t.Context(), []reassign.ThrottleChange{
		{Topic: tp.Topic, AddLeader: []reassign.ThrottleEntry{{Broker: 1}}}, {Broker: 1, LeaderRate: int64p(50 << 20)},
	})
	require.NoError(t, err)
	require.Equal(t, []reassign.Code{reassign.CodeDenied, reassign.CodeDenied}, []reassign.Code{set[0].Code, set[1].Code})
	_, err = x.Throttles(t.Context(), []int32{1}, nil)
	require.ErrorAs(t, err, &lacks)
	require.Equal(t, "DESCRIBE_CONFIGS on the cluster", lacks.Permission)
	err = x.Check(t.Context())
	require.ErrorAs(t, err, &lacks)
	require.Equal(t, `ALTER on the cluster; DESCRIBE_CONFIGS on the cluster; ALTER_CONFIGS on the cluster`, upTo(lacks.Permission, 3))

	_, err = OpenJournal(t.Context(), client, "journal-denied")
	require.ErrorIs(t, err, ErrNoJournal)
	require.ErrorContains(t, err, "only one instance may run")
	require.NoError(t, NewExecutor(open(t, c, ClientConfig{})).Check(t.Context()), "the plain listener's user may do all")
}

func TestKafkaClosedClientLeavesNothingBehind(t *testing.T) {
	c := shared.Cluster(t)
	before := goleak.IgnoreCurrent()
	client, err := Open(t.Context(), ClientConfig{Brokers: c.Bootstrap()})
	require.NoError(t, err)
	x := NewExecutor(client)
	_, err = x.Look(t.Context(), reassign.Query{Sizes: true})
	require.NoError(t, err)
	client.Close()
	client.Close()
	goleak.VerifyNone(t, before, goleak.IgnoreAnyFunction("github.com/rcrowley/go-metrics.(*meterArbiter).tick"))
	_, err = x.Look(t.Context(), reassign.Query{})
	require.ErrorIs(t, err, ErrClosed)
}

func errorSays(err error, text string) bool { return strings.Contains(err.Error(), text) }

// upTo returns the first of several permissions.
func upTo(permissions string, n int) string {
	list := strings.Split(permissions, "; ")
	return strings.Join(list[:min(n, len(list))], "; ")
}
