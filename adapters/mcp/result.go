package mcpserver

import (
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/kafka-pilot/pilot/adapters/internal/wire"
)

// failure is an error as tools return it: that of REST, and the token when a confirmation is missing.
type failure struct {
	wire.Failure
	Confirm string `json:"confirm,omitempty"`
}

// arguments reads what the client sent, as strictly as REST reads a body, but that some clients send null for nothing.
func arguments(req mcp.CallToolRequest, out any) error {
	if string(req.Params.RawArguments) == "null" {
		return nil
	}
	return wire.Decode(req.Params.RawArguments, out)
}

// result returns the view, as structured content and, for clients that know only text, as text.
func result(view any, err error) *mcp.CallToolResult {
	if err != nil {
		return failed(err)
	}
	data, err := wire.Encode(view)
	if err != nil {
		return refusal(failure{Failure: wire.Failure{Code: wire.CodeInternal, Message: "The answer could not be written: " + err.Error()}})
	}
	return mcp.NewToolResultStructured(data, string(data))
}

// failed returns an error as a result, since a client does not show a protocol error to its model.
func failed(err error) *mcp.CallToolResult {
	f, _ := wire.FailureOf(err)
	return refusal(failure{Failure: f})
}

func refusal(f failure) *mcp.CallToolResult {
	data, err := wire.Encode(map[string]failure{"error": f})
	if err != nil {
		return mcp.NewToolResultError(f.Message)
	}
	r := mcp.NewToolResultStructured(data, string(data))
	r.IsError = true
	return r
}
