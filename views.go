package pilot

import (
	"time"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/safety"
)

// The views are the objects that a Service answers with. REST and MCP encode them as they are, so both say the same.

// HealthView says whether the service can work.
type HealthView struct {
	Ready    bool             `json:"ready"`
	Reason   string           `json:"reason,omitempty"` // why it is not ready, one sentence
	ReadAt   *time.Time       `json:"readAt,omitempty"` // time of the latest reading
	Findings []safety.Finding `json:"findings"`         // what would stop a move now
}

// ClusterView is the latest reading in short.
type ClusterView struct {
	TakenAt     time.Time    `json:"takenAt"`
	Brokers     []BrokerView `json:"brokers"`
	Topics      int          `json:"topics"`
	Partitions  int          `json:"partitions"`
	Replicas    int          `json:"replicas"`
	UnderISR    int          `json:"underReplicated"` // partitions with replicas out of sync
	Moving      int          `json:"moving"`          // partitions with a reassignment in flight
	Unmeasured  int          `json:"unmeasured"`      // partitions whose size or rates are not known
	Maintenance []int32      `json:"maintenance"`     // brokers in maintenance
}

// BrokerView is one broker of a ClusterView with what it carries.
type BrokerView struct {
	ID    int32               `json:"id"`
	Host  string              `json:"host"`
	Rack  string              `json:"rack"`
	State balance.BrokerState `json:"state"`
	Load  map[string]float64  `json:"load"` // by the names of the loads
}

// BalanceView says how far every broker is from its fair share.
type BalanceView struct {
	TakenAt time.Time       `json:"takenAt"`
	Summary balance.Summary `json:"summary"`
	Report  balance.Report  `json:"report"`
}

// ProposalView is a stored proposal with the decision on it.
type ProposalView struct {
	ID        string            `json:"id"`
	CreatedAt time.Time         `json:"createdAt"`
	Stored    string            `json:"storedStatus"` // pending, ready, applied, cancelled or failed
	Proposal  *balance.Proposal `json:"proposal"`
	Decision  safety.Decision   `json:"decision"`
}

// MoveState says how far one move is (row EXE-04).
type MoveState string

// The states of a move and of a whole execution.
const (
	StatePending   MoveState = "pending"
	StateActive    MoveState = "active"
	StateCompleted MoveState = "completed"
	StateFailed    MoveState = "failed"
	StateCancelled MoveState = "cancelled"
	StateTimedOut  MoveState = "timed_out"
)

// ExecutionView is an execution and how far it is.
type ExecutionView struct {
	ID         string     `json:"id"`
	Strategy   string     `json:"strategy"` // PROPOSAL, DRAIN or BULK_MANUAL
	ProposalID string     `json:"proposalId,omitempty"`
	Broker     *int32     `json:"broker,omitempty"` // the broker that is drained
	State      MoveState  `json:"state"`
	StartedAt  time.Time  `json:"startedAt"`
	EndedAt    *time.Time `json:"endedAt,omitempty"`
	Message    string     `json:"message"` // one sentence: what it is doing, or how it ended

	Submitted int `json:"submitted"` // all moves
	Completed int `json:"completed"`
	Active    int `json:"active"`
	Pending   int `json:"pending"`
	Failed    int `json:"failed"`
	Cancelled int `json:"cancelled"`
	TimedOut  int `json:"timedOut"`

	CopyBytes       int64            `json:"copyBytes"`               // to copy in all, an estimate
	CopiedBytes     int64            `json:"copiedBytes"`             // copied so far, an estimate
	SecondsLeft     *int64           `json:"secondsLeft,omitempty"`   // an estimate; absent when there is nothing to go by
	ThrottleBytes   *int64           `json:"throttleBytes,omitempty"` // bytes per second for each broker; absent is no throttle
	CancelRequested bool             `json:"cancelRequested"`
	Unconfirmed     []string         `json:"unconfirmed"` // partitions whose cancel Kafka did not confirm
	Moves           []MoveStatusView `json:"moves"`
}

// MoveStatusView is one move of an execution.
type MoveStatusView struct {
	Topic     string    `json:"topic"`
	Partition int32     `json:"partition"`
	From      []int32   `json:"from"`
	To        []int32   `json:"to"`
	State     MoveState `json:"state"`
	Reason    string    `json:"reason,omitempty"` // why it failed, was cancelled or waits
}

// DrainView is the answer to a drain.
type DrainView struct {
	Broker        int32              `json:"broker"`
	State         string             `json:"state"`               // draining, maintenance or online
	Execution     *ExecutionView     `json:"execution,omitempty"` // absent when there was nothing to move
	ReducedFactor []string           `json:"reducedFactor"`       // partitions that a forced drain leaves with fewer replicas
	RackCollapses []RackCollapseView `json:"rackCollapses"`
	Warnings      []string           `json:"warnings"`
}

// RackCollapseView is a partition that a drain leaves on fewer racks.
type RackCollapseView struct {
	Topic     string   `json:"topic"`
	Partition int32    `json:"partition"`
	Replicas  []int32  `json:"replicas"`
	Racks     []string `json:"racks"`
}
