package pilot

import (
	"context"
	"fmt"
	"time"

	"github.com/kafka-pilot/pilot/safety"
)

// API is what a Service offers; adapters take it, so that they can be tested without one. Every method may be called
// from several goroutines. A request that cannot be served now returns a *Refused.
type API interface {
	// Health says whether the service can work and what would stop a move now.
	Health(ctx context.Context) HealthView
	// Cluster returns the latest reading in short.
	Cluster(ctx context.Context) (ClusterView, error)
	// Balance says how far every broker of the latest reading is from its fair share.
	Balance(ctx context.Context) (BalanceView, error)
	// Current returns the current proposal. It never calculates.
	Current(ctx context.Context) (ProposalView, error)
	// Proposals returns the stored proposals, newest first.
	Proposals(ctx context.Context) ([]ProposalView, error)
	// Proposal returns one stored proposal.
	Proposal(ctx context.Context, id string) (ProposalView, error)
	// Generate returns the current proposal; with immediate it reads the cluster and calculates anew first.
	Generate(ctx context.Context, immediate bool) (ProposalView, error)
	// Apply starts the execution of a stored proposal and returns once it has started.
	Apply(ctx context.Context, id string, o ApplyOptions) (ExecutionView, error)
	// Executions returns the running and the ended executions, newest first, without their moves.
	Executions(ctx context.Context) ([]ExecutionView, error)
	// Execution returns one execution with its moves.
	Execution(ctx context.Context, id string) (ExecutionView, error)
	// Cancel asks a running execution to stop; completed moves stay.
	Cancel(ctx context.Context, id string) (ExecutionView, error)
	// Drain puts a broker into maintenance and moves everything off it.
	Drain(ctx context.Context, broker int32, o DrainOptions) (DrainView, error)
	// EndMaintenance marks a broker as online again. It moves nothing.
	EndMaintenance(ctx context.Context, broker int32) (DrainView, error)
	// InMaintenance returns the brokers in maintenance, sorted.
	InMaintenance(ctx context.Context) ([]int32, error)
}

// ApplyOptions say who applies a proposal and how.
type ApplyOptions struct {
	Force     bool   // pass soft reasons; hard blockers stay
	Reason    string // why, for the audit log
	Principal string // who, for the audit log
}

// DrainOptions say who drains a broker and how.
type DrainOptions struct {
	Force     bool // reduce the replication factor where it cannot be kept
	Reason    string
	Principal string
}

// Refused says why a request cannot be served now. It is the error type of all API methods for everything but failed
// I/O; adapters turn its Kind into a status.
type Refused struct {
	Kind        RefusalKind      `json:"-"`
	Code        string           `json:"code"` // stable, for programs
	Message     string           `json:"message"`
	Overridable bool             `json:"overridable"` // force would pass it
	RetryAfter  time.Duration    `json:"-"`           // 0: not known or of no use
	Findings    []safety.Finding `json:"findings,omitempty"`
	Subjects    []string         `json:"subjects,omitempty"` // brokers or partitions concerned
}

// RefusalKind groups refusals by what a caller can do about them.
type RefusalKind uint8

// The kinds of refusals, with the HTTP status that REST answers.
const (
	RefusedInput    RefusalKind = iota // the request is wrong: 400
	RefusedLicence                     // the entitlement hook said no: 402
	RefusedMissing                     // no such proposal, execution or broker: 404
	RefusedConflict                    // not in the present state: 409
	RefusedNotReady                    // not yet, try again later: 503
)

// Error returns the code and the sentence.
func (r *Refused) Error() string { return fmt.Sprintf("%s: %s", r.Code, r.Message) }
