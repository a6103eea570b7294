package reassign

import (
	"fmt"
	"slices"
	"time"

	"github.com/kafka-pilot/pilot/balance"
)

// absorb takes the answers to the latest Todo in.
func (e *Execution) absorb(now time.Time, seen Seen) {
	last := e.last
	e.last = Todo{}
	if !seen.Saved {
		e.unsaved.putBack(e.saving)
	}
	e.saving = unsaved{}
	if last.changes() && (seen.Err != nil || seen.Outcomes != nil || seen.Changes != nil) {
		e.cluster.fresh = false
	}
	switch {
	case seen.Err != nil:
		e.absorbFailure(now, &last, seen.Err)
	case last.Look != nil && seen.View != nil:
		e.absorbView(now, last.Look, seen.View)
	case last.Throttles != nil && seen.Throttles != nil:
		e.absorbThrottles(now, last.Throttles, seen.Throttles)
	case len(last.SetThrottles) > 0 && len(seen.Changes) == len(last.SetThrottles):
		e.absorbChanges(now, last.purpose, last.SetThrottles, seen.Changes)
	case len(last.Submit)+len(last.Elect)+len(last.Cancel) > 0 && seen.Outcomes != nil:
		e.absorbOutcomes(now, &last, seen.Outcomes)
	}
}

// absorbFailure handles a call that failed as a whole: it may have been done, so the next look decides.
func (e *Execution) absorbFailure(now time.Time, last *Todo, err error) {
	switch {
	case last.Look != nil:
		e.cluster.failures++
		e.admitBlindly(now)
	case last.Throttles != nil:
		e.throttlesFailed(now, last.Throttles.purpose, fmt.Sprintf("the throttles cannot be read now: %v", err))
	case len(last.SetThrottles) > 0:
		e.throttlesFailed(now, last.purpose, fmt.Sprintf("the throttles cannot be set now: %v", err))
	default:
		for _, tp := range last.named() {
			e.tasks[e.index[tp]].need = needNothing
		}
	}
}

// named returns the partitions that a call names.
func (t *Todo) named() []balance.TopicPartition {
	names := slices.Concat(t.Elect, t.Cancel)
	for _, target := range t.Submit {
		names = append(names, target.TopicPartition)
	}
	return names
}

// absorbOutcomes takes the answers for single partitions in. A partition without an answer is unknown.
func (e *Execution) absorbOutcomes(now time.Time, last *Todo, outcomes []Outcome) {
	for _, tp := range last.named() {
		e.tasks[e.index[tp]].need = needNothing
	}
	for _, o := range outcomes {
		i, ok := e.index[o.TopicPartition]
		if !ok || e.tasks[i].state.Ended() {
			continue
		}
		switch {
		case o.Code == CodeMissing:
			e.end(i, Failed, goneTopic)
		case last.Submit != nil:
			e.submitted(now, i, o)
		case last.Elect != nil:
			e.elected(now, i, o)
		case o.Code == CodeNothingInFlight:
			e.tasks[i].copiesBack = false
		case o.Code != CodeOK:
			e.tasks[i].retryAt = now.Add(holdFor)
		}
	}
}

const goneTopic = "topic no longer exists"

// submitted handles the answer to a target. A reorder is done when it is accepted; a copy only begins.
func (e *Execution) submitted(now time.Time, i int, o Outcome) {
	t := &e.tasks[i]
	refused := o.Code == CodeInvalid || o.Code == CodeDenied
	switch {
	case o.Code == CodeOK && t.phase == moving:
		t.sent = true
		e.head = true
		if sameSet(t.prev, t.want) {
			e.stepDone(now, i, t.leader)
		}
	case refused && t.phase == moving:
		e.end(i, Failed, "Kafka refused the replicas "+listText(t.send)+explained(o))
	case refused && t.phase == undoing:
		t.refused = true
	}
}

// elected handles the answer to an election.
func (e *Execution) elected(now time.Time, i int, o Outcome) {
	t := &e.tasks[i]
	switch o.Code {
	case CodeOK:
		e.end(i, t.ending, t.reason)
	case CodeDenied, CodeInvalid:
		e.notElected(now, i, "Kafka refused the election"+explained(o))
	case CodeNotInSync:
		t.retryAt = now.Add(holdFor)
	}
}

func explained(o Outcome) string {
	switch {
	case o.Message != "":
		return ": " + o.Message
	case o.Code == CodeDenied:
		return ": a permission is missing"
	}
	return ""
}

// absorbView judges every partition that was looked at.
func (e *Execution) absorbView(now time.Time, q *Query, v *View) {
	c := &e.cluster
	c.seen, c.fresh, c.failures = true, true, 0
	c.alive, c.foreign, c.pause = v.Alive, v.Foreign, ""
	if q.Sizes {
		c.sizesAt = now
	}
	for n := range v.Partitions {
		if i, ok := e.index[v.Partitions[n].TopicPartition]; ok {
			e.judge(now, i, &v.Partitions[n])
		}
	}
	for _, tp := range v.Missing {
		if i, ok := e.index[tp]; ok {
			e.judgeMissing(now, i)
		}
	}
	e.watchISR(v)
	if c.view = v; e.wave.stage == looking {
		e.admit(now, e.wave.moves)
	}
	e.meter.observe(now, e.tasks)
}

// watchISR pauses optional moves while a partition that was healthy when its move began is short of replicas.
func (e *Execution) watchISR(v *View) {
	for n := range v.Partitions {
		l := &v.Partitions[n]
		i, ok := e.index[l.TopicPartition]
		if ok && e.tasks[i].state == Active && e.tasks[i].healthy && l.belowMinISR() {
			e.cluster.pause = fmt.Sprintf("%v has %d replicas in sync, below min.insync.replicas %d",
				l.TopicPartition, len(without(l.ISR, l.Adding)), l.MinISR)
			return
		}
	}
}
