package measure

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawSamples makes a history of anything that a cluster may do: leaders that change and fail, logs that are cut, groups
// that come, go and seek, brokers that are silent, rounds out of order.
func drawSamples(t *rapid.T) []Sample {
	var samples []Sample
	second := 0
	ends := map[Key]int64{}
	for range rapid.IntRange(1, 25).Draw(t, "rounds") {
		second += rapid.SampledFrom([]int{-20, 0, 1, 10, 30, 30, 60, 300, 2000}).Draw(t, "pause")
		s := Sample{At: at(second), AllGroups: rapid.Bool().Draw(t, "all groups")}
		s.Sized = map[int32]time.Time{}
		for broker := range int32(3) {
			if rapid.Bool().Draw(t, "sized") {
				s.Sized[broker] = at(second + rapid.IntRange(0, 3).Draw(t, "later"))
			}
		}
		for id := range int32(3) {
			key := Key{TopicID{byte(id % 2)}, id}
			ends[key] = max(0, ends[key]+rapid.Int64Range(-50, 2000).Draw(t, "grown"))
			s.Partitions = append(s.Partitions, drawPartition(t, key, second, ends[key], s.Sized))
		}
		for _, name := range []string{"a", "b"} {
			if rapid.Bool().Draw(t, "active") {
				g := Group{Name: name, At: at(second + 1)}
				for key := range map[Key]bool{{TopicID{0}, 0}: true, {TopicID{1}, 1}: true} {
					g.Commits = append(g.Commits, Commit{key, rapid.Int64Range(0, 10_000).Draw(t, "offset")})
				}
				s.Groups = append(s.Groups, g)
			}
		}
		samples = append(samples, s)
	}
	return samples
}

func drawPartition(t *rapid.T, key Key, second int, end int64, sized map[int32]time.Time) Partition {
	p := Partition{Key: key, Sparse: rapid.Bool().Draw(t, "sparse")}
	if rapid.IntRange(0, 5).Draw(t, "answered") > 0 {
		p.Offsets = Offsets{
			At: at(second), Leader: rapid.Int32Range(0, 2).Draw(t, "leader"), Epoch: rapid.Int32Range(0, 2).Draw(t, "epoch"),
			Start: rapid.Int64Range(0, end).Draw(t, "start"), End: end,
		}
	}
	for broker := range int32(3) {
		if _, told := sized[broker]; told && rapid.Bool().Draw(t, "hosted") {
			p.Sizes = append(p.Sizes, Size{broker, rapid.Int64Range(0, 1e6).Draw(t, "bytes")})
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "seeded") == 0 {
		p.Seed = Seed{At: at(second), From: at(second - 1800), Offset: rapid.Int64Range(-1, end+10).Draw(t, "seed"),
			First: at(second - rapid.IntRange(-10, 3000).Draw(t, "first")), Last: at(second - rapid.IntRange(-400, 400).Draw(t, "last"))}
	}
	return p
}

func historyOf(samples []Sample) *History {
	h := New(Config{})
	for _, s := range samples {
		h.Add(s)
	}
	return h
}

func end(samples []Sample) time.Time {
	var latest time.Time
	for i := range samples {
		latest = later(latest, samples[i].At)
	}
	return latest
}

// Whatever happens, a rate is a number that may be shown, and what is not known is nothing.
func TestEveryRateIsUnknownOrANumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := drawSamples(t)
		now := end(samples).Add(time.Duration(rapid.IntRange(0, 200).Draw(t, "now")) * time.Second)
		for key, r := range historyOf(samples).Rates(now) {
			for _, rate := range []Rate{r.ProduceMessages, r.ProduceBytes, r.ConsumeMessages, r.ConsumeBytes} {
				require.False(t, math.IsNaN(rate.PerSecond) || math.IsInf(rate.PerSecond, 0) || rate.PerSecond < 0, "%v: %v", key, rate)
				if !rate.Known() {
					require.Zero(t, rate, key)
					continue
				}
				require.GreaterOrEqual(t, rate.Span, 30*time.Second, key)
				require.LessOrEqual(t, rate.Span, 36*time.Minute, key)
			}
			require.False(t, !r.ProduceMessages.Known() && (r.ProduceBytes.Known() || r.ConsumeMessages.Known()), key)
			require.False(t, !r.ConsumeMessages.Known() && r.ConsumeBytes.Known(), key)
			require.True(t, slices.IsSortedFunc(r.Sizes, func(a, b Size) int { return int(a.Broker - b.Broker) }), key)
		}
	})
}

