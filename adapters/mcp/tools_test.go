package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/adapters/internal/apitest"
	mcpserver "github.com/kafka-pilot/pilot/adapters/mcp"
)

// reading and writing are the tools with arguments that suit them.
var reading = map[string]map[string]any{
	"get_health":         nil,
	"get_cluster":        nil,
	"get_balance":        nil,
	"generate_proposal":  nil,
	"get_proposal":       {"id": "9f2c41"},
	"list_reassignments": nil,
	"get_reassignment":   {"id": "e-17"},
}

var writing = map[string]map[string]any{
	"apply_proposal":      {"id": "9f2c41", "force": true, "reason": "CHG-1182"},
	"cancel_reassignment": {"id": "e-17"},
	"drain_broker":        {"broker": 0, "force": true, "reason": "disk"},
	"exit_maintenance":    {"broker": 4},
}

func tools(t *testing.T, c *client.Client) map[string]mcp.Tool {
	t.Helper()
	list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
	require.NoError(t, err)
	found := map[string]mcp.Tool{}
	for _, tool := range list.Tools {
		found[tool.Name] = tool
	}
	return found
}

func names[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// TestEveryRevisionOverEveryTransport lists and calls tools with a real client of each.
func TestEveryRevisionOverEveryTransport(t *testing.T) {
	for name, connectTo := range map[string]func(*testing.T, pilot.API, mcpserver.Options, string, *user) *client.Client{
		"in process": connect, "HTTP": connectHTTP,
	} {
		for _, version := range mcp.ValidProtocolVersions {
			t.Run(name+" "+version, func(t *testing.T) {
				c := connectTo(t, &apitest.Fake{}, mcpserver.Options{Mode: mcpserver.Write, Token: "secret"}, version, nil)
				require.Equal(t, version, c.ProtocolVersion())
				require.Len(t, tools(t, c), len(reading)+len(writing))
				for tool, args := range reading {
					data, wrong := call(t, c, tool, args)
					require.Nil(t, wrong, tool)
					require.NotContains(t, string(data), "null")
				}
			})
		}
	}
}

// TestModes: what a mode does not offer is neither listed nor callable.
func TestModes(t *testing.T) {
	api := &apitest.Fake{}
	readOnly := connect(t, api, mcpserver.Options{}, mcp.LATEST_PROTOCOL_VERSION, agreeing())
	require.Equal(t, names(reading), names(tools(t, readOnly)))
	for tool, args := range writing {
		var req mcp.CallToolRequest
		req.Params.Name, req.Params.Arguments = tool, args
		_, err := readOnly.CallTool(t.Context(), req)
		require.ErrorContains(t, err, "not found", tool)
	}
	require.Empty(t, api.Calls())
	write := connect(t, api, mcpserver.Options{Mode: mcpserver.Write}, mcp.LATEST_PROTOCOL_VERSION, nil)
	require.ElementsMatch(t, append(names(reading), names(writing)...), names(tools(t, write)))
}

// TestHints: each tool says all four, and only those that destroy nothing are spared a confirmation.
func TestHints(t *testing.T) {
	c := connect(t, &apitest.Fake{}, mcpserver.Options{Mode: mcpserver.Write}, mcp.LATEST_PROTOCOL_VERSION, nil)
	for name, tool := range tools(t, c) {
		_, reads := reading[name]
		a := tool.Annotations
		for _, hint := range []*bool{a.ReadOnlyHint, a.DestructiveHint, a.IdempotentHint, a.OpenWorldHint} {
			require.NotNil(t, hint, name)
		}
		require.Equal(t, reads, *a.ReadOnlyHint, name)
		require.Equal(t, !reads && name != "exit_maintenance", *a.DestructiveHint, name)
		require.Equal(t, !*a.DestructiveHint, *a.IdempotentHint, name)
		require.False(t, *a.OpenWorldHint, name)
		require.NotEmpty(t, tool.Description, name)
	}
}

// TestSchemas: every schema is one, is strict, has no list of types, and what a tool returns fits it.
func TestSchemas(t *testing.T) {
	c := connect(t, &apitest.Fake{}, mcpserver.Options{Mode: mcpserver.Write}, mcp.LATEST_PROTOCOL_VERSION, agreeing())
	args := maps.Clone(reading)
	maps.Copy(args, writing)
	for name, tool := range tools(t, c) {
		t.Run(name, func(t *testing.T) {
			wire, err := json.Marshal(tool)
			require.NoError(t, err)
			require.NotContains(t, string(wire), `"null"`)
			var s struct{ InputSchema, OutputSchema *jsonschema.Schema }
			require.NoError(t, json.Unmarshal(wire, &s))
			require.Equal(t, "object", s.InputSchema.Type)
			require.NotNil(t, s.InputSchema.AdditionalProperties, "strict")
			require.NotEmpty(t, s.OutputSchema.Properties)
			valid(t, s.InputSchema, mustJSON(t, args[name]))
			data, wrong := call(t, c, name, args[name])
			require.Nil(t, wrong)
			valid(t, s.OutputSchema, data)
		})
	}
}

func valid(t *testing.T, schema *jsonschema.Schema, data json.RawMessage) {
	t.Helper()
	resolved, err := schema.Resolve(nil)
	require.NoError(t, err)
	var value any
	require.NoError(t, json.Unmarshal(data, &value))
	require.NoError(t, resolved.Validate(value), string(data))
}

func mustJSON(t *testing.T, args map[string]any) json.RawMessage {
	t.Helper()
	if args == nil {
		return json.RawMessage("{}")
	}
	data, err := json.Marshal(args)
	require.NoError(t, err)
	return data
}

func TestWrongArguments(t *testing.T) {
	api := &apitest.Fake{}
	c := connect(t, api, mcpserver.Options{Mode: mcpserver.Write}, mcp.LATEST_PROTOCOL_VERSION, agreeing())
	for name, test := range map[string]struct {
		tool string
		args map[string]any
		code string
		says string
	}{
		"misspelt argument":    {"apply_proposal", map[string]any{"id": "p", "forse": true}, "unknown_field", "forse"},
		"argument for none":    {"get_health", map[string]any{"x": 1}, "unknown_field", "takes no fields"},
		"cluster with one":     {"get_cluster", map[string]any{"x": 1}, "unknown_field", `"x"`},
		"balance with one":     {"get_balance", map[string]any{"x": 1}, "unknown_field", `"x"`},
		"generate with one":    {"generate_proposal", map[string]any{"immediate": true}, "unknown_field", `"immediate"`},
		"list with one":        {"list_reassignments", map[string]any{"x": 1}, "unknown_field", `"x"`},
		"proposal by number":   {"get_proposal", map[string]any{"id": 7}, "invalid_field", "a text"},
		"proposal by no ID":    {"get_proposal", map[string]any{"id": "../x"}, "invalid_id", "letters"},
		"execution by number":  {"get_reassignment", map[string]any{"id": 7}, "invalid_field", "a text"},
		"execution by nothing": {"get_reassignment", nil, "invalid_id", "letters"},
		"apply nothing":        {"apply_proposal", nil, "invalid_id", "letters"},
		"endless reason":       {"apply_proposal", map[string]any{"id": "p", "reason": strings.Repeat("x", 1001)}, "invalid_field", "1000"},
		"cancel nothing":       {"cancel_reassignment", nil, "invalid_id", "letters"},
		"drain no broker":      {"drain_broker", nil, "invalid_field", "missing"},
		"drain a host":         {"drain_broker", map[string]any{"broker": "kafka-1"}, "invalid_field", "32 bits"},
		"drain below 0":        {"drain_broker", map[string]any{"broker": -1}, "invalid_id", "from 0"},
		"exit of no broker":    {"exit_maintenance", nil, "invalid_field", "missing"},
	} {
		t.Run(name, func(t *testing.T) {
			_, wrong := call(t, c, test.tool, test.args)
			require.Equal(t, test.code, wrong.code())
			require.Contains(t, wrong.Message, test.says)
		})
	}
	require.Empty(t, api.Calls())
}

// TestErrorsOfTheService arrive as results that a model can read.
func TestErrorsOfTheService(t *testing.T) {
	refused := &pilot.Refused{
		Kind: pilot.RefusedConflict, Code: "reassignments_in_flight", Message: "1 partition moves.", Overridable: true,
		RetryAfter: 90 * time.Second,
	}
	for tool, method := range map[string]string{
		"get_cluster": "Cluster", "get_balance": "Balance", "generate_proposal": "Generate", "get_proposal": "Proposal",
		"list_reassignments": "Executions", "get_reassignment": "Execution", "apply_proposal": "Apply",
		"cancel_reassignment": "Cancel", "drain_broker": "Drain", "exit_maintenance": "EndMaintenance",
	} {
		t.Run(tool, func(t *testing.T) {
			api := &apitest.Fake{Err: map[string]error{method: refused}}
			c := connect(t, api, mcpserver.Options{Mode: mcpserver.Write}, mcp.LATEST_PROTOCOL_VERSION, agreeing())
			args := reading[tool]
			if args == nil {
				args = writing[tool]
			}
			_, wrong := call(t, c, tool, args)
			require.Equal(t, &problem{Code: refused.Code, Message: refused.Message, Overridable: true, RetryAfter: 90}, wrong)
		})
	}
}

func TestFailuresBeforeTheQuestion(t *testing.T) {
	for tool, method := range map[string]string{
		"apply_proposal": "Proposal", "cancel_reassignment": "Execution", "drain_broker": "Cluster",
	} {
		api := &apitest.Fake{Err: map[string]error{method: errors.New("no route to kafka-1")}}
		asked := agreeing()
		c := connect(t, api, mcpserver.Options{Mode: mcpserver.Write}, mcp.LATEST_PROTOCOL_VERSION, asked)
		_, wrong := call(t, c, tool, writing[tool])
		require.Equal(t, "cluster_unavailable", wrong.code())
		require.Contains(t, wrong.Message, "kafka-1")
		require.Empty(t, asked.questions)
		require.Empty(t, api.Calls())
	}
}

func TestCurrentProposalWithoutID(t *testing.T) {
	api := &apitest.Fake{Err: map[string]error{"Proposal": errors.New("not this one")}}
	c := connect(t, api, mcpserver.Options{}, mcp.LATEST_PROTOCOL_VERSION, nil)
	data, wrong := call(t, c, "get_proposal", nil)
	require.Nil(t, wrong)
	require.Contains(t, string(data), `"id":"9f2c41"`)
}

// TestWhoCalls: the audit log gets the principal that the host makes of the request.
func TestWhoCalls(t *testing.T) {
	for name, test := range map[string]struct {
		principal func(context.Context, http.Header) string
		want      string
	}{
		"nobody says": {nil, "mcp"},
		"the host does": {func(_ context.Context, h http.Header) string {
			return fmt.Sprintf("%d characters", len(h.Get("Authorization")))
		}, "13 characters"},
	} {
		t.Run(name, func(t *testing.T) {
			api := &apitest.Fake{}
			o := mcpserver.Options{Mode: mcpserver.Write, Token: "secret", Principal: test.principal}
			c := connectHTTP(t, api, o, mcp.LATEST_PROTOCOL_VERSION, agreeing())
			_, wrong := call(t, c, "apply_proposal", writing["apply_proposal"])
			require.Nil(t, wrong)
			want := apitest.Call{Method: "Apply", ID: "9f2c41", Force: true, Reason: "CHG-1182", Principal: test.want}
			require.Equal(t, []apitest.Call{want}, api.Calls())
		})
	}
}

// unreadable has a number that JSON cannot write.
type unreadable struct{ apitest.Fake }

func (*unreadable) Balance(context.Context) (pilot.BalanceView, error) {
	v := apitest.Balance()
	zero := 0.0
	v.Summary.Rows[0].Distance = zero / zero
	return v, nil
}

func TestFaultyViewIsAnError(t *testing.T) {
	c := connect(t, &unreadable{}, mcpserver.Options{}, mcp.LATEST_PROTOCOL_VERSION, nil)
	_, wrong := call(t, c, "get_balance", nil)
	require.Equal(t, "internal_error", wrong.code())
}
