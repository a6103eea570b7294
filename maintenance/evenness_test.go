package maintenance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

// even is a cluster whose load is spread at random over brokers in three racks, with a few partitions much larger and
// busier than the rest.
func even(brokers, partitions int, seed uint64) *balance.Cluster {
	r := rand.New(rand.NewPCG(seed, 1))
	c := &balance.Cluster{}
	for id := range brokers {
		c.Brokers = append(c.Brokers, balance.Broker{ID: int32(id), Rack: string(rune('a' + id%3))})
	}
	for i := range partitions {
		p := balance.Partition{Topic: fmt.Sprintf("t%03d", i/20), ID: int32(i % 20)}
		for _, rack := range r.Perm(3) {
			p.Replicas = append(p.Replicas, int32(rack+3*r.IntN(brokers/3)))
		}
		p.ISR, p.Leader = p.Replicas, p.Replicas[0]
		scale := 1 / (0.05 + r.Float64())
		p.SizeBytes, p.ProduceBytes = int64(1e9*scale), 1e5*scale
		p.ProduceMessages, p.ConsumeMessages, p.ConsumeBytes = 100*scale, 200*scale, 2e5*scale
		c.Partitions = append(c.Partitions, p)
	}
	return c
}

// after is what every broker carries once the moves are made.
func after(c *balance.Cluster, d *Drain) []loads {
	moves := map[balance.TopicPartition]balance.Move{}
	for _, m := range d.Moves {
		moves[m.Name()] = m
	}
	have := make([]loads, len(c.Brokers))
	for i := range c.Partitions {
		p := &c.Partitions[i]
		replicas, leader := p.Replicas, p.Leader
		if m, ok := moves[p.Name()]; ok {
			replicas, leader = m.To, m.ToLeader
		}
		for _, b := range replicas {
			l := asFollower(p)
			if b == leader {
				l = l.plus(asLeader(p))
			}
			have[b] = have[b].plus(l)
		}
	}
	return have
}

// spread returns how far the most and the least loaded of the brokers given are from their mean, as a fraction of it.
func spread(have []loads, brokers []int, k int) float64 {
	most, least, total := math.Inf(-1), math.Inf(1), 0.0
	for _, b := range brokers {
		most, least, total = max(most, have[b][k]), min(least, have[b][k]), total+have[b][k]
	}
	return (most - least) / (total / float64(len(brokers)))
}

// The replicas of a drained broker stay in its rack, where its neighbours end within 2% of each other, and leadership
// goes to the other racks, which end more even than they were.
func TestDrainsSpreadWhatTheyMove(t *testing.T) {
	c := even(12, 2000, 3)
	d, err := Plan(c, 0, Options{Policy: balance.Policy{RackAware: true}})
	require.NoError(t, err)
	before, now := after(c, &Drain{}), after(c, d)
	assert.Equal(t, loads{}, now[0])
	neighbours, others := []int{3, 6, 9}, []int{1, 2, 4, 5, 7, 8, 10, 11}
	for _, k := range []int{int(balance.Followers), int(balance.Disk), inbound} {
		assert.Less(t, spread(now, neighbours, k), 0.02, "load %d", k)
	}
	for k := range numLoads {
		t.Logf("load %d: neighbours %.3f, others %.3f, before %.3f", k, spread(now, neighbours, k), spread(now, others, k), spread(before, others, k))
		assert.Less(t, spread(now, others, k), spread(before, others, k)+0.02, "load %d", k)
	}
}

// A topic of which two brokers hold all that the bound allows goes to the others, although these carry more.
func TestATopicIsNotHeapedOnOneBroker(t *testing.T) {
	c := &balance.Cluster{}
	for id := range int32(5) {
		c.Brokers = append(c.Brokers, balance.Broker{ID: id})
	}
	for id := range int32(20) {
		c.Partitions = append(c.Partitions, balance.Partition{Topic: "hot", ID: id, Replicas: []int32{0}, ISR: []int32{0}})
	}
	for id := range int32(400) { // brokers 2 to 4 carry much else, broker 1 nothing
		b := 2 + id%3
		c.Partitions = append(c.Partitions, balance.Partition{Topic: "other", ID: id, Leader: b, Replicas: []int32{b}, ISR: []int32{b}})
	}
	d, err := Plan(c, 0, Options{})
	require.NoError(t, err)
	got := map[int32]int{}
	for _, m := range d.Moves {
		got[m.To[0]]++
	}
	assert.Equal(t, 7, got[1], "ceil(1.2 × 20 ÷ 4) + 1")
	assert.Len(t, d.Moves, 20)
}

func BenchmarkPlan(b *testing.B) {
	for _, size := range []struct{ brokers, partitions int }{{12, 2_000}, {99, 30_000}, {300, 300_000}} {
		c := even(size.brokers, size.partitions, 1)
		b.Run(fmt.Sprintf("%dbrokers/%dpartitions", size.brokers, size.partitions), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Plan(c, 0, Options{Policy: balance.Policy{RackAware: true}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A cluster that was one broker gets two new ones and loses the first: they share everything, though neither has
// anything yet.
func TestEmptyBrokersShareEverything(t *testing.T) {
	c := &balance.Cluster{Brokers: []balance.Broker{{ID: 0}, {ID: 1}, {ID: 2}}}
	for id := range int32(40) {
		c.Partitions = append(c.Partitions, balance.Partition{Topic: "t", ID: id, Replicas: []int32{0}, ISR: []int32{0}, SizeBytes: int64(100 + id)})
	}
	d, err := Plan(c, 0, Options{})
	require.NoError(t, err)
	now := after(c, d)
	for _, k := range []balance.Metric{balance.Leaders, balance.Disk} {
		assert.Less(t, spread(now, []int{1, 2}, int(k)), 0.01, k)
	}
}

func TestACustomShareRuleDecidesWhoReceives(t *testing.T) {
	c := even(12, 600, 5)
	big := balance.ShareFunc(func(_ *balance.Cluster, usual []balance.BrokerShare) []balance.BrokerShare {
		for i := range usual { // 3 is to have what 3, 6 and 9 have now, and these nothing
			if n := usual[i].Broker % 3; n == 0 && usual[i].Broker != 3 {
				for k := range usual[i].Share {
					usual[at(usual, 3)].Share[k] += usual[i].Share[k]
					usual[i].Share[k] = 0
				}
			}
		}
		return usual
	})
	d, err := Plan(c, 0, Options{Policy: balance.Policy{Shares: big}})
	require.NoError(t, err)
	for _, m := range d.Moves {
		for _, b := range m.To {
			if b%3 == 0 && !slices.Contains(m.From, b) {
				assert.EqualValues(t, 3, b, m.Name())
			}
		}
	}
}

func at(shares []balance.BrokerShare, broker int32) int {
	return slices.IndexFunc(shares, func(s balance.BrokerShare) bool { return s.Broker == broker })
}

func TestAReadingOrPolicyThatContradictsItselfIsAnError(t *testing.T) {
	c := cluster("abc", 1, []int32{1, 9})
	_, err := Plan(c, 1, Options{})
	assert.ErrorContains(t, err, "broker 9")
	_, err = Plan(cluster("abc", 1, []int32{1, 2}), 1, Options{Policy: balance.Policy{Threshold: -1}})
	assert.ErrorContains(t, err, "threshold")
}
