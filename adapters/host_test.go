package adapters_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	httpapi "github.com/kafka-pilot/pilot/adapters/http"
	mcpserver "github.com/kafka-pilot/pilot/adapters/mcp"
)

func TestMain(m *testing.M) {
	gin.SetMode(gin.TestMode)
	os.Exit(m.Run())
}

// host is a program that serves both adapters over one service, and a client of each.
type host struct {
	url string
	mcp *client.Client
}

// serve starts a host. The MCP client says yes to every question.
func serve(t *testing.T, api pilot.API) *host {
	t.Helper()
	engine := gin.New()
	httpapi.Register(engine, api, httpapi.Options{})
	httpapi.RegisterOps(engine, api)
	engine.Any("/mcp", gin.WrapH(mcpserver.Handler(api, mcpserver.Options{Mode: mcpserver.Write})))
	server := httptest.NewServer(engine)
	t.Cleanup(server.Close)
	tr, err := transport.NewStreamableHTTP(server.URL + "/mcp")
	require.NoError(t, err)
	c := client.NewClient(tr, client.WithElicitationHandler(yes{}))
	t.Cleanup(func() { _ = c.Close() })
	require.NoError(t, c.Start(t.Context()))
	_, err = c.Initialize(t.Context(), mcp.InitializeRequest{})
	require.NoError(t, err)
	return &host{server.URL, c}
}

// rest returns the status and the body of an answer.
func (h *host) rest(t *testing.T, method, path, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, h.url+path, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(data)
}

// tool returns the object that a tool answers with, and whether it is an error.
func (h *host) tool(t *testing.T, name string, args map[string]any) (string, bool) {
	t.Helper()
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = name, args
	r, err := h.mcp.CallTool(t.Context(), req)
	require.NoError(t, err)
	return string(r.RawStructuredContent), r.IsError
}

// yes is a user who agrees to everything.
type yes struct{}

// Elicit answers a question.
func (yes) Elicit(context.Context, mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{
		Action: mcp.ElicitationResponseActionAccept, Content: map[string]any{"confirm": true},
	}}, nil
}
