package reassign

import (
	"fmt"
	"slices"
	"time"
)

// holdFor is how long a move that something is in the way of is left alone before it is tried again.
const holdFor = 5 * time.Second

// goneFor is how long a partition must not be found before its topic counts as deleted.
const goneFor = 10 * time.Second

// oddFor is how long a partition may look neither moved nor unmoved: the metadata of a busy broker trails the
// controller by up to 14 seconds.
const oddFor = 30 * time.Second

// judge decides from one look what a move is due for.
func (e *Execution) judge(now time.Time, i int, live *Live) {
	t := &e.tasks[i]
	if t.state.Ended() {
		return
	}
	if t.topicID == "" {
		t.topicID = live.TopicID
	}
	if live.TopicID != "" && live.TopicID != t.topicID {
		e.end(i, Failed, fmt.Sprintf("the topic was deleted and created again: its ID is %s and was %s", live.TopicID, t.topicID))
		return
	}
	t.need, t.goneSince = needNothing, time.Time{}
	t.known = t.known || !live.InFlight()
	switch t.phase {
	case moving:
		t.observeCopied(live)
		e.judgeMoving(now, i, live)
	case electing:
		e.judgeElecting(now, i, live)
	case undoing:
		e.judgeUndoing(now, i, live)
	}
}

// judgeMissing decides about a partition that a look did not find. A broker that is behind does not know topics that
// the others do, so one look is not enough.
func (e *Execution) judgeMissing(now time.Time, i int) {
	t := &e.tasks[i]
	if t.goneSince.IsZero() {
		t.goneSince = now
	}
	t.need, t.known = needNothing, false
	if now.Sub(t.goneSince) >= goneFor {
		e.end(i, Failed, goneTopic)
	}
}

// judgeMoving decides about a step that was, or was about to be, submitted.
func (e *Execution) judgeMoving(now time.Time, i int, live *Live) {
	t := &e.tasks[i]
	switch {
	case live.InFlight() && slices.Equal(live.target(), t.want):
		t.sent, t.oddSince = true, time.Time{}
		e.judgeCopying(now, i, live)
	case live.InFlight():
		e.end(i, Failed, "another tool moves this partition to "+listText(live.target())+": it is left alone")
	case slices.Equal(live.Replicas, t.want):
		e.stepDone(now, i, live.Leader)
	case t.sent:
		e.judgeOdd(now, i, live)
	case e.cancelled:
		e.end(i, Cancelled, "cancelled before Kafka began it")
	case e.settling:
		e.end(i, Cancelled, notStarted)
	case !sameSet(live.Replicas, t.prev) && isStale(live.Replicas, t.move.From, t.move.To):
		e.end(i, Failed, staleText(live.Replicas, t.move.From))
	case now.Sub(t.since) > e.limits.Patience:
		e.end(i, Failed, fmt.Sprintf("Kafka has not begun this move in %v", e.limits.Patience))
	default:
		t.need, t.send = needSubmit, t.want
	}
}

// judgeCopying looks for a reason to take a step that is in flight back.
func (e *Execution) judgeCopying(now time.Time, i int, live *Live) {
	t := &e.tasks[i]
	dead, down := e.firstDead(without(t.want, t.prev))
	switch {
	case !down:
		t.deadSince = time.Time{}
	case t.deadSince.IsZero():
		t.deadSince = now
	}
	switch {
	case e.cancelled:
		e.undo(now, i, live, Cancelled, "cancelled")
	case now.After(t.deadline):
		e.undo(now, i, live, TimedOut, fmt.Sprintf("still running %v after it was submitted", now.Sub(t.since).Round(time.Second)))
	case down && now.Sub(t.deadSince) > e.limits.DeadAfter:
		e.undo(now, i, live, Failed, fmt.Sprintf("broker %d, which receives a copy, is down for more than %v", dead, e.limits.DeadAfter))
	}
}

// judgeOdd gives metadata time to catch up with a step that is no longer in flight, and much time where the partition
// is on its planned way.
func (e *Execution) judgeOdd(now time.Time, i int, live *Live) {
	t := &e.tasks[i]
	if t.oddSince.IsZero() {
		t.oddSince = now
	}
	onItsWay := !sameSet(live.Replicas, t.prev) && !isStale(live.Replicas, t.move.From, t.move.To)
	patience := oddFor
	if onItsWay {
		patience = e.limits.Patience
	}
	if now.Sub(t.oddSince) < patience {
		return
	}
	if sameSet(live.Replicas, t.prev) {
		state := Failed
		if e.cancelled {
			state = Cancelled
		}
		e.end(i, state, "another tool cancelled this move: the replicas are "+listText(live.Replicas))
		return
	}
	e.end(i, Failed, "the move ended with unexpected replicas "+listText(live.Replicas)+" instead of "+listText(t.want))
}

// stepDone goes on after a step: to the next one, to the election, or to the end.
func (e *Execution) stepDone(now time.Time, i int, leader int32) {
	t := &e.tasks[i]
	e.head = true
	switch {
	case !slices.Equal(t.want, t.move.To):
		t.phase, t.reason = resting, "" // the next wave takes the next step
		if e.cancelled || e.settling {
			e.end(i, Cancelled, "stopped after a step of several: the replicas are "+listText(t.want))
		}
	case t.elects() && leader != t.move.ToLeader:
		e.startElection(now, i, t.move.ToLeader, Completed)
	default:
		e.end(i, Completed, "")
	}
}

// startElection makes the first replica lead, if it does not, and ends the move then.
func (e *Execution) startElection(now time.Time, i int, leader int32, ending State) {
	t := &e.tasks[i]
	t.phase, t.elect, t.ending = electing, leader, ending
	t.since, t.need = now, needElect
	e.head = true
}

// judgeElecting waits for the leader to be: it is elected once it is in sync.
func (e *Execution) judgeElecting(now time.Time, i int, live *Live) {
	t := &e.tasks[i]
	switch {
	case live.Leader == t.elect:
		e.end(i, t.ending, t.reason)
	case now.Sub(t.since) > e.limits.Patience:
		e.notElected(now, i, fmt.Sprintf("broker %d is not in sync, so broker %d still leads", t.elect, live.Leader))
	case now.Before(t.retryAt) || live.InFlight():
	case slices.Contains(live.ISR, t.elect) && e.isAlive(t.elect):
		t.need = needElect
	}
}

// notElected ends a move whose leader could not be changed. The replicas are as they shall be, so only a move that
// was for the leader alone has failed. It gets its old order back, lest Kafka's own elections follow the new one.
func (e *Execution) notElected(now time.Time, i int, why string) {
	t := &e.tasks[i]
	switch {
	case t.ending != Completed:
		e.end(i, t.ending, t.reason+"; "+why)
	case t.leaderOnly() && !slices.Equal(t.prev, t.want):
		e.startUndo(now, i, Failed, why)
	case t.leaderOnly():
		e.end(i, Failed, why)
	default:
		e.end(i, Completed, "the replicas are as planned; "+why)
	}
}

func staleText(live, source []int32) string {
	return "stale plan: live replicas " + listText(live) + " no longer match the planned source " + listText(source)
}
