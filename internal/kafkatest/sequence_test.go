package kafkatest

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestWhatAConsumerMaySee(t *testing.T) {
	type record struct {
		offset int64
		number uint64
	}
	for name, row := range map[string]struct {
		records                                 []record
		end                                     uint64
		consumed, gaps, duplicates, redelivered int64
	}{
		"all in order":                     {[]record{{7, 0}, {8, 1}, {9, 2}}, 3, 3, 0, 0, 0},
		"offsets of other records between": {[]record{{7, 0}, {9, 1}, {30, 2}}, 3, 3, 0, 0, 0},
		"two lost in the middle":           {[]record{{0, 0}, {1, 3}}, 4, 2, 2, 0, 0},
		"the first lost":                   {[]record{{0, 1}}, 2, 1, 1, 0, 0},
		"the last two lost":                {[]record{{0, 0}}, 3, 1, 2, 0, 0},
		"nothing came":                     {nil, 5, 0, 5, 0, 0},
		"read again after a rebalance":     {[]record{{0, 0}, {1, 1}, {0, 0}, {1, 1}, {2, 2}}, 3, 3, 0, 0, 2},
		"in the log twice":                 {[]record{{0, 0}, {1, 1}, {2, 1}, {3, 2}}, 3, 3, 0, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := sequence{lastOffset: -1}
			for _, r := range row.records {
				s.read(r.offset, r.number)
			}
			s.finish(row.end)
			require.True(t, s.reached(row.end))
			require.Equal(t, []int64{row.consumed, row.gaps, row.duplicates, row.redelivered},
				[]int64{s.consumed, s.gaps, s.duplicates, s.redelivered})
		})
	}
}

// Whatever is dropped from a log, each number is either consumed or a gap.
func TestEveryNumberIsConsumedOrAGap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kept := rapid.SliceOf(rapid.Bool()).Draw(t, "kept")
		s := sequence{lastOffset: -1}
		lost := int64(0)
		for i, keep := range kept {
			if !keep {
				lost++
				continue
			}
			s.read(int64(i), uint64(i))
			if rapid.Bool().Draw(t, "again") {
				s.read(int64(i), uint64(i))
			}
		}
		s.finish(uint64(len(kept)))
		require.Equal(t, lost, s.gaps)
		require.Equal(t, int64(len(kept))-lost, s.consumed)
		require.Zero(t, s.duplicates)
	})
}

func TestARecordKnowsItsLoad(t *testing.T) {
	value := numberedRecord(make([]byte, 40), 11, 22)
	number, ours := numberOf(value, 11)
	require.True(t, ours)
	require.EqualValues(t, 22, number)
	_, ours = numberOf(value, 12)
	require.False(t, ours, "another load")
	_, ours = numberOf(value[:15], 11)
	require.False(t, ours, "too short")
}

func TestALoadThatCannotBeIsRefused(t *testing.T) {
	c := &Cluster{}
	_, err := c.StartLoad(LoadConfig{Streams: []Stream{{Topic: "a", Messages: 0}}})
	require.ErrorContains(t, err, "stream a-0")
	_, err = c.StartLoad(LoadConfig{Streams: Streams("a", 1, 1, 1), Groups: []Group{{Name: "g", Topics: []string{"b"}}}})
	require.ErrorContains(t, err, "group g reads topic b, which no stream writes")
}
