package pilot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/maintenance"
	"github.com/kafka-pilot/pilot/safety"
)

// Codes of refusals beside those of findings and of package maintenance. They never change their meaning; the package
// comment lists them.
const (
	codeNotReady         = "not_ready"
	codeNotEntitled      = "not_entitled"
	codePending          = "proposal_pending"
	codeUnknownProposal  = "unknown_proposal"
	codeUnknownExecution = "unknown_execution"
	codeUnknownBroker    = maintenance.UnknownBroker
	codeRunning          = "reassignment_running"
	codeEnded            = "execution_ended"
	codeNotExecutable    = "not_executable"
	codeNothingToApply   = "nothing_to_apply"
	codeDrainRunning     = "drain_running"
)

// checkServing refuses what cannot be told before the journals were read. The lock must be held.
func (s *Service) checkServing() error {
	if s.life.stage == created || s.life.stage == recovering {
		return refuseNotReady(notReady[s.life.stage], time.Second)
	}
	return nil
}

// checkRunning refuses what needs Run. The lock must be held.
func (s *Service) checkRunning() error {
	if text, idle := notReady[s.life.stage]; idle {
		return refuseNotReady(text, time.Second)
	}
	return nil
}

// checkRead refuses what needs a reading. The lock must be held.
func (s *Service) checkRead() error {
	if err := s.checkServing(); err != nil {
		return err
	}
	if s.latest == nil {
		return refuseNotReady(s.notReadText(), retryReadAfter)
	}
	return nil
}

// notReadText says why there is no reading. The lock must be held.
func (s *Service) notReadText() string {
	if s.readError != nil {
		return fmt.Sprintf("There is no reading yet: %v.", s.readError)
	}
	return "The cluster is being read for the first time."
}

func refuseNotReady(message string, after time.Duration) *Refused {
	return &Refused{Kind: RefusedNotReady, Code: codeNotReady, Message: message, RetryAfter: after}
}

// refusePending says why there is no current proposal.
func refusePending(d safety.Decision) *Refused {
	r := refuseNotReady(d.Message, time.Second)
	r.Code, r.Findings = codePending, d.Findings
	return r
}

// entitled asks the host whether a request is covered, and refuses it if not.
func (s *Service) entitled(ctx context.Context, r Request) error {
	err := s.o.Authorize(ctx, r)
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	return &Refused{Kind: RefusedLicence, Code: codeNotEntitled, Message: err.Error()}
}

func refuseMissing(code, format string, args ...any) *Refused {
	return &Refused{Kind: RefusedMissing, Code: code, Message: fmt.Sprintf(format, args...)}
}

func refuseConflict(code, format string, args ...any) *Refused {
	return &Refused{Kind: RefusedConflict, Code: code, Message: fmt.Sprintf(format, args...)}
}

func refuseProposal(id string) *Refused {
	return refuseMissing(codeUnknownProposal, "There is no stored proposal %s: proposals live in memory, the latest %d of them.", id, mostProposals)
}

func refuseExecution(id string) *Refused {
	return refuseMissing(codeUnknownExecution, "There is no execution %s: the latest %d are kept, and only while the program runs.", id, mostExecutions)
}

// refuseBusy refuses a second mutation while x has the slot (row SAFE-10).
func refuseBusy(x *execution) *Refused {
	r := refuseConflict(codeRunning, "Another request that moves partitions is being checked. Try again in a moment.")
	r.RetryAfter = time.Second
	if x.launched {
		r.Message = fmt.Sprintf("Execution %s is running: wait until it has ended, or cancel it.", x.id)
		r.Subjects, r.RetryAfter = []string{x.id}, 0
		if left := x.progress.SecondsLeft; left != nil {
			r.RetryAfter = time.Duration(max(1, *left)) * time.Second
		}
	}
	return r
}

// refuseFindings refuses a change that something speaks against. There is at least one blocking finding; all are told.
func refuseFindings(blocking, all []safety.Finding) *Refused {
	first, hard := blocking[0], slices.ContainsFunc(blocking, func(f safety.Finding) bool { return f.Hard })
	return &Refused{
		Kind: RefusedConflict, Code: string(first.Code), Message: first.Message, Overridable: !hard,
		Findings: all, Subjects: first.Subjects,
	}
}

// refuseStale refuses a plan that starts from where partitions are no longer.
func refuseStale(stale []balance.TopicPartition, findings []safety.Finding, overridable bool) *Refused {
	r := &Refused{
		Kind: RefusedConflict, Code: string(safety.StaleFingerprint), Overridable: overridable, Findings: findings,
		Message: staleMessage(stale, overridable),
	}
	for _, p := range stale {
		r.Subjects = append(r.Subjects, p.String())
	}
	return r
}

// refuseDrain turns a refusal of package maintenance into one of ours and leaves other errors alone.
func refuseDrain(err error) error {
	var m *maintenance.Refused
	if !errors.As(err, &m) {
		return err
	}
	r := &Refused{Kind: RefusedConflict, Code: m.Code, Message: m.Message, Overridable: m.Overridable}
	if m.Code == maintenance.UnknownBroker {
		r.Kind = RefusedMissing
	}
	for _, p := range m.Partitions {
		r.Subjects = append(r.Subjects, p.String())
	}
	return r
}
