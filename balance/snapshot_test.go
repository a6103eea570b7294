package balance

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// What is written can be read again, and is the same.
func TestSnapshotsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCluster(t)
		c.Topics = []Topic{{Name: "t", ID: "AbC", Compacted: true, SegmentBytes: 1 << 30, MinISR: 2, Internal: true}}
		for i := range c.Partitions {
			if p := &c.Partitions[i]; i%3 == 0 {
				p.ReplicaBytes = make([]int64, len(p.Replicas))
				p.Moving = &Change{Adding: []int32{p.Replicas[0]}}
			}
		}
		var b bytes.Buffer
		require.NoError(t, WriteSnapshot(&b, c))
		again, err := ReadSnapshot(&b)
		require.NoError(t, err)
		require.Equal(t, len(c.Partitions), len(again.Partitions))
		require.Equal(t, c.Brokers, again.Brokers)
		require.Equal(t, c.Topics, again.Topics)
		for i := range c.Partitions {
			require.Equal(t, c.Partitions[i], again.Partitions[i])
		}
	})
}

// An unmeasured partition is left alone by whoever reads the file.
func TestUnmeasuredPartitionsAreWrittenWithCooldown(t *testing.T) {
	c := &Cluster{Brokers: []Broker{{ID: 1}}, Partitions: []Partition{{Topic: "t", Leader: 1, Replicas: []int32{1}, ISR: []int32{1}, Unmeasured: true}}}
	var b bytes.Buffer
	require.NoError(t, WriteSnapshot(&b, c))
	again, err := ReadSnapshot(&b)
	require.NoError(t, err)
	require.True(t, again.Partitions[0].Cooldown)
}

func TestValidateNamesThePlace(t *testing.T) {
	base := `{"brokers": [{"id": 1}, {"id": 2, "state": "maintenance"}], "partitions": [{"topic": "a", "partition": 3, "leader": 1, "replicas": [1, 2], "isr": [1, 2]}]}`
	_, err := ReadSnapshot(strings.NewReader(base))
	require.NoError(t, err)
	for _, c := range []struct{ old, new, want string }{
		{`"id": 2`, `"id": 1`, "broker 1: id appears twice"},
		{`"id": 2`, `"id": -2`, "broker -2: id is negative"},
		{`maintenance`, `tired`, `unknown broker state "tired": use active, maintenance or unavailable`},
		{`"topic": "a"`, `"topic": ""`, "topic is empty"},
		{`"partition": 3`, `"partition": -3`, "partition -3 is negative"},
		{`"replicas": [1, 2]`, `"replicas": []`, "partition a-3: replicas is empty"},
		{`"isr": [1, 2]`, `"isr": [1, 7]`, "partition a-3: isr names broker 7"},
		{`"isr": [1, 2]`, `"replicaBytes": [1]`, "partition a-3: replicaBytes has 1 numbers for 2 replicas"},
		{`"isr": [1, 2]`, `"replicaBytes": [1, -1]`, "partition a-3: replicaBytes[1] -1"},
		{`"isr": [1, 2]`, `"produceBytes": -1`, "partition a-3: produceBytes -1"},
		{`"isr": [1, 2]`, `"consumeMessages": 1e300`, "partition a-3: consumeMessages 1e+300"},
		{`"partitions": [`, `"topics": [{"name": ""}], "partitions": [`, "topic 0 in the list: name is empty"},
		{`"partitions": [`, `"topics": [{"name": "x"}, {"name": "x"}], "partitions": [`, "topic x: appears twice"},
	} {
		require.Contains(t, base, c.old)
		_, err := ReadSnapshot(strings.NewReader(strings.Replace(base, c.old, c.new, 1)))
		require.ErrorContains(t, err, c.want)
	}
}

// Whatever comes in: no panic, and what is accepted can be planned.
func FuzzReadSnapshot(f *testing.F) {
	f.Add([]byte(`{"brokers": [{"id": 1, "rack": "a"}, {"id": 2}], "partitions": [{"topic": "a", "leader": 1, "replicas": [1, 2], "isr": [1, 2], "sizeBytes": 9}]}`))
	f.Add([]byte(`{"brokers": [{"id": 1}], "partitions": [{"topic": "a", "leader": -1, "replicas": [1], "adding": [1]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := ReadSnapshot(bytes.NewReader(text))
		if err != nil || len(c.Brokers) > 20 || len(c.Partitions) > 50 {
			return
		}
		for _, aware := range []bool{false, true} {
			if _, err := Propose(c, Policy{RackAware: aware}); err != nil {
				t.Fatal(err)
			}
		}
	})
}
