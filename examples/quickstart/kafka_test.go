//go:build kafka

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/internal/kafkatest"
	"github.com/kafka-pilot/pilot/internal/sim"
)

// A real cluster of one controller and four brokers in three racks, two dozen topics of unequal size and rate with all
// leaders on two brokers, producers and consumers running, and a move of Kafka's own tool under way. The quickstart evens
// every load and leaves that move alone. What it did is read with Kafka's own tools.
func TestTheMainJobOnARealCluster(t *testing.T) {
	c := kafkatest.Start(t, kafkatest.Config{Brokers: 4})
	w := skewed(t, c)
	foreign, throttles := anotherToolsMove(t, c)

	out := quickstartOn(t, c, "-measure", "40s")
	require.Contains(t, out, "Mind: ", "the other move is pointed out")

	moves, err := c.Moves()
	require.NoError(t, err)
	require.Equal(t, foreign, moves, "the other tool's move goes on as it was")
	left, err := c.Throttles()
	require.NoError(t, err)
	require.Equal(t, throttles, left, "and so do its throttles; none of ours is left")
	w.requireWell(t, c)
}

// The same with a broker that has just joined. The program is killed in the middle; started again it finishes what was
// under way, takes its throttles away, and evens the rest.
func TestKilledAndStartedAgainWithAnEmptyBroker(t *testing.T) {
	c := kafkatest.Start(t, kafkatest.Config{Brokers: 4})
	w := skewed(t, c, sim.WithEmptyBroker())

	killInTheMiddle(t, c, "-yes", "-measure", "30s", "-throttle", "4MB/s")
	throttles, err := c.Throttles()
	require.NoError(t, err)
	require.NotEmpty(t, throttles, "it was killed while its throttles were set")

	out := quickstartOn(t, c, "-measure", "40s", "-throttle", "60MB/s")
	require.Contains(t, out, "Finishing an earlier run: ")
	throttles, err = c.Throttles()
	require.NoError(t, err)
	require.Empty(t, throttles)
	moves, err := c.Moves()
	require.NoError(t, err)
	require.Empty(t, moves)
	w.requireWell(t, c)
}

// work is a cluster under load.
type work struct {
	rates  map[string]traffic
	before map[string]placed
	load   *kafkatest.Load
}

func skewed(t *testing.T, c *kafkatest.Cluster, options ...sim.SkewOption) *work {
	t.Helper()
	w := &work{rates: skewedTopics(t, c, options...)}
	w.load = startLoad(t, c, w.rates)
	w.before = describe(t, c)
	return w
}

// requireWell stops the load and checks that nobody noticed anything but that all is even.
func (w *work) requireWell(t *testing.T, c *kafkatest.Cluster) {
	t.Helper()
	after, sizes := describe(t, c), logDirs(t, c)
	written := grown(t, c, after)
	result, err := w.load.Stop()
	require.NoError(t, err)
	require.Zero(t, result.ProducerErrors, result.FirstErrors)
	require.Zero(t, result.Gaps, "consumers saw every record")
	require.Positive(t, result.Consumed)
	racks := map[int]string{1: "r1", 2: "r2", 3: "r3", 4: "r1"}
	for tp, p := range w.before {
		require.Len(t, after[tp].replicas, len(p.replicas), "factor of %s", tp)
		require.Len(t, after[tp].isr, len(after[tp].replicas), "%s is in sync", tp)
		require.GreaterOrEqual(t, distinctRacks(after[tp].replicas, racks), distinctRacks(p.replicas, racks), "racks of %s", tp)
	}
	requireEven(t, after, total(sizes), w.rates, written)
}

func quickstartOn(t *testing.T, c *kafkatest.Cluster, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	args = append([]string{"-bootstrap", c.Bootstrap()[0], "-yes"}, args...)
	code := run(context.Background(), args, terminal{in: strings.NewReader(""), out: &out, err: &errs})
	t.Log(out.String())
	require.Zero(t, code, errs.String())
	return out.String()
}

