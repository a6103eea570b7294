//go:build kafka

package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/internal/kafkatest"
)

var shared = kafkatest.Shared{Config: kafkatest.Config{
	Brokers: 4, SASL: true, ACLs: true, SuperUsers: []string{"admin"},
	PlainUsers: map[string]string{"admin": "admin secret", "guest": "guest secret"},
}}

func init() { suite = shared.Run }

// login is the environment of a user.
func login(user, password string) []string {
	return []string{"PILOT_LISTEN=127.0.0.1:0", "KAFKA_SASL_MECHANISM=PLAIN", "KAFKA_SASL_USERNAME=" + user, "KAFKA_SASL_PASSWORD=" + password}
}

// TestKafkaRefuses: one sentence and 1, and nothing is left in the cluster.
func TestKafkaRefuses(t *testing.T) {
	c := shared.Cluster(t)
	bootstrap := strings.Join(c.BootstrapSASL(), ",")
	before, err := c.Placement()
	require.NoError(t, err)
	for want, environ := range map[string][]string{
		`the brokers refuse user "admin" with PLAIN: check the user name and the password`: login("admin", "wrong password"),
		`the user lacks `: login("guest", "guest secret"),
	} {
		code, out, log := start(environ, "-bootstrap", bootstrap)
		require.Equal(t, 1, code)
		require.Empty(t, out)
		require.Contains(t, log, want)
		require.Equal(t, 1, strings.Count(log, "\n"), log)
		require.NotContains(t, log, "password\"")
	}
	after, err := c.Placement()
	require.NoError(t, err)
	require.Equal(t, before, after, "no topic was made")
}

// TestKafkaServer drains a broker of a real cluster over REST; a second server knows of it.
func TestKafkaServer(t *testing.T) {
	c := shared.Cluster(t)
	require.NoError(t, c.CreateTopic("orders", [][]int32{{4, 1}, {4, 2}, {3, 4}, {1, 2}}, map[string]string{"min.insync.replicas": "1"}))
	require.NoError(t, c.Fill("orders", 40_000_000))
	environ := append(login("admin", "admin secret"), "PILOT_THROTTLE=20MB/s")
	p := launch(t, environ, "-bootstrap", c.BootstrapSASL()[0])
	p.ready()
	view := get[pilot.ClusterView](p, "GET", "/api/v1/cluster", "")
	require.Len(t, view.Brokers, 4)
	require.GreaterOrEqual(t, view.Partitions, 4)

	drain := get[pilot.DrainView](p, "POST", "/api/v1/brokers/4/maintenance", `{"reason":"new disks"}`)
	require.Equal(t, "draining", drain.State)
	x := p.wait(drain.Execution.ID)
	require.Equal(t, pilot.StateCompleted, x.State, x.Message)
	placed, err := c.Placement()
	require.NoError(t, err)
	for _, part := range placed {
		require.False(t, slices.Contains(part.Replicas, 4), "%s-%d is on %v", part.Topic, part.Partition, part.Replicas)
	}
	throttles, err := c.Throttles()
	require.NoError(t, err)
	require.Empty(t, throttles)
	require.Eventually(t, func() bool {
		again, _ := p.ask("POST", "/api/v1/brokers/4/maintenance", "{}")
		return again == http.StatusOK // nothing is left to move
	}, time.Minute, time.Second)
	require.Zero(t, p.stop())

	second := launch(t, environ, "-bootstrap", c.BootstrapSASL()[1])
	second.ready()
	in := get[struct{ Brokers []int32 }](second, "GET", "/api/v1/brokers/maintenance", "")
	require.Equal(t, []int32{4}, in.Brokers)
	online := get[pilot.DrainView](second, "DELETE", "/api/v1/brokers/4/maintenance", "")
	require.Equal(t, "online", online.State)
	require.Zero(t, second.stop())
}

// TestKafkaServerKilled takes the program away in the middle of a drain; the next one ends it.
func TestKafkaServerKilled(t *testing.T) {
	c := shared.Cluster(t)
	require.NoError(t, c.CreateTopic("payments", [][]int32{{1, 3}, {1, 2}, {3, 1}, {2, 1}}, map[string]string{"min.insync.replicas": "1"}))
	require.NoError(t, c.Fill("payments", 80_000_000))
	environ := append(login("admin", "admin secret"), "PILOT_THROTTLE=5MB/s")
	p := launch(t, environ, "-bootstrap", c.BootstrapSASL()[0])
	p.ready()
	drain := get[pilot.DrainView](p, "POST", "/api/v1/brokers/1/maintenance", "")
	require.Eventually(t, func() bool {
		moving, err := c.Moves()
		return err == nil && len(moving) > 0
	}, time.Minute, 50*time.Millisecond)
	require.NoError(t, p.cmd.Process.Kill())
	<-p.ended

	second := launch(t, environ, "-bootstrap", c.BootstrapSASL()[1])
	require.Eventually(t, func() bool {
		status, _ := second.ask("GET", "/api/v1/reassignments/"+drain.Execution.ID, "")
		return status == http.StatusOK
	}, time.Minute, 200*time.Millisecond)
	x := second.wait(drain.Execution.ID)
	require.Equal(t, pilot.StateCompleted, x.State, x.Message)
	require.EqualValues(t, 1, *x.Broker)
	throttles, err := c.Throttles()
	require.NoError(t, err)
	require.Empty(t, throttles)
	moving, err := c.Moves()
	require.NoError(t, err)
	require.Empty(t, moving)
	second.ready()
	get[pilot.DrainView](second, "DELETE", "/api/v1/brokers/1/maintenance", "")
	require.Zero(t, second.stop())
}

// wait returns an execution once it has ended.
func (p *program) wait(id string) pilot.ExecutionView {
	p.t.Helper()
	var x pilot.ExecutionView
	require.Eventually(p.t, func() bool {
		x = get[pilot.ExecutionView](p, "GET", "/api/v1/reassignments/"+id, "")
		return x.EndedAt != nil
	}, 2*time.Minute, 200*time.Millisecond)
	return x
}
