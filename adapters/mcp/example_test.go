package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"

	"github.com/gin-gonic/gin"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/adapters/internal/apitest"
	mcpserver "github.com/kafka-pilot/pilot/adapters/mcp"
)

// Serve a read-only MCP server beside the routes that a gin engine has already, and call it.
func ExampleHandler() {
	gin.SetMode(gin.ReleaseMode)
	var service pilot.API = &apitest.Fake{} // a *pilot.Service in a program
	engine := gin.New()
	engine.Any("/mcp", gin.WrapH(mcpserver.Handler(service, mcpserver.Options{Token: "secret"})))

	server := httptest.NewServer(engine)
	defer server.Close()
	message, err := ask(server.URL + "/mcp")
	fmt.Println(message, err)
	// Output: Broker 1 is 28% below its fair share of leaders. The plan brings every broker within 5%. <nil>
}

// ask calls get_proposal with a real client and returns the message of the plan.
func ask(url string) (string, error) {
	ctx := context.Background()
	t, err := transport.NewStreamableHTTP(url, transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer secret"}))
	if err != nil {
		return "", err
	}
	c := client.NewClient(t)
	defer c.Close()
	if err := c.Start(ctx); err != nil {
		return "", err
	}
	if _, err := c.Initialize(ctx, mcp.InitializeRequest{}); err != nil {
		return "", err
	}
	var req mcp.CallToolRequest
	req.Params.Name = "get_proposal"
	result, err := c.CallTool(ctx, req)
	if err != nil {
		return "", err
	}
	var view struct{ Proposal struct{ Message string } }
	err = json.Unmarshal(result.RawStructuredContent, &view)
	return view.Proposal.Message, err
}
