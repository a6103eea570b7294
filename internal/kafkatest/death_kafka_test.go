//go:build kafka

package kafkatest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func init() {
	roles["owner of a cluster"] = func() error {
		c, err := Launch(context.Background(), Config{Brokers: 1})
		if err != nil {
			return err
		}
		fmt.Println(c.dir)
		for _, n := range c.nodes() {
			fmt.Println(n.process.pid)
		}
		fmt.Println("ready")
		return nil
	}
}

func TestKafkaDiesWithTheTest(t *testing.T) {
	owner, said := play(t, "owner of a cluster")
	require.Len(t, said, 3)
	require.NoError(t, owner.Process.Kill())
	for _, pid := range said[1:] {
		require.Eventually(t, func() bool { return gone(atoi(t, pid)) }, 20*time.Second, 20*time.Millisecond)
	}
	require.Eventually(t, func() bool { return !exists(said[0]) }, 20*time.Second, 20*time.Millisecond)
	owner.Wait()
}

func TestKafkaThatCannotStartSaysWhyAndLeavesNothing(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	_, err := Launch(t.Context(), Config{Brokers: 1, BrokerProperties: map[string]string{"num.io.threads": "many"}})
	require.ErrorContains(t, err, "kafkatest: broker 1 ended while starting")
	require.ErrorContains(t, err, "Invalid value many for configuration num.io.threads")
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestKafkaWithThreeControllersSurvivesTheActiveOne(t *testing.T) {
	others := goleak.IgnoreCurrent()
	t.Cleanup(func() { // after the cluster is closed
		goleak.VerifyNone(t, others, goleak.IgnoreTopFunction("github.com/rcrowley/go-metrics.(*meterArbiter).tick"))
	})
	c := Start(t, Config{Brokers: 1, Controllers: 3, Racks: []string{""}})
	first, err := c.ActiveController()
	require.NoError(t, err)
	require.NoError(t, c.Kill(first))
	require.NoError(t, c.await("another controller leads", func() error {
		second, err := c.ActiveController()
		if err == nil && second == first {
			err = fmt.Errorf("still %d", second)
		}
		return err
	}))
	require.NoError(t, c.CreateTopic("after", [][]int32{{1}}, nil))
	require.NoError(t, c.StartBroker(first))
}
