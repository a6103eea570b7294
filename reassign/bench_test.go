package reassign

import (
	"fmt"
	"testing"
	"time"

	"github.com/kafka-pilot/pilot/balance"
)

// bigPlan makes an execution of n moves on a hundred brokers, with its first wave in flight.
func bigPlan(b *testing.B, n int) (*Execution, *View, time.Time) {
	moves := make([]balance.Move, n)
	for i := range moves {
		from := []int32{int32(i % 100), int32((i + 1) % 100), int32((i + 2) % 100)}
		moves[i] = balance.Move{
			Topic: fmt.Sprintf("topic-%d", i/50), Partition: int32(i % 50), From: from, To: []int32{int32((i + 50) % 100), from[1], from[2]},
			FromLeader: from[0], ToLeader: int32((i + 50) % 100), Kind: balance.MoveBalance, CopyBytes: 1 << 30,
		}
	}
	e, err := New("big", moves, nil, Limits{})
	if err != nil {
		b.Fatal(err)
	}
	now := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	todo := e.Step(now, Seen{})
	for todo.Wait == 0 {
		seen := Seen{Saved: true}
		if todo.Look != nil {
			seen.View = viewOf(e, todo.Look)
		}
		for _, t := range todo.Submit {
			seen.Outcomes = append(seen.Outcomes, Outcome{TopicPartition: t.TopicPartition})
		}
		todo = e.Step(now, seen)
	}
	return e, viewOf(e, todo.Look), now.Add(todo.Wait)
}

// viewOf shows what is in flight as in flight and the rest at its source.
func viewOf(e *Execution, q *Query) *View {
	v := &View{}
	for b := range int32(100) {
		v.Alive = append(v.Alive, b)
	}
	for _, tp := range q.Partitions {
		t := &e.tasks[e.index[tp]]
		l := Live{TopicPartition: tp, Leader: t.move.From[0], Replicas: t.move.From, ISR: t.move.From}
		if t.phase == moving {
			l.Adding, l.Removing = without(t.want, t.prev), without(t.prev, t.want)
			l.Replicas = append(append([]int32{}, t.want...), l.Removing...)
		}
		v.Partitions = append(v.Partitions, l)
	}
	return v
}

// BenchmarkPoll is one look while a wave is in flight: its judgement, the choice of what could follow, and the record.
func BenchmarkPoll(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("moves=%d", n), func(b *testing.B) {
			e, view, now := bigPlan(b, n)
			b.ReportAllocs()
			for b.Loop() {
				e.head = true
				e.Step(now, Seen{Saved: true, View: view})
				now = now.Add(time.Second)
			}
			b.ReportMetric(float64(len(e.encodeHead())), "record-bytes")
		})
	}
}

// BenchmarkRestore reads the record of a long plan.
func BenchmarkRestore(b *testing.B) {
	e, _, _ := bigPlan(b, 10_000)
	e.unsaved.all(len(e.tasks))
	journal := map[string][]byte{}
	for _, entry := range e.entries(false) {
		journal[entry.Key] = entry.Value
	}
	for b.Loop() {
		if _, err := Restore(journal); err != nil {
			b.Fatal(err)
		}
	}
}
