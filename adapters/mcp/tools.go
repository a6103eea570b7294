package mcpserver

import (
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/adapters/internal/wire"
)

// The arguments of the tools. A field without omitempty is required.
type (
	noArgs       struct{}
	proposalArgs struct {
		ID string `json:"id,omitempty" jsonschema:"ID of a stored proposal; without it the current one"`
	}
	executionArgs struct {
		ID string `json:"id" jsonschema:"ID of the reassignment"`
	}
	applyArgs struct {
		ID      string `json:"id" jsonschema:"ID of the proposal that was reviewed"`
		Force   bool   `json:"force,omitempty" jsonschema:"pass reasons that an earlier error called overridable"`
		Reason  string `json:"reason,omitempty" jsonschema:"why, for the audit log"`
		Confirm string `json:"confirm,omitempty" jsonschema:"the token of an earlier confirmation_required error"`
	}
	cancelArgs struct {
		ID      string `json:"id" jsonschema:"ID of the reassignment"`
		Confirm string `json:"confirm,omitempty" jsonschema:"the token of an earlier confirmation_required error"`
	}
	drainArgs struct {
		Broker  *int32 `json:"broker" jsonschema:"ID of the broker"`
		Force   bool   `json:"force,omitempty" jsonschema:"reduce the replication factor where it cannot be kept"`
		Reason  string `json:"reason,omitempty" jsonschema:"why, for the audit log"`
		Confirm string `json:"confirm,omitempty" jsonschema:"the token of an earlier confirmation_required error"`
	}
	brokerArgs struct {
		Broker *int32 `json:"broker" jsonschema:"ID of the broker"`
	}
)

// all returns every tool; the mode decides which of them a client gets.
func (t *tools) all() []server.ServerTool {
	return []server.ServerTool{
		tool[noArgs, pilot.HealthView]("get_health", reads, t.health,
			"Say whether the service can work and what would stop a move now."),
		tool[noArgs, pilot.ClusterView]("get_cluster", reads, t.cluster,
			"Return the latest reading of the cluster in short: brokers with what they carry, counts of topics and partitions."),
		tool[noArgs, pilot.BalanceView]("get_balance", reads, t.balance,
			"Say how far every broker is from its fair share of each of the seven loads."),
		tool[noArgs, pilot.ProposalView]("generate_proposal", reads, t.generate,
			"Return the plan that the service keeps ready, with the decision on it. Moves nothing."),
		tool[proposalArgs, pilot.ProposalView]("get_proposal", reads, t.proposal,
			"Return a stored plan, or the current one, with the decision on it."),
		tool[noArgs, wire.Reassignments]("list_reassignments", reads, t.reassignments,
			"List running and ended executions, newest first, without their moves."),
		tool[executionArgs, pilot.ExecutionView]("get_reassignment", reads, t.reassignment,
			"Return one execution with the state of each of its moves."),
		tool[applyArgs, pilot.ExecutionView]("apply_proposal", destroys, t.apply,
			"Execute a stored plan: move partitions between brokers. Asks for confirmation. Returns once it has started."),
		tool[cancelArgs, pilot.ExecutionView]("cancel_reassignment", destroys, t.cancel,
			"Stop an execution. Moves that are done stay. Asks for confirmation."),
		tool[drainArgs, pilot.DrainView]("drain_broker", destroys, t.drain,
			"Put a broker into maintenance and move everything off it. Asks for confirmation. Returns once it has started."),
		tool[brokerArgs, pilot.DrainView]("exit_maintenance", changes, t.exitMaintenance,
			"Mark a broker as online again. Moves nothing; the next plan counts the broker in."),
	}
}

// effect is what a tool does, as the hints of the protocol say it.
type effect struct{ readOnly, destructive, idempotent bool }

var (
	reads    = effect{readOnly: true, idempotent: true}
	changes  = effect{idempotent: true}
	destroys = effect{destructive: true}
)

// tool sets all four hints, since those left out mean the worst.
func tool[In, Out any](name string, e effect, handler server.ToolHandlerFunc, description string) server.ServerTool {
	return server.ServerTool{Handler: handler, Tool: mcp.NewTool(name,
		mcp.WithDescription(description),
		mcp.WithRawInputSchema(schema[In](limitArguments)), mcp.WithRawOutputSchema(schema[Out]()),
		mcp.WithReadOnlyHintAnnotation(e.readOnly), mcp.WithDestructiveHintAnnotation(e.destructive),
		mcp.WithIdempotentHintAnnotation(e.idempotent), mcp.WithOpenWorldHintAnnotation(false),
		noStructuredSchema,
	)}
}

// noStructuredSchema takes away the empty schema of NewTool, which would stand beside ours.
func noStructuredSchema(t *mcp.Tool) { t.InputSchema = mcp.ToolInputSchema{} }

// schema describes a T. A type that has none, which a test rules out, is any object.
func schema[T any](tweaks ...func(*jsonschema.Schema)) json.RawMessage {
	s, err := wire.SchemaOf[T]()
	if err != nil {
		s = &jsonschema.Schema{Type: "object"}
	}
	for _, tweak := range tweaks {
		tweak(s)
	}
	text, err := json.Marshal(s)
	if err != nil {
		return json.RawMessage(`{"type":"object"}`)
	}
	return text
}

// limitArguments adds what a Go type cannot say.
func limitArguments(s *jsonschema.Schema) {
	if reason := s.Properties["reason"]; reason != nil {
		reason.MaxLength = jsonschema.Ptr(wire.MaxReason)
	}
	if broker := s.Properties["broker"]; broker != nil {
		broker.Minimum = jsonschema.Ptr(0.0)
	}
}