// The order of what is in a sample says nothing.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := drawSamples(t)
		want := historyOf(samples).Rates(end(samples))
		for i := range samples {
			samples[i].Partitions = rapid.Permutation(samples[i].Partitions).Draw(t, "partitions")
			samples[i].Groups = rapid.Permutation(samples[i].Groups).Draw(t, "groups")
		}
		require.Equal(t, want, historyOf(samples).Rates(end(samples)))
	})
}

// A sample that is added again is no news.
func TestASampleTwiceIsASampleOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := drawSamples(t)
		h := New(Config{})
		for _, s := range samples {
			h.Add(s)
			before := h.Rates(end(samples))
			h.Add(s)
			require.Equal(t, before, h.Rates(end(samples)))
		}
	})
}

// What one broker does not answer changes nothing for what others lead, groups and the topic's median aside.
func TestASilentBrokerHidesItsOwnPartitionsAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := drawSamples(t)
		loud, silent := New(Config{}), New(Config{})
		quiet := Key{TopicID{0}, 0}
		for _, s := range samples {
			loud.Add(s)
			s.Partitions = slices.Clone(s.Partitions)
			i := slices.IndexFunc(s.Partitions, func(p Partition) bool { return p.Key == quiet })
			s.Partitions[i].Offsets, s.Partitions[i].Seed = Offsets{}, Seed{}
			silent.Add(s)
		}
		other := Key{TopicID{1}, 1} // another topic
		require.Equal(t, loud.Rates(end(samples))[other], silent.Rates(end(samples))[other])
		require.Zero(t, silent.Rates(end(samples))[quiet].ProduceMessages)
	})
}

// Steady traffic is measured exactly, whenever one looks.
func TestSteadyTrafficIsMeasuredExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		perSecond := rapid.Int64Range(0, 100_000).Draw(t, "messages per second")
		size := rapid.Int64Range(1, 100_000).Draw(t, "bytes a message")
		reads := rapid.Int64Range(0, perSecond).Draw(t, "read per second")
		commitEvery := rapid.IntRange(1, 60).Draw(t, "commit every")
		h := New(Config{})
		second := 0
		for range rapid.IntRange(7, 80).Draw(t, "rounds") {
			second += rapid.IntRange(10, 60).Draw(t, "pause")
			p := led(orders, second, perSecond*int64(second), perSecond*size*int64(second))
			s := round(second, p)
			committed := second / commitEvery * commitEvery
			s.Groups = []Group{{"g", at(second), []Commit{{orders, reads * int64(committed)}}}}
			h.Add(s)
		}
		r := h.Rates(at(second))[orders]
		require.InEpsilon(t, float64(perSecond)+1, r.ProduceMessages.PerSecond+1, 1e-9)
		require.Equal(t, Measured, r.ProduceMessages.Basis)
		require.InEpsilon(t, float64(perSecond*size)+1, r.ProduceBytes.PerSecond+1, 1e-9)
		if !r.ConsumeMessages.Known() { // far behind, and looked at for a few commits only
			return
		}
		// The times of commits are known to within a pause at both ends.
		off := float64(reads) * 60 / r.ConsumeMessages.Span.Seconds()
		if r.ConsumeMessages.Basis == Measured {
			require.InDelta(t, float64(reads), r.ConsumeMessages.PerSecond, 2*off+1)
		}
	})
}

// The mean is what a list of all intervals and a sum over it say.
func TestProducedIsTheSumOverTheIntervalsInTheWindow(t *testing.T) {
	type interval struct {
		piece, count int64
		span         time.Duration
	}
	rapid.Check(t, func(t *rapid.T) {
		h := New(Config{})
		var all []interval
		end, second := int64(0), 0
		h.Add(round(0, led(orders, 0, 0, 0)))
		for range rapid.IntRange(1, 100).Draw(t, "rounds") {
			pause := rapid.SampledFrom([]int{1, 10, 30, 30, 30, 60, 400, 1900}).Draw(t, "pause")
			grown := rapid.Int64Range(-100, 1000).Draw(t, "grown")
			end, second = end+grown, second+pause
			h.Add(round(second, led(orders, second, end, 0)))
			if grown >= 0 && pause <= 1800 {
				all = append(all, interval{int64(second / 300), grown, time.Duration(pause) * time.Second})
			}
		}
		var want interval
		for _, i := range all {
			if i.piece > int64(second/300)-6 {
				want.count += i.count
				want.span += i.span
			}
		}
		got := h.Rates(at(second))[orders].ProduceMessages
		if want.span < 30*time.Second {
			require.Zero(t, got)
			return
		}
		require.Equal(t, Rate{perSecond(want.count, want.span), Measured, want.span}, got)
	})
}
