package reassign

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kafka-pilot/pilot/balance"
)

// move makes a move of a balance plan whose first target replica leads.
func move(partition string, from, to []int32) balance.Move {
	n := name(partition)
	return balance.Move{
		Topic: n.Topic, Partition: n.Partition, From: from, To: to, FromLeader: from[0], ToLeader: to[0],
		Kind: balance.MoveBalance, CopyBytes: 1_000_000 * int64(len(without(to, from))),
	}
}

func TestNextReplicas(t *testing.T) {
	racks := map[int32]string{1: "a", 2: "b", 3: "c", 4: "a", 5: "b", 6: "c"}
	tests := []struct {
		name    string
		now, to []int32
		leader  int32
		dead    []int32
		want    []int32
	}{
		{"one replica: at once", []int32{1, 2, 3}, []int32{4, 2, 3}, 1, nil, []int32{4, 2, 3}},
		{"a new order: at once", []int32{1, 2, 3}, []int32{3, 2, 1}, 1, nil, []int32{3, 2, 1}},
		{"nothing to do", []int32{1, 2, 3}, []int32{1, 2, 3}, 1, nil, []int32{1, 2, 3}},
		{"two replicas: the one that does not lead, in its rack", []int32{1, 2, 3}, []int32{4, 5, 3}, 1, nil, []int32{1, 5, 3}},
		{"another leader: the preferred one goes after it", []int32{1, 2, 3}, []int32{4, 5, 3}, 2, nil, []int32{2, 4, 3}},
		{"three: racks before all", []int32{1, 2, 3}, []int32{6, 4, 5}, 1, nil, []int32{1, 2, 6}},
		{"the last two at once when only one is new", []int32{1, 2, 3}, []int32{4}, 1, nil, []int32{4}},
		{"growing: replace first", []int32{1, 2}, []int32{4, 2, 3}, 1, nil, []int32{4, 2}},
		{"growing by two: one at a time", []int32{1}, []int32{1, 2, 3}, 1, nil, []int32{1, 2}},
		{"shrinking alone: at once", []int32{1, 2, 3}, []int32{2, 3}, 1, nil, []int32{2, 3}},
		{"shrinking and replacing two: the factor falls last", []int32{1, 2, 3}, []int32{4, 5}, 1, nil, []int32{1, 5, 3}},
		{"the dead one first", []int32{1, 2, 3}, []int32{4, 2, 6}, 1, []int32{3}, []int32{1, 2, 6}},
		{"a dead leader", []int32{1, 2, 3}, []int32{4, 5, 3}, 2, []int32{1}, []int32{2, 4, 3}},
		{"two dead ones together", []int32{1, 2, 3}, []int32{4, 5, 6}, 1, []int32{2, 3}, []int32{1, 5, 6}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			alive := func(b int32) bool { return !slices.Contains(tt.dead, b) }
			require.Equal(t, tt.want, nextReplicas(tt.now, tt.to, terrain{tt.leader, alive, racks}))
		})
	}
}

// TestWayIsSafe walks random ways: each step adds one copy at most, no step has fewer replicas than both ends or fewer
// racks than both ends, and the way ends.
func TestWayIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		racks := map[int32]string{}
		for b := range int32(10) {
			racks[b] = rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "rack")
		}
		list := rapid.SliceOfNDistinct(rapid.Int32Range(0, 9), 1, 5, rapid.ID)
		from, to := list.Draw(t, "from"), list.Draw(t, "to")
		dead := rapid.SliceOfNDistinct(rapid.SampledFrom(from), 0, len(from)-1, rapid.ID).Draw(t, "dead")
		dead = without(dead, to)
		way := terrain{from[0], func(b int32) bool { return !slices.Contains(dead, b) }, racks}
		fewest, leastRacks := min(len(from), len(to)), min(way.countRacks(without(from, dead)), way.countRacks(to))
		now := from
		for steps := 0; !slices.Equal(now, to); steps++ {
			require.Less(t, steps, 10, "the way does not end")
			next := nextReplicas(now, to, way)
			copies := without(union(now, next), dead)
			require.LessOrEqual(t, len(copies), max(len(from), len(to)-1)+1, "%v to %v", now, next)
			require.GreaterOrEqual(t, len(next), fewest, "%v to %v", now, next)
			require.GreaterOrEqual(t, way.countRacks(next), leastRacks, "%v to %v", now, next)
			require.NoError(t, checkReplicas(next))
			require.Empty(t, without(dead, without(dead, next)), "Kafka completes no step that keeps a dead replica: %v", next)
			now = next
		}
	})
}