// killInTheMiddle runs the program and kills it shortly after it has begun to apply its plan.
func killInTheMiddle(t *testing.T, c *kafkatest.Cluster, args ...string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "quickstart")
	text, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, string(text))
	cmd := exec.Command(program, append([]string{"-bootstrap", c.Bootstrap()[0]}, args...)...)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	applying := false
	for lines := bufio.NewScanner(out); !applying && lines.Scan(); {
		applying = strings.HasPrefix(lines.Text(), "Applying the plan")
	}
	require.True(t, applying, "it ended before it applied anything")
	require.Eventually(t, func() bool {
		moves, err := c.Moves()
		return err == nil && len(moves) > 0
	}, time.Minute, 50*time.Millisecond, "no copy under way")
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
}

// anotherToolsMove starts a move with Kafka's own tool and holds it in the middle by a throttle.
func anotherToolsMove(t *testing.T, c *kafkatest.Cluster) ([]kafkatest.Move, []kafkatest.Throttle) {
	t.Helper()
	require.NoError(t, c.CreateTopic("foreign", [][]int32{{1, 2}}, map[string]string{
		"leader.replication.throttled.replicas": "*", "follower.replication.throttled.replicas": "*"}))
	require.NoError(t, c.Fill("foreign", 4<<20))
	text, err := c.Tool("kafka-configs", "--alter", "--entity-type", "brokers", "--entity-default",
		"--add-config", "leader.replication.throttled.rate=100,follower.replication.throttled.rate=100")
	require.NoError(t, err, text)
	plan := filepath.Join(t.TempDir(), "plan.json")
	require.NoError(t, os.WriteFile(plan, []byte(`{"version":1,"partitions":[{"topic":"foreign","partition":0,"replicas":[3,2]}]}`), 0o600))
	text, err = c.Tool("kafka-reassign-partitions", "--execute", "--reassignment-json-file", plan)
	require.NoError(t, err, text)
	moves, err := c.Moves()
	require.NoError(t, err)
	require.Len(t, moves, 1)
	throttles, err := c.Throttles()
	require.NoError(t, err)
	return moves, throttles
}

// traffic is what is produced to a partition, and read once, in a second.
type traffic struct{ messages, bytes float64 }

// skewedTopics makes the topics of a skewed cluster, scaled down to what a test can fill.
func skewedTopics(t *testing.T, c *kafkatest.Cluster, options ...sim.SkewOption) map[string]traffic {
	t.Helper()
	reading := sim.SkewedReading(11, append(options, sim.WithBrokers(4), sim.WithScale(0.02))...)
	assignments := map[string][][]int32{}
	rates := map[string]traffic{}
	var total int64
	for i := range reading.Partitions {
		p := &reading.Partitions[i]
		assignments[p.Topic] = append(assignments[p.Topic], p.Replicas)
		rates[p.Name().String()] = traffic{p.ProduceMessages, p.ProduceBytes}
		total += p.SizeBytes
	}
	require.GreaterOrEqual(t, len(assignments), 20)
	require.Greater(t, total, int64(500<<20))
	for i := range reading.Topics {
		name := reading.Topics[i].Name
		require.NoError(t, c.CreateTopic(name, assignments[name], nil))
	}
	for i := range reading.Partitions {
		p := &reading.Partitions[i]
		require.NoError(t, c.Fill(p.Topic, p.SizeBytes, p.ID))
	}
	return rates
}

func startLoad(t *testing.T, c *kafkatest.Cluster, rates map[string]traffic) *kafkatest.Load {
	t.Helper()
	var config kafkatest.LoadConfig
	topics := map[string]bool{}
	for _, tp := range sortedKeys(rates) {
		topic, number := split(tp)
		config.Streams = append(config.Streams, kafkatest.Stream{Topic: topic, Partition: number, Messages: rates[tp].messages, Bytes: rates[tp].bytes})
		topics[topic] = true
	}
	config.Groups = []kafkatest.Group{{Name: "readers", Topics: sortedKeys(topics)}}
	load, err := c.StartLoad(config)
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = load.Stop() })
	return load
}

// placed is a partition as kafka-topics describes it.
type placed struct {
	leader        int
	replicas, isr []int
}

var described = regexp.MustCompile(`Topic: (\S+)\s+Partition: (\d+)\s+Leader: (\S+)\s+Replicas: (\S+)\s+Isr: (\S+)`)

func describe(t *testing.T, c *kafkatest.Cluster) map[string]placed {
	t.Helper()
	text, err := c.Tool("kafka-topics", "--describe")
	require.NoError(t, err, text)
	all := map[string]placed{}
	for _, m := range described.FindAllStringSubmatch(text, -1) {
		leader, err := strconv.Atoi(m[3])
		require.NoError(t, err, m[0])
		all[m[1]+"-"+m[2]] = placed{leader, numbers(t, m[4]), numbers(t, m[5])}
	}
	require.NotEmpty(t, all, text)
	return all
}

