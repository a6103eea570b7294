package measure

import (
	"testing"
	"time"
)

// BenchmarkRound is one round of a cluster of 50,000 partitions with three replicas each, two of three being read.
func BenchmarkRound(b *testing.B) {
	const partitions = 50_000
	h := New(Config{})
	second := 0
	next := func() Sample {
		second += 30
		s := Sample{At: at(second), Sized: map[int32]time.Time{}, AllGroups: true, Groups: []Group{{Name: "g", At: at(second)}}}
		for broker := range int32(12) {
			s.Sized[broker] = at(second)
		}
		for i := range partitions {
			key := Key{TopicID{byte(i % 251), byte(i % 7)}, int32(i)}
			p := led(key, second, int64(second*i), int64(second*i*10))
			p.Sizes = []Size{{1, 1}, {2, 2}, {3, 3}}
			s.Partitions = append(s.Partitions, p)
			if i%3 > 0 {
				s.Groups[0].Commits = append(s.Groups[0].Commits, Commit{key, int64(second * i)})
			}
		}
		return s
	}
	h.Add(next())
	for b.Loop() {
		b.StopTimer()
		s := next()
		b.StartTimer()
		h.Add(s)
		h.Rates(at(second))
	}
}
