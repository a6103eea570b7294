package search

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The pool keeps the best of what it is offered, whatever the order, and may refuse only what would not be among them.
func TestPoolKeepsTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 5).Draw(t, "most")
		ranks := rapid.SliceOf(rapid.Int64Range(-20, 5)).Draw(t, "ranks")
		var p pool
		p.reset(most)
		var all []candidate
		for n, rank := range ranks {
			c := candidate{rank: rank, a: int32(n)}
			if rank < 0 {
				all = append(all, c)
			}
			if p.wants(rank) {
				p.offer(c)
			}
		}
		slices.SortFunc(all, func(x, y candidate) int { return cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(x.a, y.a)) })
		var want, got []int64
		for _, c := range all[:min(most, len(all))] {
			want = append(want, c.rank)
		}
		for _, c := range p.best() {
			got = append(got, c.rank)
		}
		require.Equal(t, want, got)
	})
}

// A broker is visited as long as visits help, and again once its loads change.
func TestWorklist(t *testing.T) {
	s := &state{Problem: ring()}
	*s = *newState(s.Problem, 0)
	s.broker = []int64{500, 900, 0}
	s.work.reset(s)
	require.EqualValues(t, 1, s.work.next(s), "the worst first")
	s.work.visited(s, 1, false)
	require.EqualValues(t, 0, s.work.next(s))
	s.work.visited(s, 0, false)
	require.EqualValues(t, -1, s.work.next(s), "broker 2 is even")
	s.work.touch(1)
	require.EqualValues(t, 1, s.work.next(s))
	for range markEvery {
		s.work.visited(s, 1, true)
	}
	require.EqualValues(t, -1, s.work.next(s), "eight visits that gain nothing are enough")
}
