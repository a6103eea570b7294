package safety

import (
	"testing"
	"time"

	"github.com/kafka-pilot/pilot/balance"
)

// A rack of a large cluster catches up: 100,000 partitions are shrunk in every look.
func BenchmarkHistory(b *testing.B) {
	l := healthy()
	for id := range int32(100_000) {
		l.Shrunk = append(l.Shrunk, ShrunkPartition{TopicPartition: part("orders", id), Out: []int32{2}})
	}
	var h History
	b.ReportAllocs()
	for b.Loop() {
		l.At = l.At.Add(30 * time.Second)
		h = h.Next(l)
		_ = Check(l, h, Request{})
	}
}

// A plan of 10,000 moves meets a receiver that has just died.
func BenchmarkSubstitute(b *testing.B) {
	c := orders()
	var moves []balance.Move
	for id := range int32(10_000) {
		c.Partitions = append(c.Partitions, balance.Partition{Topic: "orders", ID: id, Replicas: []int32{1, 2, 3}, ISR: []int32{1, 2, 3}, Leader: 1})
		m := move(balance.MoveDrain, []int32{1, 2, 3}, []int32{4, 2, 3})
		m.Partition = id
		moves = append(moves, m)
	}
	b.ReportAllocs()
	for b.Loop() {
		Substitute(c, []int32{1, 2, 3, 5}, moves)
	}
}
