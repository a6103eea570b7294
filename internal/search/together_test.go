package search

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/internal/dense"
)

// led makes a problem of three brokers from partitions of two replicas: who leads, who follows, and the messages.
func led(list ...[3]int64) *Problem {
	m := &dense.Model{Brokers: 3, Racks: 1, Rack: make([]int32, 3), Receives: []bool{true, true, true}, First: []int32{0}}
	for q, x := range list {
		m.At, m.Size, m.CanLead = append(m.At, int32(x[0]), int32(x[1])), append(m.Size, 1, 1), append(m.CanLead, true, true)
		m.First, m.Lead = append(m.First, int32(2*q+2)), append(m.Lead, int32(2*q))
		m.Copy, m.Fixed, m.Topic = append(m.Copy, 1), append(m.Fixed, false), append(m.Topic, 0)
		m.Use = append(m.Use, [4]int64{x[2]})
	}
	m.Topics = []dense.Topic{{End: int32(len(list))}}
	p := &Problem{Model: m, LeadersOnly: true}
	for range 3 * dense.Loads {
		p.Cells = append(p.Cells, Cell{HardHigh: math.MaxInt64, High: math.MaxInt64})
	}
	return p
}

// within sets the box of one load on every broker.
func within(p *Problem, load int, low, high int64, weight float64) {
	for b := range 3 {
		p.Cells[b*dense.Loads+load] = Cell{HardLow: low, HardHigh: high, Low: low, High: high, Inverse: 1.0 / float64(max(high, 1)), Weight: weight}
	}
}

// ring has one leader on each broker, whose messages have to go round: what 0 leads fits 1 alone, and so on. No two
// brokers share two partitions, so no exchange of two is possible, and counts forbid a hand-over.
func ring() *Problem {
	p := led([3]int64{0, 1, 30}, [3]int64{1, 2, 10}, [3]int64{2, 0, 20})
	within(p, dense.Leaders, 1, 1, 1)
	for b, want := range []int64{20, 30, 10} {
		p.Cells[b*dense.Loads+dense.Rates] = Cell{HardHigh: math.MaxInt64, Low: want, High: want, Inverse: 0.05, Weight: 1}
	}
	return p
}

func TestARotationDoesWhatNoExchangeCan(t *testing.T) {
	s := newState(ring(), 0)
	require.False(t, s.handOver(0) || s.exchange(0))
	require.True(t, s.rotate(0))
	require.Zero(t, s.total)
	require.Equal(t, []int32{1, 3, 5}, s.lead)
}

// Broker 0 leads two and should lead three, and its messages are at their most: it has to take two light ones for a
// heavy one.
func TestATradeTakesTwoForOne(t *testing.T) {
	p := led([3]int64{0, 1, 50}, [3]int64{0, 1, 50}, [3]int64{1, 0, 25}, [3]int64{1, 0, 20}, [3]int64{1, 0, 90}, [3]int64{2, 0, 80})
	for b, low := range []int64{3, 0, 0} {
		p.Cells[b*dense.Loads+dense.Leaders] = Cell{HardHigh: math.MaxInt64, Low: low, High: math.MaxInt64, Inverse: 0.5, Weight: 1}
	}
	p.Cells[dense.Rates].HardHigh, p.Cells[dense.Rates].High = 100, 100
	s := newState(p, 0)
	require.False(t, s.handOver(0) || s.exchange(0) || s.rotate(0))
	require.True(t, s.trade(0))
	require.Zero(t, s.total)
	require.EqualValues(t, 3, s.load[dense.Leaders])
	require.EqualValues(t, 95, s.load[dense.Rates])
}

// Two hand-overs where one is enough: what went from 0 to 1 and from 1 to 2 goes from 0 to 2.
func TestADetourIsCutShort(t *testing.T) {
	p := led([3]int64{0, 1, 10}, [3]int64{1, 2, 10}, [3]int64{0, 2, 10}, [3]int64{0, 2, 10})
	within(p, dense.Leaders, 1, 2, 1)
	s := newState(p, 0)
	s.give(1)
	s.give(3)
	require.Equal(t, 1, s.pruneDetours())
	require.Equal(t, []int32{0, 2, 5, 6}, s.lead)
}
