package httpapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	httpapi "github.com/kafka-pilot/pilot/adapters/http"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

// runService runs a Service on a skewed cluster in memory, whose time goes so many times as fast as ours, until the
// end of the test. Moves copy at most so many bytes per second of that time; 0 is no throttle.
func runService(t *testing.T, speed int, throttle int64) *pilot.Service {
	t.Helper()
	world := sim.Skewed(1, sim.WithBrokers(5), sim.WithScale(0.1))
	world.Follow(time.Now, speed)
	client := world.Client(nil)
	service, err := pilot.New(pilot.Options{
		Source: client, Executor: client, Journal: client.Journal(),
		Limits: reassign.Limits{Managed: true, Throttle: throttle, PollEvery: time.Millisecond},
	})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- service.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})
	return service
}

// viewOf sends a request, which must succeed with the status given, and decodes the answer.
func viewOf[T any](t *testing.T, c *contract, r request, status int) T {
	t.Helper()
	answer := c.send(t, r)
	require.Equal(t, status, answer.Code, answer.Body)
	var view T
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &view))
	return view
}

// untilReady waits for the first reading and its plan.
func untilReady(t *testing.T, c *contract) {
	t.Helper()
	eventually(t, func() bool {
		return c.send(t, get("/health")).Code == http.StatusOK && c.send(t, get("/proposals/current")).Code == http.StatusOK
	})
}

// TestServiceKeepsToTheDocument takes a Service through its whole course; every answer on the way is held against the
// document, with the figures of a cluster instead of made-up ones.
func TestServiceKeepsToTheDocument(t *testing.T) {
	c := newContract(t, runService(t, 1000, 0), httpapi.Options{Poll: time.Millisecond})
	untilReady(t, c)
	require.True(t, viewOf[pilot.HealthView](t, c, get("/health"), 200).Ready)
	require.Len(t, viewOf[pilot.ClusterView](t, c, get("/cluster"), 200).Brokers, 5)
	require.Len(t, viewOf[pilot.BalanceView](t, c, get("/balance"), 200).Report.Brokers, 5)

	plan := viewOf[pilot.ProposalView](t, c, post("/proposals/generate", `{"immediate":true}`), 200)
	require.NotEmpty(t, plan.Proposal.Moves)
	require.Equal(t, plan.ID, viewOf[pilot.ProposalView](t, c, get("/proposals/"+plan.ID), 200).ID)
	viewOf[struct{}](t, c, get("/proposals"), 200)

	x := viewOf[pilot.ExecutionView](t, c, post("/proposals/"+plan.ID+"/apply", `{"reason":"uneven"}`), 202)
	require.Contains(t, c.send(t, get("/reassignments/"+x.ID+"/events")).Body.String(), "event: done\n")
	x = viewOf[pilot.ExecutionView](t, c, get("/reassignments/"+x.ID), 200)
	require.Equal(t, pilot.StateCompleted, x.State, x.Message)
	viewOf[struct{}](t, c, get("/reassignments"), 200)

	drain := viewOf[pilot.DrainView](t, c, post("/brokers/3/maintenance", `{"reason":"disk"}`), 202)
	require.Contains(t, c.send(t, get("/reassignments/"+drain.Execution.ID+"/events")).Body.String(), "event: done\n")
	require.JSONEq(t, `{"brokers":[3]}`, c.send(t, get("/brokers/maintenance")).Body.String())
	online := viewOf[pilot.DrainView](t, c, request{method: "DELETE", path: "/brokers/3/maintenance"}, 200)
	require.Equal(t, "online", online.State)
}

// TestServiceRefuses provokes refusals of a Service while it moves partitions for longer than the test takes; each is a
// documented answer with a code.
func TestServiceRefuses(t *testing.T) {
	c := newContract(t, runService(t, 1, 1_000_000), httpapi.Options{})
	untilReady(t, c)
	plan := viewOf[pilot.ProposalView](t, c, post("/proposals/generate", ""), 200)
	require.Equal(t, http.StatusNotFound, c.send(t, post("/brokers/77/maintenance", "")).Code)
	x := viewOf[pilot.ExecutionView](t, c, post("/proposals/"+plan.ID+"/apply?force=true", ""), 202)
	for name, test := range map[string]struct {
		request
		status int
	}{
		"a plan that is unknown":        {get("/proposals/unknown"), 404},
		"applying it":                   {post("/proposals/unknown/apply", ""), 404},
		"an execution that is unknown":  {get("/reassignments/unknown"), 404},
		"following it":                  {get("/reassignments/unknown/events"), 404},
		"cancelling it":                 {post("/reassignments/unknown/cancel", ""), 404},
		"a second execution":            {post("/proposals/"+plan.ID+"/apply", ""), 409},
		"a drain meanwhile":             {post("/brokers/3/maintenance", ""), 409},
		"the end of what did not begin": {request{method: "DELETE", path: "/brokers/77/maintenance"}, 404},
	} {
		t.Run(name, func(t *testing.T) {
			answer := c.send(t, test.request)
			require.Equal(t, test.status, answer.Code, answer.Body)
			require.NotEmpty(t, problemOf(t, answer).Code)
		})
	}
	cancelled := viewOf[pilot.ExecutionView](t, c, post("/reassignments/"+x.ID+"/cancel", ""), 202)
	require.True(t, cancelled.CancelRequested)
	require.Contains(t, c.send(t, get("/reassignments/"+x.ID+"/events")).Body.String(), `"state":"cancelled"`)
}

// TestServiceBeforeItsFirstReading says that it is not ready, and why.
func TestServiceBeforeItsFirstReading(t *testing.T) {
	client := sim.Skewed(1, sim.WithScale(0.1)).Client(nil)
	service, err := pilot.New(pilot.Options{Source: client, Executor: client, Journal: client.Journal()})
	require.NoError(t, err)
	c := newContract(t, service, httpapi.Options{})
	health := viewOf[pilot.HealthView](t, c, get("/health"), 200)
	require.False(t, health.Ready)
	require.NotEmpty(t, health.Reason)
	for _, path := range []string{"/cluster", "/balance", "/proposals/current"} {
		answer := c.send(t, get(path))
		require.Equal(t, http.StatusServiceUnavailable, answer.Code, answer.Body)
		require.NotEmpty(t, problemOf(t, answer).Code)
	}
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
