package balance

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// concentrated makes six brokers that lead sixty partitions each, of which broker 1 leads so many of the 100 of orders;
// followers are on the two brokers that come next. Others makes up the rest, so that everything else is even.
func concentrated(leads int) *Cluster {
	c := &Cluster{}
	for b := range int32(6) {
		c.Brokers = append(c.Brokers, Broker{ID: b + 1})
	}
	led := [7]int{}
	add := func(topic string, id int, b int32) {
		r := []int32{b, b%6 + 1, (b+1)%6 + 1}
		c.Partitions = append(c.Partitions, Partition{Topic: topic, ID: int32(id), Leader: b, Replicas: r, ISR: r})
		led[b]++
	}
	for id := range 100 {
		b := int32(1)
		if id >= leads {
			b = int32(2 + id%5)
		}
		add("orders", id, b)
	}
	id := 0
	for b := int32(1); b <= 6; b++ {
		for led[b] < 60 {
			add("other", id, b)
			id++
		}
	}
	c.Sort()
	return c
}

// Row PLAN-11: what a concentrated topic leads to.
func TestConcentratedTopics(t *testing.T) {
	for _, tt := range []struct {
		name   string
		leads  int
		change func(c *Cluster, p *Policy)
		status Status
		after  int // of orders on broker 1
		limit  Cause
		says   string
	}{
		{name: "21 of 100 on one of six brokers is within the cap", leads: 21, status: NoneNeeded, after: 21,
			says: "Every broker is within 10% of its fair share of every load with traffic; the farthest is 0% off."},
		{name: "40 are lowered to 21 by leadership alone", leads: 40, status: RebalanceRecommended, after: 21,
			says: "Broker 1 leads 40 of the 100 partitions of orders, more than 21. The plan leaves it 21."},
		{name: "nothing is done until the brokers have been the same for ten minutes", leads: 40, status: NoneNeeded, after: 40,
			change: func(_ *Cluster, p *Policy) { p.HoldTopicCaps = true },
			says:   "Every broker is within 10% of its fair share of every load with traffic; the farthest is 0% off."},
		{name: "what moved a short while ago stays, and is named", leads: 40, status: NoneNeeded, after: 40, limit: CauseRecentMoves,
			change: func(c *Cluster, _ *Policy) { each(c, "orders", func(p *Partition) { p.Cooldown = true }) },
			says: "Every broker is within 10% of its fair share of every load with traffic; the farthest is 0% off. Broker 1 leads 40 of the 100 partitions of orders, more than 21. " +
				"It stays so: only partitions that moved a short while ago could change it."},
		{name: "one replica each: nobody else can lead", leads: 40, status: NoneNeeded, after: 40, limit: CauseReplicaPlacement,
			change: func(c *Cluster, _ *Policy) {
				for i := range c.Partitions {
					p := &c.Partitions[i]
					p.Replicas, p.ISR = p.Replicas[:1], p.Replicas[:1]
				}
			},
			says: "Every broker is within 10% of its fair share of every load with traffic; the farthest is 0% off. Broker 1 leads 40 of the 100 partitions of orders, more than 21. " +
				"It stays so: its replicas can't be placed otherwise."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, policy := concentrated(tt.leads), Policy{}
			if tt.change != nil {
				tt.change(c, &policy)
			}
			p, err := Propose(c, policy)
			require.NoError(t, err)
			require.Equal(t, tt.status, p.Status, p.Message)
			require.Equal(t, tt.says, p.Message)
			require.Zero(t, p.CopyBytes())
			if tt.leads <= 21 {
				require.Empty(t, p.TopicSpread.Concentrated)
				return
			}
			require.Equal(t, []ConcentratedTopic{{Topic: "orders", Broker: 1, Leaders: tt.leads, After: tt.after, Partitions: 100, Cap: 21, Limit: tt.limit}},
				p.TopicSpread.Concentrated)
			for i := range p.Moves {
				require.Equal(t, MoveLeader, p.Moves[i].Kind)
			}
			for i := range p.After.Brokers {
				for m := range p.After.Brokers[i].Loads {
					require.LessOrEqual(t, p.After.Brokers[i].Loads[m].Distance, 0.05+1e-9)
				}
			}
		})
	}
}

func each(c *Cluster, topic string, change func(*Partition)) {
	for i := range c.Partitions {
		if c.Partitions[i].Topic == topic {
			change(&c.Partitions[i])
		}
	}
}

// Evening a load never concentrates a topic.
func TestNoPlanPushesATopicOverItsCap(t *testing.T) {
	c := concentrated(21)
	each(c, "other", func(p *Partition) { // broker 2 leads nothing of it: it lacks leaders
		if p.Leader == 2 {
			p.Leader = p.Replicas[1]
			p.Replicas = []int32{p.Replicas[1], 2, p.Replicas[2]}
		}
	})
	p, err := Propose(c, Policy{})
	require.NoError(t, err)
	require.Equal(t, RebalanceRecommended, p.Status)
	after := applied(c, p.Moves)
	led := map[int32]int{}
	each(after, "orders", func(p *Partition) { led[p.Leader]++ })
	for b, n := range led {
		require.LessOrEqual(t, n, 21, "broker %d", b)
	}
}
