package reassign

import (
	"fmt"
	"slices"
	"time"
)

// wave is a group of moves on its way to Kafka: chosen for the capacity that is free, looked at, checked, its
// throttles read and set, then submitted in one request.
type wave struct {
	stage stage
	moves []int
}

type stage uint8

const (
	choosing stage = iota // there is no wave
	looking               // the moves are chosen and must be looked at
	reading               // the throttles there are must be read
	setting               // ours must be set
	ready                 // all is set
)

// nextWave brings the wave one stage further.
func (e *Execution) nextWave(now time.Time) (Todo, bool) {
	w := &e.wave
	for w.stage == choosing {
		chosen := e.choose(now)
		if len(chosen) == 0 {
			return Todo{}, false
		}
		w.stage, w.moves = looking, chosen
		if e.cluster.fresh && e.covered(chosen) {
			e.admit(now, chosen)
		}
	}
	switch w.stage {
	case looking:
		chosen := make(map[int]bool, len(w.moves))
		for _, i := range w.moves {
			chosen[i] = true
		}
		return e.look(now, 0, func(i int) bool { return e.tasks[i].state == Active || chosen[i] }), true
	case reading:
		return Todo{Throttles: e.waveThrottles()}, true
	case setting:
		if todo, ok := e.setThrottles(now); ok {
			return todo, true
		}
	}
	e.begin(now)
	if todo, ok := e.submit(now); ok {
		return todo, true
	}
	return e.elect(now)
}

// covered reports whether the latest look shows all of these moves.
func (e *Execution) covered(moves []int) bool {
	return !slices.ContainsFunc(moves, func(i int) bool { return e.cluster.view.find(e.tasks[i].move.Name()) == nil })
}

// admit checks the chosen moves against the latest look and keeps those that may be submitted now.
func (e *Execution) admit(now time.Time, moves []int) {
	e.admitEach(now, moves, func(i int) *Live { return e.cluster.view.find(e.tasks[i].move.Name()) })
}

// blindAfter is how many looks in a row fail before a wave is submitted without the check for stale placements.
const blindAfter = 3

// admitBlindly submits a wave that cannot be looked at (row EXE-07). What an earlier look has not shown to be free of
// other reassignments is put off all the same.
func (e *Execution) admitBlindly(now time.Time) {
	if e.wave.stage != looking || e.cluster.failures < blindAfter {
		return
	}
	e.admitEach(now, e.wave.moves, func(int) *Live { return nil })
}

func (e *Execution) admitEach(now time.Time, moves []int, live func(i int) *Live) {
	free := e.capacity()
	e.wave = wave{}
	copies := false
	for _, i := range moves {
		if e.tasks[i].state.Ended() {
			continue
		}
		l := live(i)
		if l == nil {
			l = e.assumed(i)
		}
		if l == nil {
			e.hold(now, i, "the partition cannot be read")
		} else if e.admitOne(now, i, l, &free) {
			e.wave.moves = append(e.wave.moves, i)
			copies = copies || len(without(e.tasks[i].want, e.tasks[i].prev)) > 0
		}
	}
	switch {
	case len(e.wave.moves) == 0:
	case copies && e.limits.throttled():
		e.wave.stage = reading
	default:
		e.wave.stage = ready
	}
}

// assumed returns what a partition is taken to be when it cannot be read now, nil when nothing is known of it.
func (e *Execution) assumed(i int) *Live {
	t := &e.tasks[i]
	if !t.known {
		return nil
	}
	replicas, leader := t.move.From, t.move.FromLeader
	if t.state == Active {
		replicas, leader = t.want, t.leader
	}
	return &Live{TopicPartition: t.move.Name(), Leader: leader, Replicas: replicas, ISR: replicas}
}

// admitOne decides about one move and plans its next step. It returns false when the move ended or has to wait.
func (e *Execution) admitOne(now time.Time, i int, live *Live, free *capacity) bool {
	t := &e.tasks[i]
	ours := live.InFlight() && slices.Equal(live.target(), t.move.To)
	switch {
	case live.InFlight() && !ours:
		e.hold(now, i, "another tool moves this partition to "+listText(live.target()))
		return false
	case slices.Equal(live.Replicas, t.move.To) && (!t.elects() || live.Leader == t.move.ToLeader):
		e.end(i, Completed, "")
		return false
	case isStale(live.Replicas, t.move.From, t.move.To):
		e.end(i, Failed, staleText(live.Replicas, t.move.From))
		return false
	case sameSet(live.Replicas, t.move.To):
		arrived := slices.Equal(live.Replicas, t.move.To) && !t.leaderOnly() // only its leader is left to be changed
		if !arrived && !e.canLead(now, i, live) {
			return false
		}
	case !e.canCopy(now, i, live):
		return false
	}
	t.prev, t.leader = live.Replicas, live.Leader
	t.want = nextReplicas(t.prev, t.move.To, terrain{live.Leader, e.isAlive, e.rackOf})
	if ours {
		t.prev, t.want = t.move.From, t.move.To
	}
	if !free.take(t.busy(), t.copyBytes()) {
		t.retryAt = now.Add(e.limits.PollEvery)
		return false
	}
	t.healthy = !live.belowMinISR()
	return true
}

