package metrics_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/adapters/internal/apitest"
	"github.com/kafka-pilot/pilot/adapters/metrics"
	"github.com/kafka-pilot/pilot/balance"
)

// scrape returns every sample as "name{labels} value", from a registry that checks the collector strictly.
func scrape(t *testing.T, api pilot.API, o metrics.Options) map[string]float64 {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(metrics.NewCollector(api, o))
	problems, err := testutil.GatherAndLint(registry)
	require.NoError(t, err)
	require.Empty(t, problems)
	families, err := registry.Gather()
	require.NoError(t, err)
	samples := map[string]float64{}
	for _, f := range families {
		for _, m := range f.Metric {
			var labels []string
			for _, l := range m.Label {
				labels = append(labels, l.GetValue())
			}
			samples[strings.TrimSpace(f.GetName()+" "+strings.Join(labels, " "))] = m.Gauge.GetValue()
		}
	}
	return samples
}

func TestSamples(t *testing.T) {
	got := scrape(t, &apitest.Fake{}, metrics.Options{})
	for name, want := range map[string]float64{
		"pilot_ready":                                      1,
		"pilot_cluster_brokers active":                     2,
		"pilot_cluster_brokers maintenance":                1,
		"pilot_cluster_brokers unavailable":                1,
		"pilot_cluster_brokers_maintenance":                1,
		"pilot_cluster_topics":                             12,
		"pilot_cluster_partitions":                         240,
		"pilot_cluster_replicas":                           720,
		"pilot_cluster_partitions_under_replicated":        2,
		"pilot_cluster_partitions_moving":                  1,
		"pilot_cluster_partitions_unmeasured":              3,
		"pilot_cluster_reading_timestamp_seconds":          float64(apitest.At.Unix()),
		"pilot_broker_load_distance_ratio 0 leaders":       0,
		"pilot_broker_load_distance_ratio 1 leaders":       -0.28,
		"pilot_proposal_imbalance_material":                1,
		"pilot_proposal_imbalance_largest_deviation":       0.28,
		"pilot_proposal_variance_current leaders":          0.14,
		"pilot_proposal_variance_projected leaders":        0.01,
		"pilot_proposal_moves":                             1,
		"pilot_proposal_copy_bytes":                        3 << 30,
		"pilot_proposal_application_allowed":               1,
		"pilot_reassignment_running":                       1,
		"pilot_reassignment_partitions active":             1,
		"pilot_reassignment_partitions pending":            0,
		"pilot_reassignment_partitions completed":          1,
		"pilot_reassignment_copy_bytes":                    3 << 30,
		"pilot_reassignment_copied_bytes":                  1 << 30,
		"pilot_reassignment_throttle_bytes_per_second":     50e6,
		"pilot_reassignment_cancels_unconfirmed":           0,
		"pilot_broker_load_distance_ratio 1 consumerBytes": 0,
	} {
		require.Contains(t, got, name)
		require.InDelta(t, want, got[name], 1e-9, name)
	}
}

// TestMaterial is about the act line, twice the threshold of the policy.
func TestMaterial(t *testing.T) {
	for name, c := range map[string]struct {
		distance, threshold, want float64
	}{
		"even":                         {0, 0, 0},
		"between the lines":            {0.08, 0, 0},
		"on the act line":              {0.10, 0, 0},
		"beyond it":                    {0.11, 0, 1},
		"not beyond a wider line":      {0.11, 0.10, 0},
		"beyond a narrower line":       {0.05, 0.02, 1},
		"an empty broker, widest line": {1, 0.50, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got := scrape(t, &leaning{by: c.distance}, metrics.Options{Threshold: c.threshold})
			require.Equal(t, c.want, got["pilot_proposal_imbalance_material"])
			require.Equal(t, c.distance, got["pilot_proposal_imbalance_largest_deviation"])
		})
	}
}

// leaning has one broker at a distance above its fair share.
type leaning struct {
	apitest.Fake
	by float64
}

