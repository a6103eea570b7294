package balance

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// thirty partitions, all led by broker 1, and the plan that evens them.
func lopsided(t *testing.T) (*Cluster, *Proposal) {
	c := &Cluster{Brokers: []Broker{{ID: 1}, {ID: 2}, {ID: 3}}}
	for i := range int32(30) {
		r := []int32{1, 2 + i%2}
		c.Partitions = append(c.Partitions, Partition{Topic: "orders", ID: i, Leader: 1, Replicas: r, ISR: r})
	}
	p, err := Propose(c, Policy{})
	require.NoError(t, err)
	require.NotEmpty(t, p.Moves)
	return c, p
}

func TestAKeptPlanIsHeldAgainstANewerReading(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(c *Cluster, p *Proposal)
		code   string
		says   string
	}{
		{"nothing changed", func(*Cluster, *Proposal) {}, "", ""},
		{"traffic moved a little", func(c *Cluster, _ *Proposal) { c.Partitions[0].ProduceBytes = 10 }, "", ""},
		{"a partition was moved by hand", func(c *Cluster, p *Proposal) {
			x := find(c, p.Moves[0].Name())
			x.Replicas, x.ISR = []int32{1, 5 - x.Replicas[1]}, []int32{1, 5 - x.Replicas[1]}
		}, CodePlacementChanged, "starts from"},
		{"a leadership went by itself", func(c *Cluster, p *Proposal) {
			x := find(c, p.Moves[0].Name())
			x.Leader = x.Replicas[1]
		}, CodePlacementChanged, "led by"},
		{"a partition is being moved", func(c *Cluster, p *Proposal) {
			find(c, p.Moves[0].Name()).Moving = &Change{}
		}, CodePlacementChanged, "being moved"},
		{"a topic was deleted", func(c *Cluster, _ *Proposal) { c.Partitions = nil }, CodePlacementChanged, "not there any more"},
		{"another broker came that the plan does nothing for", func(c *Cluster, _ *Proposal) {
			c.Brokers = append(c.Brokers, Broker{ID: 4})
		}, CodeNotCovered, "broker 1"},
		{"disks filled up on one broker", func(c *Cluster, _ *Proposal) {
			for i := range c.Partitions {
				x := &c.Partitions[i]
				x.ReplicaBytes = []int64{1 << 30, 1 << 30}
				if x.Replicas[1] == 3 {
					x.ReplicaBytes[1] = 4 << 30
				}
			}
		}, CodeNotWorthApplying, "of disk; without it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, p := lopsided(t)
			tt.change(c, p)
			got, err := Recheck(c, Policy{}, p)
			require.NoError(t, err)
			require.Equal(t, tt.code == "", got.Holds)
			if tt.code == "" {
				require.Nil(t, got.Refusal)
				return
			}
			require.Equal(t, tt.code, got.Refusal.Code, got.Refusal.Message)
			require.Contains(t, got.Refusal.Message, tt.says)
		})
	}
}

func TestAPlanToABrokerThatIsDrainedNowDoesNotHold(t *testing.T) {
	c := &Cluster{Brokers: []Broker{{ID: 1}, {ID: 2}, {ID: 3}}}
	for i := range int32(30) {
		c.Partitions = append(c.Partitions, Partition{Topic: "orders", ID: i, Leader: 1 + i%2, Replicas: []int32{1 + i%2, 2 - i%2}, ISR: []int32{1, 2}, SizeBytes: 1 << 30})
	}
	p, err := Propose(c, Policy{})
	require.NoError(t, err)
	require.NotEmpty(t, p.Moves)
	c.Brokers[2].State = Maintenance
	got, err := Recheck(c, Policy{}, p)
	require.NoError(t, err)
	require.Equal(t, CodeBrokerChanged, got.Refusal.Code)
	require.Contains(t, got.Refusal.Message, "Broker 3 is to receive")
}

func TestAnEvenedClusterNeedsItsPlanNoMore(t *testing.T) {
	c, p := lopsided(t)
	got, err := Recheck(applied(c, p.Moves), Policy{}, p)
	require.NoError(t, err)
	require.Equal(t, CodePlacementChanged, got.Refusal.Code)
	none, err := Propose(applied(c, p.Moves), Policy{})
	require.NoError(t, err)
	got, err = Recheck(applied(c, p.Moves), Policy{}, none)
	require.NoError(t, err)
	require.True(t, got.Holds, "that there is nothing to do holds")
	got, err = Recheck(c, Policy{}, none)
	require.NoError(t, err)
	require.Equal(t, CodeNotCovered, got.Refusal.Code)
}

// On the reading that it was made for every proposal holds, and the reports are the same.
func TestEveryPlanHoldsOnItsOwnReading(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCluster(t)
		policy := Policy{RackAware: rapid.Bool().Draw(t, "rackAware"), HoldTopicCaps: rapid.Bool().Draw(t, "hold")}
		p, err := Propose(c, policy)
		require.NoError(t, err)
		if len(p.Moves) == 0 {
			return
		}
		got, err := Recheck(c, policy, p)
		require.NoError(t, err)
		require.Nil(t, got.Refusal, p.Message)
		require.Equal(t, p.Before, got.Before)
		require.Equal(t, p.After, got.After)
	})
}

func find(c *Cluster, name TopicPartition) *Partition {
	for i := range c.Partitions {
		if c.Partitions[i].Name() == name {
			return &c.Partitions[i]
		}
	}
	return nil
}
