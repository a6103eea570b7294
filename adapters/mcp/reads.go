package mcpserver

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/kafka-pilot/pilot/adapters/internal/wire"
)

func (t *tools) health(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if err := arguments(req, &noArgs{}); err != nil {
		return failed(err), nil
	}
	return result(t.api.Health(ctx), nil), nil
}

func (t *tools) cluster(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if err := arguments(req, &noArgs{}); err != nil {
		return failed(err), nil
	}
	return result(t.api.Cluster(ctx)), nil
}

func (t *tools) balance(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if err := arguments(req, &noArgs{}); err != nil {
		return failed(err), nil
	}
	return result(t.api.Balance(ctx)), nil
}

// generate never calculates anew: that is for REST alone, so that a model that asks often costs nothing.
func (t *tools) generate(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if err := arguments(req, &noArgs{}); err != nil {
		return failed(err), nil
	}
	return result(t.api.Generate(ctx, false)), nil
}

func (t *tools) proposal(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in proposalArgs
	if err := arguments(req, &in); err != nil {
		return failed(err), nil
	}
	if in.ID == "" {
		return result(t.api.Current(ctx)), nil
	}
	if err := wire.CheckID(in.ID); err != nil {
		return failed(err), nil
	}
	return result(t.api.Proposal(ctx, in.ID)), nil
}

func (t *tools) reassignments(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if err := arguments(req, &noArgs{}); err != nil {
		return failed(err), nil
	}
	list, err := t.api.Executions(ctx)
	return result(wire.Reassignments{Reassignments: list}, err), nil
}

func (t *tools) reassignment(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in executionArgs
	if err := arguments(req, &in); err != nil {
		return failed(err), nil
	}
	if err := wire.CheckID(in.ID); err != nil {
		return failed(err), nil
	}
	return result(t.api.Execution(ctx, in.ID)), nil
}
