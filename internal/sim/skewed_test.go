package sim

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

func loadsOf(r *balance.Cluster) map[int32]*balance.Load {
	loads := map[int32]*balance.Load{}
	for _, b := range r.Brokers {
		loads[b.ID] = &balance.Load{}
	}
	for i := range r.Partitions {
		p := &r.Partitions[i]
		for k, b := range p.Replicas {
			loads[b][balance.Disk] += float64(p.ReplicaSize(k))
			if b != p.Leader {
				loads[b][balance.Followers]++
			}
		}
		lead := loads[p.Leader]
		lead[balance.Leaders]++
		lead[balance.ProducerMessages] += p.ProduceMessages
		lead[balance.ProducerBytes] += p.ProduceBytes
		lead[balance.ConsumerMessages] += p.ConsumeMessages
		lead[balance.ConsumerBytes] += p.ConsumeBytes
	}
	return loads
}

// farthest returns the largest distance of any broker from its fair share of any load, one partition forgiven.
func farthest(r *balance.Cluster) float64 {
	loads := loadsOf(r)
	worst := 0.0
	for m := range balance.NumMetrics {
		total := 0.0
		for _, b := range r.Brokers {
			total += loads[b.ID][m]
		}
		pieces := float64(len(r.Partitions))
		if m := balance.Metric(m); m == balance.Disk {
			pieces *= float64(len(r.Partitions[0].Replicas))
		}
		one := total / pieces
		if balance.Metric(m) <= balance.Followers {
			one = 1
		}
		fair := total / float64(len(r.Brokers))
		for _, b := range r.Brokers {
			worst = max(worst, max(0, math.Abs(loads[b.ID][m]-fair)-one)/fair)
		}
	}
	return worst
}

var shapes = map[string][]SkewOption{
	"four brokers":             {WithBrokers(4)},
	"five brokers":             {WithBrokers(5)},
	"six brokers":              nil,
	"one of four is empty":     {WithBrokers(4), WithEmptyBroker()},
	"one of five is empty":     {WithBrokers(5), WithEmptyBroker()},
	"one of six is empty":      {WithEmptyBroker()},
	"a thousandth of the size": {WithScale(0.001)},
}

func TestSkewedIsFarFromEven(t *testing.T) {
	for name, options := range shapes {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(3) {
				world := Skewed(seed, options...)
				require.NotNil(t, world)
				r := world.read()
				require.Len(t, r.Topics, 24)
				require.Greater(t, farthest(r), 1.0)
				for _, p := range r.Partitions {
					require.LessOrEqual(t, p.Leader, int32(2), "led by brokers 1 and 2 alone")
					require.Equal(t, p.Leader, p.Replicas[0])
					require.ElementsMatch(t, p.Replicas, p.ISR)
					racks := map[string]bool{}
					for _, b := range p.Replicas {
						racks[rackOf(b)] = true
					}
					require.Len(t, racks, len(p.Replicas), "one replica in a rack")
				}
			}
		})
	}
}

func TestSkewedCanBeEvened(t *testing.T) {
	for brokers := 4; brokers <= 6; brokers++ {
		t.Run(strconv.Itoa(brokers), func(t *testing.T) {
			for seed := range uint64(40) {
				s := skew{brokers: brokers, scale: 1}
				require.LessOrEqual(t, farthest(s.even(seed)), 0.02, "seed %d", seed)
			}
		})
	}
}

func TestEmptyBrokerHoldsNothing(t *testing.T) {
	r := SkewedReading(3, WithBrokers(5), WithEmptyBroker())
	require.Len(t, r.Brokers, 5)
	for _, p := range r.Partitions {
		require.NotContains(t, p.Replicas, int32(5))
	}
}

func TestSkewedRepeatsForASeed(t *testing.T) {
	require.Equal(t, Skewed(7).Dump(), Skewed(7).Dump())
	require.NotEqual(t, Skewed(7).Dump(), Skewed(8).Dump())
}

func TestSkewedTopicsAreOfUnequalSizeAndRate(t *testing.T) {
	var sizes, rates []float64
	byTopic := map[string]int{}
	for _, p := range SkewedReading(1).Partitions {
		i, ok := byTopic[p.Topic]
		if !ok {
			i = len(sizes)
			byTopic[p.Topic] = i
			sizes, rates = append(sizes, 0), append(rates, 0)
		}
		sizes[i] += float64(p.SizeBytes)
		rates[i] += p.ProduceBytes
	}
	require.Greater(t, slices.Max(sizes), 5*slices.Min(sizes))
	require.Greater(t, slices.Max(rates), 5*slices.Min(rates))
}

func brokerOf(id int32) balance.Broker { return balance.Broker{ID: id, Rack: rackOf(id)} }

// An example shows a whole balancing run to somebody who waits: at twenty times the speed and 50 MB/s it takes seconds.
func TestSkewedIsEvenedInMinutesOfVirtualTime(t *testing.T) {
	for brokers := 4; brokers <= 6; brokers++ {
		received := map[int32]int64{}
		even := skew{brokers: brokers, scale: 1}.even(1)
		for i, p := range SkewedReading(1, WithBrokers(brokers)).Partitions {
			for _, b := range without(even.Partitions[i].Replicas, p.Replicas) {
				received[b] += p.SizeBytes
			}
		}
		for b, bytes := range received {
			require.Less(t, bytes, int64(120*50e6), "broker %d of %d", b, brokers)
		}
	}
}
