package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func quickstart(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(context.Background(), args, terminal{in: strings.NewReader(""), out: &out, err: &errs})
	return code, out.String(), errs.String()
}

// The main job on the cluster in memory, as a new user runs it.
func TestTheMainJobInMemory(t *testing.T) {
	for _, args := range [][]string{nil, {"-brokers", "4", "-seed", "7", "-empty"}, {"-brokers", "5", "-throttle", "100MB/s"}} {
		code, stdout, stderr := quickstart(args...)
		require.Zero(t, code, stderr)
		require.Empty(t, stderr)
		require.Contains(t, stdout, "Balance summary  ·  Uneven")
		require.Contains(t, stdout, "Expected effect on each load")
		require.Contains(t, stdout, "Applying the plan: 100%")
		require.Contains(t, stdout, "with the rates measured before  ·  Even")
	}
}

func TestTheSameSeedGivesTheSamePlan(t *testing.T) {
	_, first, _ := quickstart("-brokers", "4")
	_, second, _ := quickstart("-brokers", "4")
	plan := func(s string) string { return s[strings.Index(s, "Plan "):strings.Index(s, "Applying")] }
	require.Equal(t, plan(first), plan(second))
}

func TestBadFlags(t *testing.T) {
	for want, args := range map[string][]string{
		`-speed`:                       {"-speed", "9"},
		`unexpected argument "now"`:    {"now"},
		`-throttle: `:                  {"-throttle", "50Mb/s"},
		`-measure 1s: use between`:     {"-measure", "1s"},
		`-brokers 9: use 4, 5 or 6`:    {"-brokers", "9"},
		`PILOT_BALANCE_THRESHOLD: "0"`: {"-threshold", "0"},
	} {
		code, stdout, stderr := quickstart(args...)
		require.Equal(t, 2, code, want)
		require.Empty(t, stdout)
		require.Contains(t, stderr, want)
		require.Equal(t, 1, strings.Count(stderr, "\n"), "one sentence: %s", stderr)
	}
}

// What is wrong with the way to a cluster is one sentence; a wrong setting exits with 2, a failure with 1.
func TestNoWayToTheCluster(t *testing.T) {
	code, _, stderr := quickstart("-bootstrap", "127.0.0.1:1")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "127.0.0.1:1 cannot be reached")
	code, _, stderr = quickstart("-bootstrap", "nonsense")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, `-bootstrap nonsense: `)
	t.Setenv("KAFKA_SASL_MECHANSM", "PLAIN")
	code, _, stderr = quickstart("-bootstrap", "127.0.0.1:1")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "KAFKA_SASL_MECHANSM is not known")
	require.Equal(t, 1, strings.Count(stderr, "\n"))
}