func numbers(t *testing.T, text string) []int {
	t.Helper()
	var list []int
	for _, part := range strings.Split(text, ",") {
		n, err := strconv.Atoi(part)
		require.NoError(t, err, text)
		list = append(list, n)
	}
	return list
}

// logDirs returns the bytes on each broker as kafka-log-dirs tells them.
func logDirs(t *testing.T, c *kafkatest.Cluster) map[int]map[string]float64 {
	t.Helper()
	text, err := c.Tool("kafka-log-dirs", "--describe")
	require.NoError(t, err, text)
	var answer struct {
		Brokers []struct {
			Broker  int
			LogDirs []struct {
				Partitions []struct {
					Partition string
					Size      float64
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(text[strings.Index(text, "{"):]), &answer))
	bytes := map[int]map[string]float64{}
	for _, b := range answer.Brokers {
		bytes[b.Broker] = map[string]float64{}
		for _, d := range b.LogDirs {
			for _, p := range d.Partitions {
				bytes[b.Broker][p.Partition] += p.Size
			}
		}
	}
	return bytes
}

func total(sizes map[int]map[string]float64) map[int]float64 {
	sums := map[int]float64{}
	for b, partitions := range sizes {
		for _, n := range partitions {
			sums[b] += n
		}
	}
	return sums
}

// grown returns the bytes per second that the leader's log of each partition grows by, as kafka-log-dirs shows it: what
// is written takes more than the values, the more so the smaller the batches are.
func grown(t *testing.T, c *kafkatest.Cluster, after map[string]placed) map[string]float64 {
	t.Helper()
	const span = 40 * time.Second
	begin, first := time.Now(), logDirs(t, c)
	time.Sleep(span)
	seconds, last := time.Since(begin).Seconds(), logDirs(t, c)
	rates := map[string]float64{}
	for tp, p := range after {
		rates[tp] = (last[p.leader][tp] - first[p.leader][tp]) / seconds
	}
	return rates
}

// requireEven computes every load of every broker from what Kafka's tools said and what was produced. The racks have two,
// one and one brokers, and each partition has at most one replica in a rack: so the two brokers of the first rack share
// one replica of each partition at most, and the other two the rest.
func requireEven(t *testing.T, after map[string]placed, sizes map[int]float64, rates map[string]traffic, written map[string]float64) {
	t.Helper()
	loads := map[string]map[int]float64{"leaders": {}, "followers": {}, "disk": sizes, "messages": {}, "bytes": {}}
	replicas := 0.0
	for tp, p := range after {
		loads["leaders"][p.leader]++
		loads["messages"][p.leader] += rates[tp].messages
		loads["bytes"][p.leader] += written[tp]
		replicas += float64(len(p.replicas))
		for _, b := range p.replicas {
			if b != p.leader {
				loads["followers"][b]++
			}
		}
	}
	// Two percent more than the threshold: sizes grow and rates waver between the measurement and this one.
	const tolerance = 0.05 + 0.02
	for name, load := range loads {
		total := 0.0
		for _, v := range load {
			total += v
		}
		one := map[string]float64{"leaders": 1, "followers": 1, "disk": total / replicas}[name]
		if one == 0 {
			one = total / float64(len(after))
		}
		for b := 1; b <= 4; b++ {
			fair := total / 4
			if firstRack := min(replicas/2, float64(len(after))) / 2; name == "followers" && (b == 1 || b == 4) {
				fair = firstRack - float64(len(after))/4
			} else if name == "followers" {
				fair = replicas/2 - firstRack - float64(len(after))/4
			}
			off := (math.Abs(load[b]-fair) - one) / fair
			t.Logf("broker %d %-9s %14.1f of %14.1f: %5.1f%% off", b, name, load[b], fair, 100*max(0, off))
			require.LessOrEqual(t, off, tolerance, "broker %d, %s", b, name)
		}
	}
}

func distinctRacks(replicas []int, racks map[int]string) int {
	seen := map[string]bool{}
	for _, b := range replicas {
		seen[racks[b]] = true
	}
	return len(seen)
}
