package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/internal/scenario"
)

// Every kind of row is printed at the smallest size; the numbers themselves are what the benchmark is for.
func TestRows(t *testing.T) {
	var out bytes.Buffer
	rows := newTable(&out)
	require.NoError(t, rows.scenario(scenario.Case{Name: scenario.New, Brokers: 10, Partitions: 300, Seed: 1}))
	require.NoError(t, rows.rest(size{10, 300}))
	require.Regexp(t, `new 10×300 +1 `, out.String())
	require.Regexp(t, `nothing to do 10×300 +1 .* 0\.00% +0 +0 `, out.String())
	require.Regexp(t, `recheck skew 10×300 .* it holds`, out.String())
	rows.seconds = map[scenario.Name]map[int][]float64{scenario.Skew: {100_000: {1, 3}, 1_000_000: {30}}}
	rows.growth()
	require.Contains(t, out.String(), "skew 1.50\n")
}

func TestTheClustersOnFileAreThere(t *testing.T) {
	for _, f := range onFile {
		c, err := open(f.name, f.read)
		require.NoError(t, err, f.name)
		require.NotEmpty(t, c.Partitions, f.name)
	}
}

func TestFlags(t *testing.T) {
	got, err := parseSizes("6x7,1000x1000000")
	require.NoError(t, err)
	require.Equal(t, []size{{6, 7}, {1000, 1_000_000}}, got)
	_, err = parseSizes("10 by 20")
	require.EqualError(t, err, `size "10 by 20" is not brokers x partitions, such as 30x10000`)
	names, err := parseNames("new,huge")
	require.NoError(t, err)
	require.Equal(t, []scenario.Name{scenario.New, scenario.Huge}, names)
	_, err = parseNames("old")
	require.ErrorContains(t, err, "scenario old is none of")
	require.Error(t, run([]string{"-nothing"}))
}
