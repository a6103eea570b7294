package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/adapters/internal/apitest"
	mcpserver "github.com/kafka-pilot/pilot/adapters/mcp"
)

// raw sends one call of the newest revision as any program could write it, and returns the result.
func raw(t *testing.T, h http.Handler, params map[string]any) *mcp.CallToolResult {
	t.Helper()
	params["_meta"] = map[string]any{
		mcp.MetaKeyProtocolVersion:    mcp.LATEST_PROTOCOL_VERSION,
		mcp.MetaKeyClientCapabilities: map[string]any{"elicitation": map[string]any{}},
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
	require.NoError(t, err)
	req := httptest.NewRequestWithContext(t.Context(), "POST", "/mcp", bytes.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(mcp.HeaderProtocolVersion, mcp.LATEST_PROTOCOL_VERSION)
	req.Header.Set("Mcp-Method", "tools/call")
	req.Header.Set("Mcp-Name", params["name"].(string))
	answer := httptest.NewRecorder()
	h.ServeHTTP(answer, req)
	var envelope struct{ Result *mcp.CallToolResult }
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &envelope))
	require.NotNil(t, envelope.Result, answer.Body)
	return envelope.Result
}

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// TestGuard lists who gets through to the protocol.
func TestGuard(t *testing.T) {
	o := mcpserver.Options{Token: "secret", Origins: []string{"https://ops.example"}}
	for name, test := range map[string]struct {
		o      mcpserver.Options
		header map[string]string
		body   io.Reader
		status int
		code   string
	}{
		"open server":             {mcpserver.Options{}, nil, nil, 200, ""},
		"right token":             {o, map[string]string{"Authorization": "Bearer secret"}, nil, 200, ""},
		"scheme in small letters": {o, map[string]string{"Authorization": "bearer secret"}, nil, 200, ""},
		"no token":                {o, nil, nil, 401, "unauthorized"},
		"wrong token":             {o, map[string]string{"Authorization": "Bearer secrets"}, nil, 401, "unauthorized"},
		"another scheme":          {o, map[string]string{"Authorization": "Basic secret"}, nil, 401, "unauthorized"},
		"page on loopback":        {mcpserver.Options{}, map[string]string{"Origin": "http://localhost:3000"}, nil, 200, ""},
		"page on an address":      {mcpserver.Options{}, map[string]string{"Origin": "http://[::1]:3000"}, nil, 200, ""},
		"page of the list": {o, map[string]string{"Origin": "https://ops.example", "Authorization": "Bearer secret"},
			nil, 200, ""},
		"page of elsewhere":      {mcpserver.Options{}, map[string]string{"Origin": "https://evil.example"}, nil, 403, "origin_forbidden"},
		"page of a like name":    {mcpserver.Options{}, map[string]string{"Origin": "http://localhost.evil.example"}, nil, 403, "origin_forbidden"},
		"page of nowhere":        {mcpserver.Options{}, map[string]string{"Origin": "null"}, nil, 403, "origin_forbidden"},
		"page that is no origin": {mcpserver.Options{}, map[string]string{"Origin": "http://%zz"}, nil, 403, "origin_forbidden"},
		"huge body":              {mcpserver.Options{}, nil, strings.NewReader(strings.Repeat(" ", 1<<20) + ping), 413, "body_too_large"},
	} {
		t.Run(name, func(t *testing.T) {
			if test.body == nil {
				test.body = strings.NewReader(ping)
			}
			req := httptest.NewRequestWithContext(t.Context(), "POST", "http://127.0.0.1/mcp", test.body)
			req.Header.Set("Content-Type", "application/json")
			for n, v := range test.header {
				req.Header.Set(n, v)
			}
			answer := httptest.NewRecorder()
			mcpserver.Handler(&apitest.Fake{}, test.o).ServeHTTP(answer, req)
			require.Equal(t, test.status, answer.Code, answer.Body)
			require.Equal(t, test.code, codeOf(t, answer.Body.Bytes()))
			require.Equal(t, test.status == 401, answer.Header().Get("WWW-Authenticate") != "")
		})
	}
}

func codeOf(t *testing.T, body []byte) string {
	t.Helper()
	var b struct{ Error struct{ Code string } }
	if !bytes.Contains(body, []byte(`"error"`)) {
		return ""
	}
	require.NoError(t, json.Unmarshal(body, &b))
	return b.Error.Code
}

// TestBodyWithoutEnd says no length beforehand and is cut off all the same.
func TestBodyWithoutEnd(t *testing.T) {
	req := httptest.NewRequestWithContext(t.Context(), "POST", "/mcp", io.MultiReader(strings.NewReader(strings.Repeat(" ", 2<<20)), strings.NewReader(ping)))
	req.ContentLength = -1
	req.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	mcpserver.Handler(&apitest.Fake{}, mcpserver.Options{}).ServeHTTP(answer, req)
	require.Contains(t, answer.Body.String(), "too large")
}

// TestNothingIsSentUnasked: there is no stream to hold open.
func TestNothingIsSentUnasked(t *testing.T) {
	answer := httptest.NewRecorder()
	mcpserver.Handler(&apitest.Fake{}, mcpserver.Options{}).ServeHTTP(answer, httptest.NewRequest("GET", "/mcp", nil))
	require.Equal(t, http.StatusMethodNotAllowed, answer.Code)
}

func TestLogger(t *testing.T) {
	var log bytes.Buffer
	o := mcpserver.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}
	_, wrong := call(t, connect(t, &apitest.Fake{}, o, mcp.LATEST_PROTOCOL_VERSION, nil), "get_health", nil)
	require.Nil(t, wrong)
	require.Contains(t, log.String(), "get_health")
}
