package profile

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const (
	gbit = 1.25e8
	tib  = 1 << 40
)

func TestEachSettingResolvesOnItsOwn(t *testing.T) {
	cases := []struct {
		name    string
		rules   string
		broker  Broker
		network float64 // Gbit/s
		disk    float64 // TiB
	}{
		{"the default", mixedFleet, Broker{ID: 1, Rack: "eu-west-1a", Host: "kafka-1"}, 10, 2},
		{"a rack", mixedFleet, Broker{ID: 1, Rack: "eu-west-1c", Host: "kafka-1"}, 25, 2},
		{"a host", mixedFleet, Broker{ID: 1, Rack: "eu-west-1a", Host: "kafka-big-1"}, 25, 2},
		{"an ID, and the rest from the rack", mixedFleet, Broker{ID: 8, Rack: "eu-west-1c", Host: "kafka-8"}, 25, 8},
		{"an ID beside the range", mixedFleet, Broker{ID: 10, Rack: "eu-west-1a", Host: "kafka-10"}, 10, 2},
		{"broker before host before rack, whatever the order",
			"broker=1: disk=8TiB\nhost=*: disk=4TiB network=4Gbit/s\nrack=*: disk=3TiB network=3Gbit/s\ndisk=1TiB network=1Gbit/s", Broker{ID: 1, Rack: "a", Host: "h"}, 4, 8},
		{"of the same kind the later, whatever the pattern",
			"network=1Gbit/s disk=1TiB\nrack=eu-*: disk=4TiB\nrack=eu-west-1c: network=25Gbit/s\nrack=eu-*: network=40Gbit/s", Broker{Rack: "eu-west-1c"}, 40, 4},
		{"no rack, no rack rule", "disk=1TiB\nrack=*: disk=2TiB", Broker{ID: 1}, 0, 1},
		{"nothing", "", Broker{ID: 1}, 0, 0},
	}
	for _, c := range cases {
		p, err := ParseFile(c.rules)
		require.NoError(t, err, c.name)
		assert.Equal(t, []Capacity{{c.broker.ID, c.network * gbit, c.disk * tib}}, p.Resolve([]Broker{c.broker}), c.name)
	}
}

func TestResolveSortsByBroker(t *testing.T) {
	p, err := Parse("disk=1TiB")
	require.NoError(t, err)
	got := p.Resolve([]Broker{{ID: 3}, {ID: 1}})
	assert.EqualValues(t, 1, got[0].Broker)
	assert.EqualValues(t, 3, got[1].Broker)
}

// Every broker resolves to a value that some matching rule sets, and no matching rule of a higher kind, or later one of
// the same kind, sets another.
func TestResolutionFollowsThePrecedence(t *testing.T) {
	selectors := []string{"", "rack=a", "rack=*", "host=h1", "host=h?", "broker=1", "broker=1-2"}
	rapid.Check(t, func(t *rapid.T) {
		text := "disk=1TiB"
		type written struct {
			s    selector
			disk float64
		}
		all := []written{{disk: tib}}
		for i, pick := range rapid.SliceOfNDistinct(rapid.IntRange(1, len(selectors)-1), 0, 6, rapid.ID[int]).Draw(t, "rules") {
			s, err := parseSelector(selectors[pick])
			require.NoError(t, err)
			all = append(all, written{s, float64(i+2) * tib})
			text += "; " + selectors[pick] + ": disk=" + string(rune('2'+i)) + "TiB"
		}
		p, err := Parse(text)
		require.NoError(t, err)
		b := Broker{ID: rapid.Int32Range(0, 3).Draw(t, "id"), Host: rapid.SampledFrom([]string{"h1", "h2", "x"}).Draw(t, "host"), Rack: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "rack")}
		best := all[0]
		for _, w := range all {
			if w.s.matches(b) && w.s.kind >= best.s.kind {
				best = w
			}
		}
		require.Equal(t, best.disk, p.Resolve([]Broker{b})[0].Disk)
	})
}
