package maintenance

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

// The scripts of testdata/drains.txt read like an operator's notes. A line that does not start with > is input:
//
//	# text                                        a comment
//	brokers 1/a 2/b 3/c/unavailable 4/-           a new cluster: IDs, racks (- is unknown) and states
//	orders minISR=2 size=100: 1,2,3 3,1!          partitions of a topic, the leader first; ! is out of sync, ~ is moving
//	drain 1 force rack-aware                      plan a drain and make its moves
//
// The lines after a drain that start with > are what it must answer. Run the test with -update to write them anew.
func TestDrainScripts(t *testing.T) {
	const script = "testdata/drains.txt"
	want, err := os.ReadFile(script)
	require.NoError(t, err)
	var out []string
	c := &balance.Cluster{}
	for _, line := range strings.Split(strings.TrimRight(string(want), "\n"), "\n") {
		if strings.HasPrefix(line, ">") {
			continue
		}
		out = append(out, line)
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "#":
		case words[0] == "brokers":
			c = &balance.Cluster{Brokers: scriptBrokers(t, words[1:])}
		case words[0] == "drain":
			out = append(out, runDrain(t, c, words[1:])...)
		default:
			scriptTopic(t, c, line)
		}
	}
	got := strings.Join(out, "\n") + "\n"
	if *update {
		require.NoError(t, os.WriteFile(script, []byte(got), 0o644))
		return
	}
	assert.Equal(t, string(want), got, "run the test with -update if the change is meant")
}

func number(t *testing.T, s string) int32 {
	n, err := strconv.ParseInt(s, 10, 32)
	require.NoError(t, err)
	return int32(n)
}

func scriptBrokers(t *testing.T, words []string) (brokers []balance.Broker) {
	for _, w := range words {
		parts := strings.Split(w, "/")
		b := balance.Broker{ID: number(t, parts[0]), Rack: strings.Trim(parts[1], "-")}
		if len(parts) > 2 {
			require.NoError(t, b.State.UnmarshalText([]byte(parts[2])))
		}
		brokers = append(brokers, b)
	}
	return brokers
}

func scriptTopic(t *testing.T, c *balance.Cluster, line string) {
	head, sets, found := strings.Cut(line, ": ")
	require.True(t, found, line)
	words := strings.Fields(head)
	topic, size := balance.Topic{Name: words[0]}, int64(0)
	for _, w := range words[1:] {
		key, value, _ := strings.Cut(w, "=")
		switch key {
		case "minISR":
			topic.MinISR = number(t, value)
		case "size":
			size = int64(number(t, value))
		default:
			t.Fatalf("unknown word %q in %q", w, line)
		}
	}
	c.Topics = append(c.Topics, topic)
	for id, set := range strings.Fields(sets) {
		p := balance.Partition{Topic: topic.Name, ID: int32(id), Leader: noLeader, SizeBytes: size}
		if strings.HasPrefix(set, "~") {
			p.Moving = &balance.Change{}
		}
		for _, r := range strings.Split(strings.TrimPrefix(set, "~"), ",") {
			b := number(t, strings.TrimSuffix(r, "!"))
			p.Replicas = append(p.Replicas, b)
			if !strings.HasSuffix(r, "!") {
				p.ISR = append(p.ISR, b)
			}
		}
		if len(p.ISR) > 0 {
			p.Leader = p.ISR[0]
		}
		c.Partitions = append(c.Partitions, p)
	}
}

// runDrain plans, writes down the answer and makes the moves.
func runDrain(t *testing.T, c *balance.Cluster, words []string) (out []string) {
	broker := number(t, words[0])
	say := func(format string, args ...any) { out = append(out, "> "+fmt.Sprintf(format, args...)) }
	d, err := Plan(c, broker, Options{
		Force: slices.Contains(words, "force"), Policy: balance.Policy{RackAware: slices.Contains(words, "rack-aware")},
	})
	if err != nil {
		say("refused: %s", err)
		for _, p := range err.(*Refused).Partitions {
			say("  %s: %s", p.TopicPartition, p.Reason)
		}
		return out
	}
	for _, m := range d.Moves {
		say("%s %v → %v, copies %d. %s", m.Name(), m.From, m.To, m.CopyBytes, m.Reason)
		i := slices.IndexFunc(c.Partitions, func(p balance.Partition) bool { return p.Name() == m.Name() })
		c.Partitions[i].Replicas, c.Partitions[i].ISR, c.Partitions[i].Leader = m.To, m.To, m.ToLeader
	}
	for _, p := range d.ReducedFactor {
		say("fewer replicas: %s", p)
	}
	for _, r := range d.RackCollapses {
		say("fewer racks: %s %v %q", r.TopicPartition, r.Replicas, r.Racks)
	}
	for _, w := range d.Waiting {
		say("waits: %s: %s", w.TopicPartition, w.Reason)
	}
	for _, w := range d.Warnings {
		say("warning: %s", w)
	}
	for i := range c.Brokers {
		if c.Brokers[i].ID == broker {
			c.Brokers[i].State = balance.Maintenance
		}
	}
	if left := Hosted(c, broker); len(left) == 0 {
		say("broker %d is empty", broker)
	}
	return out
}
