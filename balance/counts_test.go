package balance

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// counted makes a cluster whose brokers 1, 2 … lead as many partitions as told; followers go round evenly.
func counted(leaders ...int) *Cluster {
	c := &Cluster{}
	n := int32(len(leaders))
	for b := range n {
		c.Brokers = append(c.Brokers, Broker{ID: b + 1})
	}
	id := int32(0)
	for b, count := range leaders {
		for range count {
			r := []int32{int32(b) + 1, (int32(b)+1+id%(n-1))%n + 1}
			c.Partitions = append(c.Partitions, Partition{Topic: fmt.Sprintf("t%03d", id), Leader: r[0], Replicas: r, ISR: r})
			id++
		}
	}
	return c
}

// Row PLAN-07, as an operator would try it: what each count leads to.
func TestSmallCountFixes(t *testing.T) {
	for _, tt := range []struct {
		name    string
		leaders []int
		changes int
		says    string
	}{
		{"one leader beyond 10%, another broker at 7%: one changes", []int{112, 106, 94, 93, 95}, 1, "Broker 1 is 11% above its fair share of leaders."},
		{"two beyond: two change", []int{113, 100, 96, 95, 96}, 2, "Broker 1 is 12% above its fair share of leaders."},
		{"five beyond: the whole cluster is evened", []int{116, 107, 92, 92, 93}, 11, "Broker 1 is 15% above its fair share of leaders."},
		{"nobody beyond: nothing", []int{110, 105, 95, 95, 95}, 0, "Every broker is within 10%"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Propose(counted(tt.leaders...), Policy{})
			require.NoError(t, err)
			require.Contains(t, p.Message, tt.says)
			require.Equal(t, tt.changes, p.LeaderChanges(), p.Message)
			require.Zero(t, p.CopyBytes())
			for i := range p.After.Brokers {
				require.LessOrEqual(t, p.After.Brokers[i].Loads[Leaders].Distance, 0.1+1e-9)
			}
		})
	}
}

// Broker 1 leads one partition too many, and all that it leads moved a short while ago: the fix waits, and says for what.
func TestASmallCountFixWaitsForRecentMoves(t *testing.T) {
	c := counted(112, 106, 94, 93, 95)
	for i := range c.Partitions {
		c.Partitions[i].Cooldown = c.Partitions[i].Leader == 1
	}
	p, err := Propose(c, Policy{})
	require.NoError(t, err)
	require.Equal(t, AtLimit, p.Status)
	require.Empty(t, p.Moves)
	require.Equal(t, "Pilot can't even out leaders any further.", p.Message)
	require.Equal(t, CauseRecentMoves, p.Limits[0].Cause)
	require.Equal(t, "Leaders on broker 1 are 11% above their fair share and at their limit: only partitions that moved a short while ago could change it.", p.Limits[0].Reason)
}
