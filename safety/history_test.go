package safety

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kafka-pilot/pilot/balance"
)

// look reads one line of a script: seconds since noon, then what is shrunk, as partition or partition:brokers that are
// out, and !broker for one that is down.
func look(t *testing.T, line string) Health {
	h := healthy()
	for i, word := range strings.Fields(line) {
		var seconds int
		var id, broker int32
		switch {
		case i == 0:
			_, err := fmt.Sscanf(word, "%ds", &seconds)
			require.NoError(t, err)
			h.At = noon.Add(time.Duration(seconds) * time.Second)
		case word[0] == '!':
			_, err := fmt.Sscanf(word, "!%d", &broker)
			require.NoError(t, err)
			h.Alive = slices.DeleteFunc(slices.Clone(h.Alive), func(b int32) bool { return b == broker })
		default:
			name, out, _ := strings.Cut(word, ":")
			_, err := fmt.Sscanf(name, "p%d", &id)
			require.NoError(t, err)
			p := ShrunkPartition{TopicPartition: part("orders", id), Replicas: 3, InSync: 2}
			for _, b := range strings.Split(out, ",") {
				if _, err := fmt.Sscanf(b, "%d", &broker); err == nil {
					p.Out = append(p.Out, broker)
				}
			}
			h.Shrunk = append(h.Shrunk, p)
		}
	}
	return h
}

func TestSustainedShrink(t *testing.T) {
	cases := []struct {
		name  string
		looks []string
		want  string
	}{
		{"a shrink of two minutes counts", []string{"0s p1:2", "30s p1:2", "60s p1:2", "90s p1:2", "120s p1:2"}, "orders-1"},
		{"a shrink of less than two minutes does not", []string{"0s p1:2", "60s p1:2", "119s p1:2"}, ""},
		{"the first look starts the clock", []string{"0s p1:2"}, ""},
		{"one look in sync starts it again", []string{"0s p1:2", "60s p1:2", "90s", "100s p1:2", "180s p1:2"}, ""},
		{"another partition starts its own", []string{"0s p1:2", "60s p1:2 p2:3", "120s p1:2 p2:3", "180s p2:3"}, "orders-2"},
		{"two looks are too few", []string{"0s p1:2", "120s p1:2"}, ""},
		{"looks too far apart prove nothing", []string{"0s p1:2", "60s p1:2", "181s p1:2"}, ""},
		{"a partition whose missing replica changes is still shrunk", []string{"0s p1:2", "60s p1:3", "120s p1:2"}, "orders-1"},
		{"a lost broker explains a shrink", []string{"0s !2 p1:2", "60s !2 p1:2", "120s !2 p1:2"}, ""},
		{"but not one on a broker that lives", []string{"0s !2 p1:2,3", "60s !2 p1:2,3", "120s !2 p1:2,3"}, "orders-1"},
		{"catching up after a return counts from the return", []string{"0s !2 p1:2", "60s p1:2", "120s p1:2", "179s p1:2"}, ""},
		{"and blocks when it lasts", []string{"0s !2 p1:2", "60s p1:2", "120s p1:2", "180s p1:2"}, "orders-1"},
		{"unknown missing replicas are nobody's excuse", []string{"0s !2 p1", "60s !2 p1", "120s !2 p1"}, "orders-1"},
		{"a look that comes late is ignored", []string{"0s p1:2", "60s p1:2", "30s", "120s p1:2"}, "orders-1"},
		{"it ends with the first look in sync", []string{"0s p1:2", "60s p1:2", "120s p1:2", "121s"}, ""},
	}
	for _, c := range cases {
		var h History
		for _, line := range c.looks {
			h = h.Next(look(t, line))
		}
		var got []string
		for _, p := range h.Sustained() {
			got = append(got, p.String())
		}
		assert.Equal(t, c.want, strings.Join(got, " "), c.name)
	}
}

// A naive twin that keeps every look agrees with the folded history.
func TestHistoryEqualsLookingBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h History
		var looks []Health
		at := noon
		for range rapid.IntRange(1, 12).Draw(t, "looks") {
			at = at.Add(time.Duration(rapid.IntRange(1, 130).Draw(t, "seconds")) * time.Second)
			l := healthy()
			l.At = at
			for id := range int32(3) {
				if rapid.IntRange(0, 3).Draw(t, "shrunk") > 0 {
					l.Shrunk = append(l.Shrunk, ShrunkPartition{TopicPartition: part("t", id), Out: []int32{2}})
				}
			}
			looks = append(looks, l)
			h = h.Next(l)
			var want []balance.TopicPartition
			for id := range int32(3) {
				if sustainedSince(looks, part("t", id)) {
					want = append(want, part("t", id))
				}
			}
			require.Equal(t, want, h.Sustained())
		}
	})
}

func sustainedSince(looks []Health, p balance.TopicPartition) bool {
	last := len(looks) - 1
	for i := last; i >= 0; i-- {
		if !slices.ContainsFunc(looks[i].Shrunk, func(s ShrunkPartition) bool { return s.TopicPartition == p }) {
			return false
		}
		if last-i+1 >= sustainedLooks && looks[last].At.Sub(looks[i].At) >= sustainedAfter {
			return true
		}
		if i > 0 && looks[i].At.Sub(looks[i-1].At) > sustainedAfter {
			return false
		}
	}
	return false
}

func TestHistoryIsAValue(t *testing.T) {
	one := History{}.Next(look(t, "0s p1:2")).Next(look(t, "60s p1:2"))
	blocked, recovered := one.Next(look(t, "120s p1:2")), one.Next(look(t, "120s"))
	assert.Len(t, blocked.Sustained(), 1)
	assert.Empty(t, recovered.Sustained())
	assert.Empty(t, one.Sustained())
}
