package adapters_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	httpapi "github.com/kafka-pilot/pilot/adapters/http"
	"github.com/kafka-pilot/pilot/adapters/metrics"
	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

// runService runs a Service on a skewed cluster in memory, of which a thousand seconds pass in one of ours, until the
// end of the test.
func runService(t *testing.T) *pilot.Service {
	t.Helper()
	world := sim.Skewed(1, sim.WithBrokers(5), sim.WithScale(0.1))
	world.Follow(time.Now, 1000)
	client := world.Client(nil)
	service, err := pilot.New(pilot.Options{
		Source: client, Executor: client, Journal: client.Journal(),
		Limits: reassign.Limits{Managed: true, PollEvery: time.Millisecond},
	})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- service.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})
	eventually(t, func() bool {
		_, err := service.Current(ctx)
		return err == nil
	})
	return service
}

// decoded is the view that a tool returns.
func decoded[T any](t *testing.T, h *host, tool string, args map[string]any) T {
	t.Helper()
	object, wrong := h.tool(t, tool, args)
	require.False(t, wrong, object)
	var view T
	require.NoError(t, json.Unmarshal([]byte(object), &view))
	return view
}

// until asks for an execution until it has ended.
func until(t *testing.T, h *host, id string) pilot.ExecutionView {
	t.Helper()
	var x pilot.ExecutionView
	eventually(t, func() bool {
		x = decoded[pilot.ExecutionView](t, h, "get_reassignment", map[string]any{"id": id})
		return x.EndedAt != nil
	})
	return x
}

// TestBothTellOfOneService lets a model do the work over MCP, while REST and Prometheus look on.
func TestBothTellOfOneService(t *testing.T) {
	service := runService(t)
	h := serve(t, service)
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(metrics.NewCollector(service, metrics.Options{}))

	plan := decoded[pilot.ProposalView](t, h, "generate_proposal", nil)
	require.Equal(t, balance.RebalanceRecommended, plan.Decision.State, plan.Decision.Message)
	started := decoded[pilot.ExecutionView](t, h, "apply_proposal", map[string]any{"id": plan.ID, "reason": "uneven"})
	done := until(t, h, started.ID)
	require.Equal(t, pilot.StateCompleted, done.State, done.Message)
	require.Equal(t, done.Submitted, done.Completed)

	drain := decoded[pilot.DrainView](t, h, "drain_broker", map[string]any{"broker": 3})
	require.Equal(t, pilot.StateCompleted, until(t, h, drain.Execution.ID).State)
	_, listed := h.rest(t, "GET", httpapi.Prefix+"/brokers/maintenance", "")
	require.JSONEq(t, `{"brokers":[3]}`, listed)

	problems, err := testutil.GatherAndLint(registry)
	require.NoError(t, err)
	require.Empty(t, problems)
	n, err := testutil.GatherAndCount(registry, "pilot_reassignment_partitions")
	require.NoError(t, err)
	require.Equal(t, 6, n)

	same(t, h, "list_reassignments", nil, "/reassignments")
	same(t, h, "get_reassignment", map[string]any{"id": started.ID}, "/reassignments/"+started.ID)
	same(t, h, "get_proposal", map[string]any{"id": plan.ID}, "/proposals/"+plan.ID)
	require.Equal(t, "online", decoded[pilot.DrainView](t, h, "exit_maintenance", map[string]any{"broker": 3}).State)
}

// same compares what no longer changes.
func same(t *testing.T, h *host, tool string, args map[string]any, path string) {
	t.Helper()
	status, body := h.rest(t, "GET", httpapi.Prefix+path, "")
	require.Equal(t, http.StatusOK, status, body)
	object, wrong := h.tool(t, tool, args)
	require.False(t, wrong, object)
	require.JSONEq(t, body, object)
}

// TestRequestsEndBeforeTheirExecution: what was started goes on when the client that asked for it has gone.
func TestRequestsEndBeforeTheirExecution(t *testing.T) {
	service := runService(t)
	ctx, hangUp := context.WithCancel(t.Context())
	plan, err := service.Generate(ctx, true)
	require.NoError(t, err)
	x, err := service.Apply(ctx, plan.ID, pilot.ApplyOptions{})
	require.NoError(t, err)
	hangUp()
	require.Equal(t, pilot.StateCompleted, until(t, serve(t, service), x.ID).State)
}

// eventually asks again and again, on the goroutine of the test, for a minute at most.
func eventually(t *testing.T, holds func() bool) {
	t.Helper()
	for range 60_000 {
		if holds() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	require.FailNow(t, "it did not happen within a minute")
}
