package sim

import (
	"testing"
	"time"
)

func BenchmarkSkewed(b *testing.B) {
	for i := range b.N {
		Skewed(uint64(i))
	}
}

// A whole execution of the kind that the long simulations repeat: a small cluster, a few copies, a dead broker.
func BenchmarkAdvance(b *testing.B) {
	for range b.N {
		c := New(Config{})
		for id := int32(1); id <= 6; id++ {
			_ = c.AddBroker(brokerOf(id))
		}
		_ = c.CreateTopic(TopicSpec{Name: "t", Partitions: 30, Factor: 3, Bytes: 1 << 30, Rates: Rates{ProduceBytes: 1e5}})
		for _, p := range c.Partitions()[:10] {
			_ = c.Reassign(p.TopicPartition, p.Replicas[0], p.Replicas[1], (p.Replicas[2]+2)%6+1)
		}
		_ = c.Kill(6)
		for range 200 {
			c.Advance(5 * time.Second)
		}
	}
}
