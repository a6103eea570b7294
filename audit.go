package pilot

import (
	"context"
	"slices"
	"time"

	"github.com/kafka-pilot/pilot/safety"
)

// Actions of requests and audit events. They never change their meaning.
const (
	actionApply          = "proposals.apply"
	actionCancel         = "reassignments.cancel"
	actionDrain          = "maintenance.enter"
	actionEndMaintenance = "maintenance.exit"
)

// Request is a change that somebody asks for, as Options.Authorize judges it.
type Request struct {
	Action     string // proposals.apply or maintenance.enter
	ProposalID string // of an apply
	Broker     *int32 // of a drain
	Principal  string // who, as the adapter tells it
	Force      bool
}

// AuditEvent is one change that the service was asked for and began. Refusals are no events.
type AuditEvent struct {
	At          time.Time     `json:"at"`
	Action      string        `json:"action"` // proposals.apply, reassignments.cancel, maintenance.enter or maintenance.exit
	Principal   string        `json:"principal,omitempty"`
	Reason      string        `json:"reason,omitempty"`
	Force       bool          `json:"force"`
	Overridden  []safety.Code `json:"overridden,omitempty"` // what force passed
	ProposalID  string        `json:"proposalId,omitempty"`
	ExecutionID string        `json:"executionId,omitempty"`
	Broker      *int32        `json:"broker,omitempty"`
	// ReducedFactor are the partitions that a forced drain leaves with fewer replicas.
	ReducedFactor []string `json:"reducedFactor,omitempty"`
}

// mostAuditEvents is how many events AuditLog keeps; Options.Audit hears of all.
const mostAuditEvents = 1000

// AuditLog returns the latest changes, newest first, at most 1,000.
func (s *Service) AuditLog(context.Context) []AuditEvent {
	s.mu.Lock()
	defer s.mu.Unlock()
	events := slices.Clone(s.audit)
	slices.Reverse(events)
	return events
}

// record writes an event down. The lock must be held, so that the hook sees events in their order.
func (s *Service) record(e AuditEvent) {
	e.At = time.Now()
	s.audit = append(s.audit, e)
	if extra := len(s.audit) - mostAuditEvents; extra > 0 {
		s.audit = slices.Delete(s.audit, 0, extra)
	}
	s.o.Audit(e)
}

// overridden returns the codes that force passes.
func overridden(findings []safety.Finding, force bool) []safety.Code {
	var codes []safety.Code
	for _, f := range findings {
		if force && !f.Hard {
			codes = append(codes, f.Code)
		}
	}
	return codes
}
