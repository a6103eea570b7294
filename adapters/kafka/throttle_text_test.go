package kafka

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kafka-pilot/pilot/reassign"
)

type list = []reassign.ThrottleEntry

func entry(partition, broker int32) reassign.ThrottleEntry {
	return reassign.ThrottleEntry{Partition: partition, Broker: broker}
}

func TestListsOfThrottledReplicas(t *testing.T) {
	for _, row := range []struct {
		text string
		set  bool
		want reassign.ThrottleList
	}{
		{"", false, reassign.ThrottleList{}},
		{"0:1", false, reassign.ThrottleList{}}, // a default value, say
		{"", true, reassign.ThrottleList{Set: true}},
		{"*", true, reassign.ThrottleList{Set: true, All: true}},
		{"0:1", true, reassign.ThrottleList{Set: true, Entries: list{entry(0, 1)}}},
		{" 0:1, 17:1003 ", true, reassign.ThrottleList{Set: true, Entries: list{entry(0, 1), entry(17, 1003)}}},
	} {
		got, err := parseList(row.text, row.set)
		require.NoError(t, err)
		require.Equal(t, row.want, got, "%q", row.text)
	}
	for _, text := range []string{"0", "0:", ":1", "0:1,", "0:1,*", "a:b", "0:1:2", "0:99999999999"} {
		_, err := parseList(text, true)
		require.ErrorContains(t, err, "is no partition:broker", "%q", text)
	}
}

func FuzzParseList(f *testing.F) {
	for _, text := range []string{"", "*", "0:1,2:3", "0:1,", " 4:5 ", "-1:-2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := parseList(text, true)
		if err != nil || parsed.All {
			return
		}
		again, err := parseList(formatList(parsed.Entries), true)
		require.NoError(t, err)
		require.Equal(t, parsed, again)
	})
}

// A list is a set that Kafka keeps in order.
func TestEditingAList(t *testing.T) {
	entries := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) reassign.ThrottleEntry {
		return entry(rapid.Int32Range(0, 3).Draw(t, "partition"), rapid.Int32Range(1, 3).Draw(t, "broker"))
	}), 0, 8)
	rapid.Check(t, func(t *rapid.T) {
		have, add, drop := distinct(entries.Draw(t, "have")), entries.Draw(t, "add"), entries.Draw(t, "drop")
		before := slices.Clone(have)
		got := edited(have, add, drop)
		require.Equal(t, before, have, "the list given is as it was")
		require.Len(t, distinct(got), len(got), "nothing is in it twice")
		for p := range int32(4) {
			for b := range int32(4) {
				e := entry(p, b)
				want := (slices.Contains(have, e) || slices.Contains(add, e)) && !slices.Contains(drop, e)
				require.Equal(t, want, slices.Contains(got, e), "%v", e)
			}
		}
		require.True(t, showsList(&reassign.ThrottleList{Set: true, Entries: got}, add, drop), "and the change shows")
	})
}

func distinct(entries list) list { return edited(nil, entries, nil) }
