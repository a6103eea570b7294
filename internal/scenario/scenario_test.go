package scenario

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kafka-pilot/pilot/balance"
)

func TestACaseIsItsNameSizeAndSeed(t *testing.T) {
	text := func(c Case) string {
		cluster, err := c.Cluster()
		require.NoError(t, err)
		require.NoError(t, cluster.Validate(), c)
		require.Len(t, cluster.Partitions, c.Partitions)
		var b bytes.Buffer
		require.NoError(t, balance.WriteSnapshot(&b, cluster))
		return b.String()
	}
	for _, name := range append(Names(), Even) {
		c := Case{name, 10, 500, 1}
		require.Equal(t, text(c), text(c), "%s", c)
		if name != Even {
			c.Seed = 2
			require.NotEqual(t, text(Case{name, 10, 500, 1}), text(c), "%s", c)
		}
	}
	_, err := Case{Skew, 2, 10, 1}.Cluster()
	require.EqualError(t, err, "skew 2×10 seed 1: a scenario has 6 brokers or more and 1 partition or more")
}

// Every scenario but the even one gives the planner something to do, and the plan keeps to the bounds.
func TestScenariosAgainstThePlanner(t *testing.T) {
	for _, name := range append(Names(), Even) {
		t.Run(string(name), func(t *testing.T) {
			c, err := Case{name, 12, 1200, 1}.Cluster()
			require.NoError(t, err)
			p, err := balance.Propose(c, Policy())
			require.NoError(t, err)
			if name == Even {
				require.Equal(t, balance.NoneNeeded, p.Status)
				return
			}
			require.Equal(t, balance.RebalanceRecommended, p.Status, p.Message)
			bound, got := LowerBounds(c, &p.Before, balance.DefaultThreshold), Measure(c, p)
			if name == Huge {
				return // it may not be even in the end, and then the bounds do not hold
			}
			for i := range p.After.Brokers {
				for m := range p.After.Brokers[i].Loads {
					if was := p.Before.Brokers[i].Loads[m].Distance; was <= balance.DefaultThreshold {
						require.LessOrEqual(t, p.After.Brokers[i].Loads[m].Distance, balance.DefaultThreshold+1e-6)
					}
				}
			}
			require.GreaterOrEqual(t, float64(p.CopyBytes()), bound.Bytes-1)
			require.GreaterOrEqual(t, got.Copies, bound.Copies)
			require.Zero(t, got.Reordered)
			require.Zero(t, got.PairsNew)
		})
	}
}

// On clusters small enough to try every placement the bound is never above what the cheapest even one copies.
func TestTheBoundIsNeverAboveTheOptimum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &balance.Cluster{Brokers: []balance.Broker{{ID: 0}, {ID: 1}, {ID: 2}}}
		n := rapid.IntRange(1, 7).Draw(t, "partitions")
		for i := range n {
			b := rapid.Int32Range(0, 2).Draw(t, "broker")
			c.Partitions = append(c.Partitions, balance.Partition{Topic: "t", ID: int32(i), Leader: b, Replicas: []int32{b}, ISR: []int32{b},
				SizeBytes: int64(rapid.IntRange(1, 9).Draw(t, "GiB")) << 30})
		}
		before, err := balance.NewReport(c, balance.Policy{})
		require.NoError(t, err)
		bound := LowerBounds(c, &before, balance.DefaultThreshold)
		least := math.Inf(1)
		for code := range int(math.Pow(3, float64(n))) {
			if copied, even := placed(t, c, &before, code); even {
				least = math.Min(least, copied)
			}
		}
		require.LessOrEqual(t, bound.Bytes, least+1)
	})
}

// placed puts partition i on the broker that digit i of the code names.
func placed(t *rapid.T, c *balance.Cluster, before *balance.Report, code int) (copied float64, even bool) {
	next := &balance.Cluster{Brokers: c.Brokers}
	for _, p := range c.Partitions {
		b := int32(code % 3)
		code /= 3
		if b != p.Leader {
			copied += float64(p.SizeBytes)
		}
		p.Leader, p.Replicas, p.ISR = b, []int32{b}, []int32{b}
		next.Partitions = append(next.Partitions, p)
	}
	after, err := balance.NewReport(next, balance.Policy{})
	require.NoError(t, err)
	if !tripped(before, balance.DefaultThreshold, balance.Disk) {
		return copied, true
	}
	for i := range after.Brokers {
		even = after.Brokers[i].Loads[balance.Disk].Distance <= balance.DefaultThreshold+1e-9
		if !even {
			return copied, false
		}
	}
	return copied, true
}

// Six partitions of a topic on two brokers of three, worked out by hand: at most ceil(1.2 × 6 ÷ 3) + 1 = 4 on one.
func TestGoods(t *testing.T) {
	c := &balance.Cluster{Brokers: []balance.Broker{{ID: 1}, {ID: 2}, {ID: 3}}}
	for i, b := range []int32{1, 1, 1, 1, 1, 2} {
		c.Partitions = append(c.Partitions, balance.Partition{Topic: "t", ID: int32(i), Leader: b, Replicas: []int32{b}, ISR: []int32{b}, ProduceBytes: 10})
	}
	p := &balance.Proposal{Moves: []balance.Move{
		{Topic: "t", Partition: 0, From: []int32{1}, To: []int32{3}, FromLeader: 1, ToLeader: 3},
		{Topic: "t", Partition: 5, From: []int32{2}, To: []int32{3}, FromLeader: 2, ToLeader: 3},
	}}
	require.Equal(t, Goods{Copies: 2, LeaderChanges: 2, PairsBefore: 1, Filled: 0, Worse: 0.5}, Measure(c, p))
	require.Equal(t, Goods{PairsBefore: 1, PairsAfter: 1, Filled: 1}, Measure(c, &balance.Proposal{}))
	p = &balance.Proposal{Moves: []balance.Move{{Topic: "t", From: []int32{1, 2, 3}, To: []int32{1, 3, 2}, FromLeader: 1, ToLeader: 1}}}
	require.Equal(t, 1, Measure(&balance.Cluster{}, p).Reordered)
}

func ExampleCase_String() {
	fmt.Println(Case{Name: New, Brokers: 30, Partitions: 10_000, Seed: 3})
	// Output: new 30×10000 seed 3
}
