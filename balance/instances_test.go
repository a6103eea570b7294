package balance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// instance is a small cluster whose cheapest plan is proven by an exact solver.
type instance struct {
	Name      string
	Threshold float64
	RackAware bool
	Brokers   []struct {
		ID        int32
		State     BrokerState
		Rack      string
		FairShare [NumMetrics]float64
		Distance  [NumMetrics]float64
	}
	Topics []struct {
		Name       string
		Partitions []struct {
			Partition     int32
			Replicas      []int32
			SizeBytes     float64
			ProducerMsgs  float64
			ProducerBytes float64
			ConsumerMsgs  float64
			ConsumerBytes float64
			Cooldown      bool
		}
	}
	MinimumDifference struct{ Disk float64 }
	Expect            struct {
		Status        string
		Cause         string
		Bytes         int64
		ReplicaMoves  int
		LeaderChanges int
	}
}

func readInstance(t *testing.T, path string) (*instance, *Cluster, Policy) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var in instance
	require.NoError(t, json.Unmarshal(text, &in))
	c := &Cluster{}
	for _, b := range in.Brokers {
		c.Brokers = append(c.Brokers, Broker{ID: b.ID, Rack: b.Rack, State: b.State})
	}
	for _, topic := range in.Topics {
		c.Topics = append(c.Topics, Topic{Name: topic.Name})
		for _, p := range topic.Partitions {
			c.Partitions = append(c.Partitions, Partition{Topic: topic.Name, ID: p.Partition, Leader: p.Replicas[0], Replicas: p.Replicas,
				ISR: p.Replicas, SizeBytes: int64(p.SizeBytes), ProduceMessages: p.ProducerMsgs, ProduceBytes: p.ProducerBytes,
				ConsumeMessages: p.ConsumerMsgs, ConsumeBytes: p.ConsumerBytes, Cooldown: p.Cooldown})
		}
	}
	c.Sort()
	return &in, c, Policy{Threshold: in.Threshold, RackAware: in.RackAware, Floor: Floor{Disk: in.MinimumDifference.Disk}}
}

func instances(t *testing.T) []string {
	paths, err := filepath.Glob("testdata/instances/*.json")
	require.NoError(t, err)
	require.Len(t, paths, 15)
	return paths
}

// The shares and distances of every instance, as an independent program computed them.
func TestSharesAndDistancesOfTheInstances(t *testing.T) {
	for _, path := range instances(t) {
		in, c, policy := readInstance(t, path)
		t.Run(in.Name, func(t *testing.T) {
			r, err := NewReport(c, policy)
			require.NoError(t, err)
			i := 0
			for _, b := range in.Brokers {
				if b.State != Active {
					continue
				}
				for m := range b.Distance {
					require.InDelta(t, b.FairShare[m], r.Brokers[i].Loads[m].FairShare, 1e-6*max(1, b.FairShare[m]), "%d %s", b.ID, Metric(m))
					require.InDelta(t, b.Distance[m], r.Brokers[i].Loads[m].Distance, 1e-6, "%d %s", b.ID, Metric(m))
				}
				i++
			}
		})
	}
}
