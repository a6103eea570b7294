package maintenance

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kafka-pilot/pilot/balance"
)

// Whatever the cluster is like, a drain keeps its promises: they are checked here by code that shares nothing with the
// planner.
func TestDrainsKeepTheirPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCluster(t)
		broker := rapid.SampledFrom(c.Brokers).Draw(t, "drained").ID
		o := Options{Policy: balance.Policy{RackAware: rapid.Bool().Draw(t, "rackAware")}, Force: rapid.Bool().Draw(t, "force")}
		d, err := Plan(c, broker, o)
		if err != nil {
			var refused *Refused
			require.True(t, errors.As(err, &refused))
			require.NotEmpty(t, refused.Message)
			return
		}
		waiting := map[balance.TopicPartition]bool{}
		for _, w := range d.Waiting {
			waiting[w.TopicPartition] = true
		}
		moves := map[balance.TopicPartition]balance.Move{}
		for _, m := range d.Moves {
			moves[m.Name()] = m
		}
		require.Len(t, moves, len(d.Moves))
		require.Equal(t, len(Hosted(c, broker)), len(moves)+len(waiting), "every partition of the broker moves or waits")
		for i := range c.Partitions {
			p := &c.Partitions[i]
			if m, moved := moves[p.Name()]; moved {
				require.False(t, waiting[p.Name()])
				checkMove(t, c, broker, p, m, d, o)
			}
		}
	})
}

func checkMove(t *rapid.T, c *balance.Cluster, broker int32, p *balance.Partition, m balance.Move, d *Drain, o Options) {
	require.Nil(t, p.Moving)
	require.Equal(t, p.Replicas, m.From)
	require.Equal(t, p.Leader, m.FromLeader)
	require.NotContains(t, m.To, broker)
	reduced := slices.Contains(d.ReducedFactor, p.Name())
	collapsed := slices.ContainsFunc(d.RackCollapses, func(r RackCollapse) bool { return r.TopicPartition == p.Name() })
	require.Equal(t, len(m.To) < len(m.From), reduced)
	require.LessOrEqual(t, len(m.To), len(m.From))
	require.Equal(t, !reduced && (racksOf(c, m.To, "") < racksOf(c, m.From, "") || racksOf(c, m.To, "?") < racksOf(c, m.From, "?")), collapsed)
	require.True(t, o.Force || !reduced && !collapsed)
	if reduced {
		minISR := 1
		for _, topic := range c.Topics {
			if topic.Name == p.Topic {
				minISR = max(1, int(topic.MinISR))
			}
		}
		require.GreaterOrEqual(t, len(m.To), minISR)
		require.Len(t, m.To, activeBut(c, broker)+maintained(c, p, m.To), "as many replicas as there are brokers")
	}
	for i, b := range m.To {
		require.NotContains(t, m.To[:i], b)
		broker := c.Brokers[b-1]
		require.NotEqual(t, balance.Unavailable, broker.State)
		if !slices.Contains(m.From, b) {
			require.Equal(t, balance.Active, broker.State)
		}
	}
	require.Equal(t, m.To[0], m.ToLeader)
	if slices.Contains(m.From, m.ToLeader) && m.ToLeader != m.FromLeader {
		require.True(t, slices.Contains(p.ISR, m.ToLeader) || reduced, "an old replica leads only in sync")
	}
}

// racksOf counts racks, an unknown one as the rack given or, with "", not at all.
func racksOf(c *balance.Cluster, set []int32, unknown string) int {
	racks := map[string]bool{}
	for _, b := range set {
		r := c.Brokers[b-1].Rack
		if r == "" {
			r = unknown
		}
		if r != "" {
			racks[r] = true
		}
	}
	return len(racks)
}

func activeBut(c *balance.Cluster, broker int32) (n int) {
	for _, b := range c.Brokers {
		if b.ID != broker && b.State == balance.Active {
			n++
		}
	}
	return n
}

func maintained(c *balance.Cluster, p *balance.Partition, set []int32) (n int) {
	for _, b := range set {
		if c.Brokers[b-1].State == balance.Maintenance && slices.Contains(p.ISR, b) {
			n++
		}
	}
	return n
}

// A forced drain never does worse than an unforced one that is possible.
func TestForceChangesNothingWhereItIsNotNeeded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCluster(t)
		broker := rapid.SampledFrom(c.Brokers).Draw(t, "drained").ID
		if plain, err := Plan(c, broker, Options{}); err == nil {
			forced, err := Plan(c, broker, Options{Force: true})
			require.NoError(t, err)
			require.Equal(t, plain, forced)
		}
	})
}

func TestShuffledInputGivesTheSameDrain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCluster(t)
		broker := rapid.SampledFrom(c.Brokers).Draw(t, "drained").ID
		want, wantErr := Plan(c, broker, Options{Force: true})
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		r.Shuffle(len(c.Brokers), func(i, j int) { c.Brokers[i], c.Brokers[j] = c.Brokers[j], c.Brokers[i] })
		r.Shuffle(len(c.Partitions), func(i, j int) { c.Partitions[i], c.Partitions[j] = c.Partitions[j], c.Partitions[i] })
		r.Shuffle(len(c.Topics), func(i, j int) { c.Topics[i], c.Topics[j] = c.Topics[j], c.Topics[i] })
		got, err := Plan(c, broker, Options{Force: true})
		require.Equal(t, wantErr, err)
		require.Equal(t, want, got)
	})
}

func TestPlanLeavesTheReadingAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCluster(t)
		before := deepCopy(c)
		_, _ = Plan(c, 1, Options{Force: true})
		require.Equal(t, before, c)
	})
}

func deepCopy(c *balance.Cluster) *balance.Cluster {
	out := *c
	out.Brokers, out.Topics, out.Partitions = slices.Clone(c.Brokers), slices.Clone(c.Topics), slices.Clone(c.Partitions)
	for i := range out.Partitions {
		p := &out.Partitions[i]
		p.Replicas, p.ISR = slices.Clone(p.Replicas), slices.Clone(p.ISR)
	}
	return &out
}

// Once the moves are made, draining the broker again moves nothing.
func TestADrainedBrokerIsEmpty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCluster(t)
		broker := rapid.SampledFrom(c.Brokers).Draw(t, "drained").ID
		d, err := Plan(c, broker, Options{Force: true})
		if err != nil {
			return
		}
		for _, m := range d.Moves {
			i := slices.IndexFunc(c.Partitions, func(p balance.Partition) bool { return p.Name() == m.Name() })
			c.Partitions[i].Replicas, c.Partitions[i].ISR, c.Partitions[i].Leader = m.To, m.To, m.ToLeader
		}
		again, err := Plan(c, broker, Options{Force: true})
		require.NoError(t, err)
		require.Empty(t, again.Moves)
		require.Equal(t, d.Waiting, again.Waiting)
		require.Len(t, Hosted(c, broker), len(d.Waiting))
	})
}
