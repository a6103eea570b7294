package mcpserver_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	mcpserver "github.com/kafka-pilot/pilot/adapters/mcp"
)

// user answers the questions of a server as it was told to, and remembers them.
type user struct {
	action    mcp.ElicitationResponseAction
	content   any
	questions []string
}

func (u *user) Elicit(_ context.Context, req mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	u.questions = append(u.questions, req.Params.Message)
	return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: u.action, Content: u.content}}, nil
}

// agreeing returns a user who says yes to everything.
func agreeing() *user {
	return &user{action: mcp.ElicitationResponseActionAccept, content: map[string]any{"confirm": true}}
}

// connect returns a client in this process that speaks one revision of the protocol. asks may be nil: a client that
// cannot ask its user.
func connect(t *testing.T, api pilot.API, o mcpserver.Options, version string, asks *user) *client.Client {
	t.Helper()
	options := []client.ClientOption{client.WithProtocolVersion(version)}
	if asks != nil {
		options = append(options, client.WithElicitationHandler(asks))
	}
	c, err := client.NewInProcessClientWithOptions(mcpserver.New(api, o), options...)
	require.NoError(t, err)
	return started(t, c, version)
}

// connectHTTP is the same over a connection.
func connectHTTP(t *testing.T, api pilot.API, o mcpserver.Options, version string, asks *user) *client.Client {
	t.Helper()
	s := httptest.NewServer(mcpserver.Handler(api, o))
	t.Cleanup(s.Close)
	tr, err := transport.NewStreamableHTTP(s.URL+"/mcp", transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + o.Token}))
	require.NoError(t, err)
	options := []client.ClientOption{client.WithProtocolVersion(version)}
	if asks != nil {
		options = append(options, client.WithElicitationHandler(asks))
	}
	return started(t, client.NewClient(tr, options...), version)
}

func started(t *testing.T, c *client.Client, version string) *client.Client {
	t.Helper()
	t.Cleanup(func() { _ = c.Close() })
	require.NoError(t, c.Start(t.Context()))
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = version
	hello.Params.ClientInfo = mcp.Implementation{Name: "test", Version: "1"}
	_, err := c.Initialize(t.Context(), hello)
	require.NoError(t, err)
	return c
}

// call returns what a tool answers: the object, and its error if it is one.
func call(t *testing.T, c *client.Client, tool string, args map[string]any) (json.RawMessage, *problem) {
	t.Helper()
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = tool, args
	r, err := c.CallTool(t.Context(), req)
	require.NoError(t, err)
	return unwrap(t, r)
}

// problem is an error as a client reads it.
type problem struct {
	Code        string
	Message     string
	Overridable bool
	RetryAfter  int
	Confirm     string
}

// code is "" for no error.
func (p *problem) code() string {
	if p == nil {
		return ""
	}
	return p.Code
}

func unwrap(t *testing.T, r *mcp.CallToolResult) (json.RawMessage, *problem) {
	t.Helper()
	data, err := json.Marshal(r.StructuredContent)
	require.NoError(t, err)
	require.Len(t, r.Content, 1)
	text, ok := r.Content[0].(mcp.TextContent)
	require.True(t, ok)
	require.JSONEq(t, text.Text, string(data), "the text for clients that know no objects")
	if !r.IsError {
		return data, nil
	}
	var wrapped struct{ Error problem }
	require.NoError(t, json.Unmarshal(data, &wrapped))
	require.NotEmpty(t, wrapped.Error.Code)
	require.NotEmpty(t, wrapped.Error.Message)
	return nil, &wrapped.Error
}
