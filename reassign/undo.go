package reassign

import (
	"slices"
	"time"
)

// A step is taken back in three calls at most. Submitting the replicas it started from completes at once when all of
// them are in sync, and keeps their order, which Kafka's own cancel does not. What is still in flight then waits for
// one that is not in sync, or had been completed a moment before and would now copy back: Kafka's cancel ends both,
// and leaves the first with the old replicas and the second with the new ones. An election gives leadership back.
//
// A step that only removes cannot be taken back by a submission: Kafka keeps what is being removed when a new target
// removes nothing. There its cancel comes first and the old order after it.

// undo begins to take the step in flight back. Restored executions come here again and repeat what is not done.
func (e *Execution) undo(now time.Time, i int, live *Live, ending State, why string) {
	e.startUndo(now, i, ending, why)
	e.judgeUndoing(now, i, live)
}

// startUndo marks a step to be taken back; the next look decides how.
func (e *Execution) startUndo(now time.Time, i int, ending State, why string) {
	t := &e.tasks[i]
	t.phase, t.need, t.ending, t.reason = undoing, needNothing, ending, why
	t.since, t.oddSince = now, time.Time{}
	e.head = true
}

// judgeUndoing decides what is left to take back.
func (e *Execution) judgeUndoing(now time.Time, i int, live *Live) {
	t := &e.tasks[i]
	switch {
	case live.InFlight() && !slices.Equal(live.target(), t.prev) && !slices.Equal(live.target(), t.want):
		e.end(i, t.ending, t.reason+"; another tool moves this partition to "+listText(live.target()))
	case now.Sub(t.since) > e.limits.Patience:
		e.unconfirmed(i, live)
	case live.InFlight() && slices.Equal(live.target(), t.want) && !t.refused && len(without(t.want, t.prev)) > 0:
		t.need, t.send = needSubmit, t.prev
	case live.InFlight() && now.Before(t.retryAt):
	case live.InFlight():
		t.need = needCancel
		t.copiesBack = slices.Equal(live.target(), t.prev) && len(without(t.prev, live.Adding)) < len(t.prev)
	case sameSet(live.Replicas, t.prev) && t.copiesBack:
	case sameSet(live.Replicas, t.prev):
		e.undone(now, i, live)
	case sameSet(live.Replicas, t.want):
		e.overtaken(now, i, live)
	}
}

// undone ends a move whose old replicas are back, once their order and leader are.
func (e *Execution) undone(now time.Time, i int, live *Live) {
	t := &e.tasks[i]
	switch {
	case !slices.Equal(live.Replicas, t.prev) && !t.refused:
		t.need, t.send = needSubmit, t.prev
	case live.Leader != t.leader && t.prev[0] == t.leader && slices.Contains(live.ISR, t.leader):
		t.reason += ": moved back to " + listText(live.Replicas)
		e.startElection(now, i, t.leader, t.ending)
	default:
		e.end(i, t.ending, t.reason+": moved back to "+listText(live.Replicas))
	}
}

// overtaken ends a move that was complete before it could be taken back.
func (e *Execution) overtaken(now time.Time, i int, live *Live) {
	t := &e.tasks[i]
	switch {
	case !slices.Equal(live.Replicas, t.want) && !t.refused:
		t.need, t.send = needSubmit, t.want
	case sameSet(t.want, t.move.To):
		t.reason += " too late: the move was complete"
		if t.elects() && live.Leader != t.move.ToLeader {
			e.startElection(now, i, t.move.ToLeader, Completed)
			return
		}
		e.end(i, Completed, t.reason)
	default:
		e.end(i, t.ending, t.reason+" after a step of several: the replicas are "+listText(live.Replicas))
	}
}

// unconfirmed ends a move that Kafka would not take back.
func (e *Execution) unconfirmed(i int, live *Live) {
	t := &e.tasks[i]
	t.unconfirmed = true
	e.end(i, t.ending, t.reason+"; Kafka did not confirm that it was taken back: review the replicas "+listText(live.Replicas))
}