// canLead decides whether a new order can be followed by an election.
func (e *Execution) canLead(now time.Time, i int, live *Live) bool {
	t := &e.tasks[i]
	leader := t.move.ToLeader
	if t.elects() && live.Leader != leader && (!slices.Contains(live.ISR, leader) || !e.isAlive(leader)) {
		e.hold(now, i, fmt.Sprintf("broker %d, which shall lead, is not in sync", leader))
		return false
	}
	return true
}

// canCopy decides whether Kafka could complete a step that copies, and should.
func (e *Execution) canCopy(now time.Time, i int, live *Live) bool {
	t := &e.tasks[i]
	if dead, down := e.firstDead(without(t.move.To, live.Replicas)); down {
		e.end(i, Failed, fmt.Sprintf("broker %d, which would receive a copy, is down", dead))
		return false
	}
	if dead, down := e.firstDead(t.move.To); down {
		e.end(i, Failed, fmt.Sprintf("broker %d, which keeps its copy, is down: Kafka would not complete the move", dead))
		return false
	}
	switch {
	case len(t.move.To) < len(t.move.From) && len(t.move.To) < int(live.MinISR):
		e.end(i, Failed, fmt.Sprintf("%d replicas would be fewer than min.insync.replicas %d: producers would stop", len(t.move.To), live.MinISR))
		return false
	case live.Leader < 0:
		e.hold(now, i, "the partition has no leader")
		return false
	case live.belowMinISR() && !t.repairs():
		e.hold(now, i, fmt.Sprintf("%d replicas are in sync, below min.insync.replicas %d", len(live.ISR), live.MinISR))
		return false
	}
	return true
}

// hold leaves a move alone for a while, and ends it when what is in its way does not go.
func (e *Execution) hold(now time.Time, i int, why string) {
	t := &e.tasks[i]
	if t.heldSince.IsZero() {
		t.heldSince = now
	}
	t.reason, t.retryAt = why, now.Add(holdFor)
	if now.Sub(t.heldSince) > e.limits.Patience {
		e.end(i, Failed, fmt.Sprintf("%s, for more than %v", why, e.limits.Patience))
	}
}

// begin marks the moves of the wave as submitted, which the record says before Kafka hears of it.
func (e *Execution) begin(now time.Time) {
	for _, i := range e.wave.moves {
		t := &e.tasks[i]
		if t.state == Pending {
			t.state = Active
		}
		t.phase, t.sent, t.reason = moving, false, ""
		t.since, t.heldSince, t.oddSince, t.deadSince = now, time.Time{}, time.Time{}, time.Time{}
		t.need, t.send = needSubmit, t.want
		if slices.Equal(t.prev, t.want) {
			e.startElection(now, i, t.move.ToLeader, Completed)
		}
	}
	e.setDeadlines(now)
	e.wave, e.head = wave{}, true
}

// setDeadlines gives the moves of the wave the time that their bytes take at the throttle, generously, under the
// limit. Without a throttle or a size there is nothing to go by but the limit.
func (e *Execution) setDeadlines(now time.Time) {
	load := e.capacity()
	for _, i := range e.wave.moves {
		t := &e.tasks[i]
		allowed := e.limits.Timeout
		if e.limits.throttled() && t.copyBytes() > 0 {
			var most int64
			for _, b := range t.busy() {
				most = max(most, load.bytes[b])
			}
			allowed = min(allowed, 30*time.Minute+4*spanOf(most, e.limits.Throttle))
		}
		t.deadline = now.Add(allowed)
	}
}

// spanOf returns how long bytes take at a rate, capped so that it cannot overflow.
func spanOf(bytes, rate int64) time.Duration {
	const most = 1000 * time.Hour
	if s := float64(bytes) / float64(rate); s < most.Seconds() {
		return time.Duration(s * float64(time.Second))
	}
	return most
}
