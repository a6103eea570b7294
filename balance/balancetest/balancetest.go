// Package balancetest helps to unit-test a balance policy without a Kafka: it makes clusters to try a policy on, and
// CheckLaws holds a policy against the laws that every policy must obey.
package balancetest

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/kafka-pilot/pilot/balance"
)

// Skewed returns a cluster that needs balancing: brokers 1 to n in three racks, the topics given with twelve partitions
// each and factor 2, every partition led by broker 1. Partition i of a topic holds (i+1) GiB and is written and read
// at (i+1) MB/s. n is at least 3.
func Skewed(n int, topics ...string) *balance.Cluster {
	c := &balance.Cluster{}
	for id := int32(1); int(id) <= n; id++ {
		c.Brokers = append(c.Brokers, balance.Broker{ID: id, Rack: string('a' + rune(id-1)%3)})
	}
	next := int32(0)
	for _, topic := range topics {
		c.Topics = append(c.Topics, balance.Topic{Name: topic})
		for i := range int32(12) {
			replicas := []int32{1, 2 + next%int32(n-1)}
			next++
			size := float64(i + 1)
			c.Partitions = append(c.Partitions, balance.Partition{Topic: topic, ID: i, Leader: 1, Replicas: replicas, ISR: replicas,
				SizeBytes: int64(size) << 30, ProduceMessages: 1000 * size, ProduceBytes: 1e6 * size, ConsumeMessages: 1000 * size, ConsumeBytes: 1e6 * size})
		}
	}
	c.Sort()
	return c
}

// CheckLaws fails the test when a policy breaks a law on the cluster given: the same input gives the same plan, the
// input stays as it was, and each move keeps the factor, names no broker twice and goes to active brokers alone.
func CheckLaws(t testing.TB, c *balance.Cluster, policy balance.Policy) *balance.Proposal {
	t.Helper()
	before := encode(t, c)
	plan, err := balance.Propose(c, policy)
	if err != nil {
		t.Fatalf("policy: %v", err)
	}
	if !bytes.Equal(before, encode(t, c)) {
		t.Error("policy changed its input: a policy must not change the cluster")
	}
	for range 3 {
		again, err := balance.Propose(c, policy)
		if err != nil {
			t.Fatalf("policy, asked again: %v", err)
		}
		if !bytes.Equal(encode(t, plan), encode(t, again)) {
			t.Error("policy gives another plan for the same input: it must depend on its arguments alone")
		}
	}
	checkMoves(t, c, plan.Moves)
	return plan
}

func checkMoves(t testing.TB, c *balance.Cluster, moves []balance.Move) {
	t.Helper()
	active := map[int32]bool{}
	for _, b := range c.Brokers {
		active[b.ID] = b.State == balance.Active
	}
	for i := range moves {
		m := &moves[i]
		if len(m.To) != len(m.From) {
			t.Errorf("%s: the factor would go from %d to %d", m.Name(), len(m.From), len(m.To))
		}
		for k, b := range m.To {
			if slices.Contains(m.To[:k], b) {
				t.Errorf("%s: broker %d would hold it twice", m.Name(), b)
			}
			if !active[b] && !slices.Contains(m.From, b) {
				t.Errorf("%s: broker %d is not active and would receive it", m.Name(), b)
			}
		}
	}
}

func encode(t testing.TB, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("encoding: %v", err)
	}
	return text
}
