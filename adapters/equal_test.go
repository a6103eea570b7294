// Package adapters_test holds the adapters against each other: what REST answers and what a tool of MCP returns is the
// same object.
package adapters_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	httpapi "github.com/kafka-pilot/pilot/adapters/http"
	"github.com/kafka-pilot/pilot/adapters/internal/apitest"
)

// pairs are the requests that ask for the same.
var pairs = []struct {
	tool         string
	args         map[string]any
	method, path string
	body         string
}{
	{"get_health", nil, "GET", "/health", ""},
	{"get_cluster", nil, "GET", "/cluster", ""},
	{"get_balance", nil, "GET", "/balance", ""},
	{"generate_proposal", nil, "POST", "/proposals/generate", ""},
	{"get_proposal", nil, "GET", "/proposals/current", ""},
	{"get_proposal", map[string]any{"id": "9f2c41"}, "GET", "/proposals/9f2c41", ""},
	{"list_reassignments", nil, "GET", "/reassignments", ""},
	{"get_reassignment", map[string]any{"id": "e-17"}, "GET", "/reassignments/e-17", ""},
	{"apply_proposal", map[string]any{"id": "9f2c41", "force": true}, "POST", "/proposals/9f2c41/apply?force=true", ""},
	{"cancel_reassignment", map[string]any{"id": "e-17"}, "POST", "/reassignments/e-17/cancel", ""},
	{"drain_broker", map[string]any{"broker": 3, "force": true}, "POST", "/brokers/3/maintenance", `{"force":true}`},
	{"exit_maintenance", map[string]any{"broker": 3}, "DELETE", "/brokers/3/maintenance", ""},
}

func TestBothAnswerTheSame(t *testing.T) {
	h := serve(t, &apitest.Fake{})
	for _, p := range pairs {
		t.Run(p.tool+" "+p.path, func(t *testing.T) {
			status, body := h.rest(t, p.method, httpapi.Prefix+p.path, p.body)
			require.Less(t, status, 300, body)
			object, wrong := h.tool(t, p.tool, p.args)
			require.False(t, wrong, object)
			require.JSONEq(t, body, object)
		})
	}
}

// TestBothRefuseTheSame compares the members that problems and errors share.
func TestBothRefuseTheSame(t *testing.T) {
	refused := &pilot.Refused{
		Kind: pilot.RefusedConflict, Code: "reassignments_in_flight", Message: "1 partition moves.", Overridable: true,
		RetryAfter: 1500_000_000, Findings: apitest.Health().Findings, Subjects: []string{"orders-3"},
	}
	all := map[string]error{}
	for _, method := range []string{
		"Cluster", "Balance", "Generate", "Current", "Proposal", "Executions", "Execution", "Apply", "Cancel", "Drain",
		"EndMaintenance",
	} {
		all[method] = refused
	}
	h := serve(t, &apitest.Fake{Err: all})
	for _, p := range pairs[1:] {
		t.Run(p.tool+" "+p.path, func(t *testing.T) {
			status, body := h.rest(t, p.method, httpapi.Prefix+p.path, p.body)
			require.Equal(t, http.StatusConflict, status)
			object, wrong := h.tool(t, p.tool, p.args)
			require.True(t, wrong)
			var problem map[string]any
			require.NoError(t, json.Unmarshal([]byte(body), &problem))
			var failure struct{ Error map[string]any }
			require.NoError(t, json.Unmarshal([]byte(object), &failure))
			problem["message"] = problem["detail"]
			for _, onlyREST := range []string{"detail", "title", "status"} {
				delete(problem, onlyREST)
			}
			require.Equal(t, problem, failure.Error)
		})
	}
}
