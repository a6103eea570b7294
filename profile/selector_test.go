package profile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestSelectors(t *testing.T) {
	cases := []struct {
		selector string
		broker   Broker
		want     bool
	}{
		{"", Broker{}, true},
		{"rack=a", Broker{Rack: "a", Host: "b"}, true},
		{"rack=a", Broker{Rack: "b", Host: "a"}, false},
		{"rack=*", Broker{}, false},
		{"rack=dc/1/*", Broker{Rack: "dc/1/rack/7"}, true},
		{"host=*", Broker{}, true},
		{"host=kafka-?.example.com", Broker{Host: "kafka-7.example.com"}, true},
		{"host=kafka-?.example.com", Broker{Host: "kafka-77.example.com"}, false},
		{"host=fe80::?", Broker{Host: "fe80::7"}, true},
		{"broker=7", Broker{ID: 7}, true},
		{"broker=7", Broker{ID: 70}, false},
		{"broker=0-2147483647", Broker{ID: 2147483647}, true},
	}
	for _, c := range cases {
		s, err := parseSelector(c.selector)
		require.NoError(t, err, c.selector)
		assert.Equal(t, c.want, s.matches(c.broker), "%s and %+v", c.selector, c.broker)
	}
}

// A list of IDs and ranges, however it is written, selects exactly the IDs in it, and is written in one way.
func TestRangesSelectWhatTheyName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		named := map[int32]bool{}
		var parts []string
		for range rapid.IntRange(1, 6).Draw(t, "parts") {
			first := rapid.Int32Range(0, 30).Draw(t, "first")
			last := first + rapid.Int32Range(0, 5).Draw(t, "more")
			part := fmt.Sprintf("%d-%d", first, last)
			if first == last && rapid.Bool().Draw(t, "single") {
				part = fmt.Sprint(first)
			}
			parts = append(parts, part)
			for id := first; id <= last; id++ {
				named[id] = true
			}
		}
		s, err := parseSelector("broker=" + strings.Join(parts, ","))
		require.NoError(t, err)
		again, err := parseSelector(s.String())
		require.NoError(t, err)
		require.Equal(t, s, again)
		for id := range int32(40) {
			require.Equal(t, named[id], s.matches(Broker{ID: id}), "%s and %d", s.String(), id)
		}
	})
}

// A name whose special characters are escaped matches itself and nothing else.
func TestEscapedNamesMatchThemselves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOf(rapid.RuneFrom([]rune(`ab*?[]\-^!/:`))).Draw(t, "name")
		other := rapid.StringOf(rapid.RuneFrom([]rune(`ab*?[]\-^!/:`))).Draw(t, "other")
		var escaped strings.Builder
		for _, c := range name {
			escaped.WriteString(`\` + string(c))
		}
		g, err := parseGlob(escaped.String())
		require.NoError(t, err)
		require.True(t, g.match(name))
		require.Equal(t, name == other, g.match(other))
	})
}
