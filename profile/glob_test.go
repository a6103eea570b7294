package profile

import (
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGlobs(t *testing.T) {
	cases := []struct {
		pattern string
		yes, no string // names, separated by spaces
	}{
		{"eu-west-1c", "eu-west-1c", "eu-west-1 eu-west-1cc EU-WEST-1C"},
		{"eu-*", "eu- eu-west-1c", "us-east eu"},
		{"*", "a a/b", ""},
		{"dc1/*", "dc1/rack/7 dc1/", "dc2/rack"},
		{"a?c", "abc a/c aéc", "ac abbc"},
		{"kafka-[0-3x]", "kafka-0 kafka-3 kafka-x", "kafka-4 kafka-"},
		{"[^a-c]1", "d1", "a1 1"},
		{"[!a-c]1", "d1", "a1 1"},
		{`\*`, "*", "a"},
		{`[\]\-]`, "] -", `\`},
		{"a*b*c", "abc aXbYc abbcc", "acb ab"},
		{"**", "a", ""},
	}
	for _, c := range cases {
		g, err := parseGlob(c.pattern)
		require.NoError(t, err, c.pattern)
		for _, name := range strings.Fields(c.yes) {
			assert.True(t, g.match(name), "%s and %s", c.pattern, name)
		}
		for _, name := range strings.Fields(c.no) {
			assert.False(t, g.match(name), "%s and %s", c.pattern, name)
		}
	}
}

func TestBrokenGlobs(t *testing.T) {
	for pattern, want := range map[string]error{
		"[": errOpenSet, "[a": errOpenSet, "[^": errOpenSet, "[]": errSet, "[^]": errSet, "[-a]": errSet, "[a-]": errSet, "[b-a]": errSet,
		"[a-": errSet, `[a\`: errSet, `a\`: errTrailing,
	} {
		_, err := parseGlob(pattern)
		assert.ErrorIs(t, err, want, pattern)
	}
}

// A pattern that makes a backtracking matcher run for years is over at once.
func TestManyStarsStayCheap(t *testing.T) {
	g, err := parseGlob(strings.Repeat("a*", 200) + "b")
	require.NoError(t, err)
	assert.False(t, g.match(strings.Repeat("a", 5000)))
}

// Package path agrees, but for slashes and [!.
func FuzzGlob(f *testing.F) {
	for _, seed := range [][2]string{{"a*b?[c-e]", "axxbyd"}, {"[^a]", "b"}, {`\[`, "["}, {"[", ""}, {"*a*b", "aabb"}, {"[a-]", "a"}, {"x[", "y"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, name string) {
		g, err := parseGlob(pattern)
		if err == nil {
			g.match(name)
		}
		if strings.Contains(name, "/") || strings.Contains(pattern, "[!") || !utf8.ValidString(pattern) || !utf8.ValidString(name) ||
			strings.ContainsRune(pattern+name, utf8.RuneError) {
			return
		}
		want, wantErr := path.Match(pattern, name)
		if err != nil {
			require.False(t, wantErr == nil && want, "%q matches %q in path", pattern, name)
			return
		}
		require.NoError(t, wantErr, pattern)
		require.Equal(t, want, g.match(name), "%q and %q", pattern, name)
	})
}