func (l *leaning) Balance(context.Context) (pilot.BalanceView, error) {
	var v pilot.BalanceView
	v.Report.Brokers = []balance.BrokerReport{{Broker: 7}}
	v.Report.Brokers[0].Loads[balance.Disk] = balance.Distance{Distance: l.by, Side: balance.Above}
	return v, nil
}

// TestWhatIsNotKnownIsLeftOut makes one method fail after the other.
func TestWhatIsNotKnownIsLeftOut(t *testing.T) {
	all := scrape(t, &apitest.Fake{}, metrics.Options{})
	for method, prefixes := range map[string][]string{
		"Cluster":       {"pilot_cluster_"},
		"InMaintenance": {"pilot_cluster_brokers_maintenance"},
		"Balance":       {"pilot_broker_load_distance_ratio", "pilot_proposal_imbalance_"},
		"Current":       {"pilot_proposal_variance_", "pilot_proposal_moves", "pilot_proposal_copy_bytes", "pilot_proposal_application_allowed"},
		"Executions":    {"pilot_reassignment_"},
	} {
		t.Run(method, func(t *testing.T) {
			api := &apitest.Fake{NotReady: "no reading", Err: map[string]error{method: errors.New("not now")}}
			got := scrape(t, api, metrics.Options{})
			require.Zero(t, got["pilot_ready"])
			for name := range all {
				gone := slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
				if method == "Cluster" && name == "pilot_cluster_brokers_maintenance" {
					gone = false
				}
				_, there := got[name]
				require.Equal(t, !gone, there, name)
			}
		})
	}
}

// listing has the executions given and no plan yet.
type listing struct {
	apitest.Fake
	list []pilot.ExecutionView
}

func (l *listing) Executions(context.Context) ([]pilot.ExecutionView, error) { return l.list, nil }

func (l *listing) Current(context.Context) (pilot.ProposalView, error) {
	return pilot.ProposalView{Stored: "pending"}, nil
}

func TestExecutions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		none := scrape(t, &listing{}, metrics.Options{})
		require.Zero(t, none["pilot_reassignment_running"])
		require.Contains(t, none, "pilot_reassignment_partitions timed_out")
		require.NotContains(t, none, "pilot_reassignment_duration_seconds")
		require.NotContains(t, none, "pilot_proposal_moves")

		started := apitest.Execution()
		started.StartedAt = time.Now()
		time.Sleep(90 * time.Second)
		current := scrape(t, &listing{list: []pilot.ExecutionView{started, apitest.Ended()}}, metrics.Options{})
		require.Equal(t, 90.0, current["pilot_reassignment_duration_seconds"])

		ended := scrape(t, &listing{list: []pilot.ExecutionView{apitest.Ended(), started}}, metrics.Options{})
		require.Zero(t, ended["pilot_reassignment_running"])
		require.Equal(t, 59*60.0, ended["pilot_reassignment_duration_seconds"])
		require.NotContains(t, ended, "pilot_reassignment_throttle_bytes_per_second")
		for state, want := range map[string]float64{"completed": 1, "failed": 2, "cancelled": 2, "timed_out": 1} {
			require.Equal(t, want, ended["pilot_reassignment_partitions "+state], state)
		}
	})
}

// slow answers only when it is given up.
type slow struct{ apitest.Fake }

func (*slow) Cluster(ctx context.Context) (pilot.ClusterView, error) {
	<-ctx.Done()
	return pilot.ClusterView{}, ctx.Err()
}

func TestScrapeEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		registry := prometheus.NewRegistry()
		registry.MustRegister(metrics.NewCollector(&slow{}, metrics.Options{Timeout: time.Second}))
		_, err := registry.Gather()
		require.NoError(t, err)
		require.Equal(t, time.Second, time.Since(start))
	})
}

func TestTwoClustersInOneRegistry(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	for _, cluster := range []string{"east", "west"} {
		labelled := prometheus.WrapRegistererWith(prometheus.Labels{"cluster": cluster}, registry)
		labelled.MustRegister(metrics.NewCollector(&apitest.Fake{}, metrics.Options{}))
	}
	n, err := testutil.GatherAndCount(registry, "pilot_ready")
	require.NoError(t, err)
	require.Equal(t, 2, n)
}
