package safety

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kafka-pilot/pilot/balance"
)

// anyRacks draws brokers 1 to n in racks that may be unknown, and which of them are alive and active.
func anyRacks(t *rapid.T) (c *balance.Cluster, alive []int32) {
	c = &balance.Cluster{}
	for id := range int32(rapid.IntRange(3, 7).Draw(t, "brokers")) {
		b := balance.Broker{ID: id + 1, Rack: rapid.SampledFrom([]string{"", "a", "b", "c"}).Draw(t, "rack")}
		if rapid.IntRange(0, 4).Draw(t, "down") > 0 {
			alive = append(alive, b.ID)
		}
		if rapid.IntRange(0, 5).Draw(t, "maintenance") == 0 {
			b.State = balance.Maintenance
		}
		c.Brokers = append(c.Brokers, b)
	}
	return c, alive
}

// A partition is skipped only when no set of brokers would do, which is found out here by trying them all.
func TestSkippingIsTheLastResort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, alive := anyRacks(t)
		var ids []int32
		for _, b := range c.Brokers {
			ids = append(ids, b.ID)
		}
		from := rapid.Permutation(ids).Draw(t, "from")[:2]
		to := rapid.Permutation(ids).Draw(t, "to")[:2]
		if sameSet(from, to) {
			return
		}
		c.Partitions = []balance.Partition{{Topic: "orders", Replicas: from, ISR: from, Leader: from[0]}}
		got := Substitute(c, alive, []balance.Move{move(balance.MoveRepair, from, to)})
		require.Equal(t, 1, len(got.Moves)+len(got.Skipped))
		require.False(t, got.Altered, "a repair is no optional move")
		if len(got.Skipped) == 0 || possibleSets(c, alive, from, to) == 0 {
			return
		}
		require.Contains(t, got.Skipped[0].Reason, "nothing changes")
	})
}

// possibleSets counts the pairs that keep the usable part of the target, and the racks.
func possibleSets(c *balance.Cluster, alive, from, to []int32) (n int) {
	s := newSubstituter(c, alive)
	m := move(balance.MoveRepair, from, to)
	for _, a := range c.Brokers {
		for _, b := range c.Brokers {
			set := []int32{a.ID, b.ID}
			ok := a.ID < b.ID
			for _, id := range set {
				ok = ok && (s.healthy(id) || slices.Contains(to, id) && s.usable(&m, id))
			}
			for _, id := range to {
				ok = ok && (!s.usable(&m, id) || slices.Contains(set, id))
			}
			now, then := s.racks(from), s.racks(set)
			if ok && then.known >= now.known && then.all >= now.all {
				n++
			}
		}
	}
	return n
}

// The worst case that an advisory names is what removing each rack in turn from evenly spread replicas finds.
func TestRackLossIsTheWorstCase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		racks := rapid.IntRange(2, 4).Draw(t, "racks")
		factor := rapid.IntRange(racks+1, 9).Draw(t, "factor")
		minISR := int32(rapid.IntRange(1, 9).Draw(t, "minISR"))
		c := &balance.Cluster{Topics: []balance.Topic{{Name: "orders", MinISR: minISR}}}
		p := balance.Partition{Topic: "orders"}
		inRack := make([]int, racks)
		for id := range factor {
			inRack[id%racks]++
			c.Brokers = append(c.Brokers, balance.Broker{ID: int32(id), Rack: string(rune('a' + id%racks))})
			p.Replicas = append(p.Replicas, int32(id))
		}
		c.Partitions = []balance.Partition{p}
		left := factor - slices.Max(inRack)
		got := RackSafety(c)
		if left >= int(minISR) {
			require.Nil(t, got)
			return
		}
		require.NotNil(t, got)
		require.Equal(t, rackWarning, got.Severity)
		require.Equal(t, &RackLoss{Topic: "orders", Survivors: left, MinISR: minISR}, got.WorstCase)
	})
}

// Whatever comes together, hard findings come first, each code once, and force leaves exactly the hard ones.
func TestFindingsAreInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := healthy()
		h.Controller = ControllerState(rapid.IntRange(0, 2).Draw(t, "controller"))
		h.Alive = h.Alive[:rapid.IntRange(0, 4).Draw(t, "alive")]
		r := Request{
			RollingRestart: rapid.Bool().Draw(t, "restart"), ExternalThrottles: rapid.Bool().Draw(t, "throttles"),
			Altered: rapid.Bool().Draw(t, "altered"), PlannedOn: "x", Placement: rapid.SampledFrom([]string{"x", "y"}).Draw(t, "placement"),
			Receivers: rapid.SliceOfN(rapid.Int32Range(1, 4), 0, 3).Draw(t, "receivers"),
		}
		if rapid.Bool().Draw(t, "foreign") {
			h.InFlight = []balance.TopicPartition{part("logs", 7)}
		}
		all := Check(h, History{}, r)
		forced := Blocking(all, true)
		require.Equal(t, all[:len(forced)], append([]Finding{}, forced...))
		seen := map[Code]bool{}
		for i, f := range all {
			require.Equal(t, i < len(forced), f.Hard)
			require.False(t, seen[f.Code])
			seen[f.Code] = true
			require.NotEmpty(t, f.Message)
		}
		require.Equal(t, h.Controller != ControllerHealthy, seen[ControllerDown])
		require.Equal(t, len(h.Alive) < 2, seen[MajorityDown])
		require.Equal(t, r.RollingRestart, seen[RollingRestart])
		require.Equal(t, r.Placement == "y", seen[StaleFingerprint])
	})
}
