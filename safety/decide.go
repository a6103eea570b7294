package safety

import (
	"time"

	"github.com/kafka-pilot/pilot/balance"
)

// States of a decision that need history, beside those that a calculation yields (row DEC-06).
const (
	// Collecting means that measurements do not reach back far enough or are not complete.
	Collecting balance.Status = "collecting"
	// Settling means that measurements do not reflect the latest moves yet.
	Settling balance.Status = "settling"
	// Monitoring means that it has not been seen for long enough that a plan would help.
	Monitoring balance.Status = "monitoring"
	// Running means that moves are being executed.
	Running balance.Status = "running"
)

// What a caller should do next, in Decision.NextAction.
const (
	actionReview  = "review_and_apply"
	actionWait    = "wait"
	actionResolve = "resolve_blockers"
	actionNone    = "none"
)

// Evidence is what the history of measurements says about acting on a proposal now. A nil Evidence was not asked for,
// as in offline planning: the proposal then stands by itself.
type Evidence struct {
	// State is Collecting, Settling, Monitoring or Running while that holds the proposal back, "" when nothing does.
	State balance.Status
	// Message is one sentence on it; "" uses a general one.
	Message string
	// RetryAt is the earliest time at which asking again makes sense, nil when that is not known.
	RetryAt *time.Time
	// ValidUntil is when a proposal that nothing holds back must be judged again, nil when that is not limited.
	ValidUntil *time.Time
}

// Decide gives the one answer to whether the proposal may be applied and, if not, why not (rows DEC-05 and DEC-06):
//
//  1. Moves that are being executed go before everything.
//  2. Without a proposal, measurements are being collected.
//  3. Missing measurements and settling hold back what measurements decide: optional plans, and the statement that
//     none is needed. Monitoring holds back optional plans. Repairs and a pause do not wait.
//  4. A plan may be applied when it is recommended, has moves, and nothing speaks against it. Force passes soft
//     findings when applying, it does not change the decision.
//
// What holds a plan back is also a soft finding of the decision, so that Blocking judges it like the others.
func Decide(p *balance.Proposal, findings []Finding, e *Evidence) Decision {
	if e == nil {
		e = &Evidence{}
	}
	if p == nil {
		return withoutProposal(findings, e)
	}
	d := Decision{State: p.Status, Message: p.Message, Findings: append([]Finding{}, findings...)}
	if holds(e.State, p.Status) {
		d.wait(e, len(p.Moves) > 0)
	} else {
		d.judge(p, e)
	}
	d.Title = titles[d.State]
	return d
}

// withoutProposal is the decision while there is nothing to decide on.
func withoutProposal(findings []Finding, e *Evidence) Decision {
	d := Decision{State: Collecting, Message: noProposalMessage, Reason: DataNotReady, NextAction: actionWait,
		Findings: append([]Finding{}, findings...), RetryAt: e.RetryAt}
	if e.State != "" {
		d.wait(e, false)
	}
	d.Title = titles[d.State]
	return d
}

// holds reports whether what the evidence says goes before the status of a proposal.
func holds(evidence, proposal balance.Status) bool {
	switch evidence {
	case Running:
		return true
	case Collecting, Settling:
		return proposal != balance.RepairRecommended && proposal != balance.Paused
	case Monitoring:
		return proposal == balance.RebalanceRecommended
	}
	return false
}

// wait makes the decision one to wait for. Moves held back are a soft finding.
func (d *Decision) wait(e *Evidence, moves bool) {
	d.State, d.Message, d.RetryAt, d.NextAction = e.State, e.Message, e.RetryAt, actionWait
	if d.Message == "" {
		d.Message = waitingMessages[e.State]
	}
	d.Reason = waitingReason(e.State)
	if moves && d.Reason != "" {
		d.Findings = append(d.Findings, Finding{Code: d.Reason, Message: d.Message})
	}
}

// waitingReason is the code of what is waited for; moves of our own that run are no reason but the answer itself.
func waitingReason(s balance.Status) Code {
	switch s {
	case Collecting, Settling:
		return DataNotReady
	case Monitoring:
		return BenefitUnconfirmed
	}
	return ""
}

// judge decides on a proposal that nothing holds back.
func (d *Decision) judge(p *balance.Proposal, e *Evidence) {
	recommended := p.Status == balance.RebalanceRecommended || p.Status == balance.RepairRecommended
	switch {
	case recommended && len(p.Moves) > 0 && len(d.Findings) > 0:
		d.NextAction, d.Reason = actionResolve, d.Findings[0].Code
		d.Message = blockedMessage(p.Message, d.Findings[0])
	case recommended && len(p.Moves) > 0:
		d.NextAction, d.ApplicationAllowed, d.ValidUntil = actionReview, true, e.ValidUntil
	case p.Status == balance.Paused:
		d.NextAction = actionResolve
	default:
		d.NextAction = actionNone
	}
}
