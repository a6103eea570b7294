package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

// lopsided is a cluster whose broker 1 leads everything.
func lopsided(t *testing.T) string {
	t.Helper()
	c := &balance.Cluster{Brokers: []balance.Broker{{ID: 1}, {ID: 2}, {ID: 3}}}
	for i := range int32(30) {
		r := []int32{1, 2 + i%2}
		c.Partitions = append(c.Partitions, balance.Partition{Topic: "orders", ID: i, Leader: 1, Replicas: r, ISR: r,
			SizeBytes: 1 << 30, ProduceMessages: 100, ProduceBytes: 1e5, ConsumeMessages: 100, ConsumeBytes: 1e5})
	}
	path := filepath.Join(t.TempDir(), "snapshot.json")
	f, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, balance.WriteSnapshot(f, c))
	require.NoError(t, f.Close())
	return path
}

func TestPlanWritesTheProposalAndKafkasOwnFormat(t *testing.T) {
	dir := t.TempDir()
	out, moves := filepath.Join(dir, "plan.json"), filepath.Join(dir, "moves.json")
	var stdout, stderr bytes.Buffer
	require.Zero(t, run([]string{"plan", "-in", lopsided(t), "-out", out, "-reassignment-json", moves}, &stdout, &stderr), stderr.String())
	require.Contains(t, stdout.String(), "Expected effect on each load")

	text, err := os.ReadFile(out)
	require.NoError(t, err)
	var p balance.Proposal
	require.NoError(t, json.Unmarshal(text, &p))
	require.Equal(t, balance.RebalanceRecommended, p.Status)
	for i := range p.After.Brokers {
		for m := range p.After.Brokers[i].Loads {
			require.LessOrEqual(t, p.After.Brokers[i].Loads[m].Distance, 0.05)
		}
	}
	f, err := os.Open(moves)
	require.NoError(t, err)
	defer f.Close()
	targets, err := reassign.ReadReassignmentJSON(f)
	require.NoError(t, err)
	require.Len(t, targets, len(p.Moves))
}

func TestScorePrintsTheSummary(t *testing.T) {
	var stdout, stderr bytes.Buffer
	require.Zero(t, run([]string{"score", "-in", lopsided(t)}, &stdout, &stderr), stderr.String())
	require.Contains(t, stdout.String(), "Broker 1 · ")
	require.Contains(t, stdout.String(), "Uneven")
}

// Bad input gets one sentence that names it, and exit status 2.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no command":        {nil, "usage: offline plan|score"},
		"unknown command":   {[]string{"improve"}, `unknown command "improve"`},
		"unknown flag":      {[]string{"plan", "-speed", "9"}, "-speed"},
		"no file named":     {[]string{"plan"}, "-in is missing"},
		"no such file":      {[]string{"plan", "-in", filepath.Join(dir, "none.json")}, "none.json"},
		"bad output":        {[]string{"plan", "-in", "x", "-output", "xml"}, `-output "xml": use table or json`},
		"bad threshold":     {[]string{"plan", "-in", "x", "-threshold", "0.05"}, "is in percent"},
		"bad floor":         {[]string{"plan", "-in", "x", "-floor", "bytes=2Mb/s"}, "PILOT_BALANCE_FLOOR"},
		"empty file":        {[]string{"plan", "-in", file("empty.json", "")}, "the file is empty"},
		"cut file":          {[]string{"plan", "-in", file("cut.json", `{"brokers": [{"id": 1`)}, "in the middle of a value"},
		"not JSON":          {[]string{"plan", "-in", file("no.json", "hello")}, "not JSON at byte 1"},
		"unknown key":       {[]string{"plan", "-in", file("key.json", `{"brokerz": []}`)}, `"brokerz"`},
		"wrong type":        {[]string{"plan", "-in", file("type.json", `{"brokers": [{"id": "one"}]}`)}, "brokers.id"},
		"two objects":       {[]string{"plan", "-in", file("two.json", `{} {}`)}, "one JSON object"},
		"unknown broker":    {[]string{"plan", "-in", file("b.json", `{"brokers": [{"id": 1}], "partitions": [{"topic": "a", "leader": 1, "replicas": [1, 9]}]}`)}, "partition a-0: replicas names broker 9"},
		"leader elsewhere":  {[]string{"plan", "-in", file("l.json", `{"brokers": [{"id": 1}, {"id": 2}], "partitions": [{"topic": "a", "leader": 2, "replicas": [1]}]}`)}, "partition a-0: leader 2"},
		"negative size":     {[]string{"plan", "-in", file("s.json", `{"brokers": [{"id": 1}], "partitions": [{"topic": "a", "leader": 1, "replicas": [1], "sizeBytes": -5}]}`)}, "partition a-0: sizeBytes -5"},
		"duplicate replica": {[]string{"plan", "-in", file("d.json", `{"brokers": [{"id": 1}], "partitions": [{"topic": "a", "leader": 1, "replicas": [1, 1]}]}`)}, "partition a-0: replicas names broker 1 twice"},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			require.Equal(t, 2, run(c.args, &stdout, &stderr))
			require.Contains(t, stderr.String(), c.want)
			require.Empty(t, stdout.String())
			require.Equal(t, 1, bytes.Count(stderr.Bytes(), []byte("\n")), stderr.String())
		})
	}
}
