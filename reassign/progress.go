package reassign

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kafka-pilot/pilot/balance"
)

// Progress is how far an execution is. It is a snapshot: it shares nothing that changes.
type Progress struct {
	ID        string
	State     State
	StartedAt time.Time // zero before the first Step
	EndedAt   time.Time // zero until it has ended
	Message   string    // one sentence: what it is doing, or how it ended

	Submitted int // all moves
	Completed int
	Active    int
	Pending   int
	Failed    int
	Cancelled int
	TimedOut  int

	CopyBytes     int64  // to copy in all, an estimate
	CopiedBytes   int64  // copied so far, an estimate
	SecondsLeft   *int64 // an estimate; nil when there is nothing to go by
	ThrottleBytes *int64 // bytes per second for each broker and direction; nil when no throttle is set

	CancelRequested bool
	Unconfirmed     []balance.TopicPartition // Kafka did not confirm that these were taken back
	Foreign         []balance.TopicPartition // reassignments of others that were in flight at the latest look
	Leftovers       []string                 // throttles of ours that could not be put back; a later Run tries again
	Warnings        []string                 // what somebody should look at
	Target          TargetThrottle
	Moves           []MoveProgress // in the order of the plan
}

// MoveProgress is how far one move is.
type MoveProgress struct {
	balance.TopicPartition
	From, To    []int32 // read-only
	State       State
	Reason      string // why it failed, was cancelled or waits; "" when there is nothing to add
	CopiedBytes int64  // an estimate
}

// Progress returns how far the execution is. It may be called between two Steps.
func (e *Execution) Progress() Progress {
	p := Progress{
		ID: e.id, StartedAt: e.startedAt, EndedAt: e.endedAt, Submitted: len(e.tasks), CancelRequested: e.cancelled,
		Foreign: slices.Clone(e.cluster.foreign), Target: e.target(), Moves: make([]MoveProgress, len(e.tasks)),
		SecondsLeft: e.secondsLeft(),
	}
	for i := range e.tasks {
		t := &e.tasks[i]
		*p.counter(t.state)++
		p.CopyBytes += t.move.CopyBytes
		p.CopiedBytes += t.copied
		if t.unconfirmed {
			p.Unconfirmed = append(p.Unconfirmed, t.move.Name())
		}
		p.Moves[i] = MoveProgress{t.move.Name(), t.move.From, t.move.To, t.state, t.reason, t.copied}
	}
	if e.limits.throttled() {
		rate := e.limits.Throttle
		p.ThrottleBytes = &rate
	}
	if !e.endedAt.IsZero() {
		p.Leftovers = e.leftovers()
	}
	p.Warnings = append(slices.Clone(e.upkeep.warnings), e.meter.warnings(e.limits)...)
	p.State, p.Message = e.verdict(&p)
	return p
}

func (p *Progress) counter(s State) *int {
	return [...]*int{&p.Pending, &p.Active, &p.Completed, &p.Failed, &p.Cancelled, &p.TimedOut}[s]
}

// verdict sums the moves up. The worst that happened to any move names the end.
func (e *Execution) verdict(p *Progress) (State, string) {
	switch {
	case e.startedAt.IsZero():
		return Pending, "Not started"
	case e.endedAt.IsZero():
		return Active, e.doing(p)
	case e.hollow:
		return Completed, "The record was not complete: nothing of this execution was in flight"
	}
	state := Completed
	for _, s := range []State{Failed, TimedOut, Cancelled} {
		if *p.counter(s) > 0 {
			state = s
			break
		}
	}
	text := fmt.Sprintf("Completed %s", countText(p.Submitted))
	if state != Completed {
		text = fmt.Sprintf("Completed %d of %s: %s", p.Completed, countText(p.Submitted), strings.Join(endings(p), ", "))
	}
	if len(p.Leftovers) > 0 {
		text += "; still to be removed: " + firstOf(p.Leftovers)
	}
	return state, text
}

func endings(p *Progress) []string {
	var parts []string
	for _, end := range []struct {
		n    int
		text string
	}{{p.Failed, "failed"}, {p.TimedOut, "timed out"}, {p.Cancelled, "cancelled"}} {
		if end.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", end.n, end.text))
		}
	}
	return parts
}

// doing says what goes on while the execution runs.
func (e *Execution) doing(p *Progress) string {
	switch {
	case e.cluster.failures > 0:
		return "The cluster does not answer: trying again"
	case p.Active+p.Pending == 0:
		return "Putting throttles back"
	case e.cancelled:
		return fmt.Sprintf("Cancelling: taking %s back", countText(p.Active))
	case e.cluster.pause != "" && p.Pending > 0:
		return "Paused: " + e.cluster.pause
	case p.Active == 0 && e.waiting() != "":
		return "Waiting: " + e.waiting()
	case p.Pending > 0:
		return fmt.Sprintf("%s in progress, %d more wait", countText(p.Active), p.Pending)
	}
	return countText(p.Active) + " in progress"
}

// waiting returns what the first move that is held up waits for.
func (e *Execution) waiting() string {
	for i := range e.tasks {
		if t := &e.tasks[i]; t.state == Pending && t.reason != "" {
			return fmt.Sprintf("%v: %s", t.move.Name(), t.reason)
		}
	}
	return ""
}

func countText(moves int) string {
	if moves == 1 {
		return "1 move"
	}
	return fmt.Sprintf("%d moves", moves)
}

// firstOf names the first of several things and counts the others.
func firstOf(things []string) string {
	if len(things) == 1 {
		return things[0]
	}
	return fmt.Sprintf("%s and %d more", things[0], len(things)-1)
}
