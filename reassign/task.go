package reassign

import (
	"slices"
	"time"

	"github.com/kafka-pilot/pilot/balance"
)

// phase says what an unfinished move is waiting for, within its State.
type phase uint8

const (
	resting  phase = iota // pending, between two steps, or ended
	moving                // want is submitted, or about to be
	electing              // the replicas are right; elect shall lead
	undoing               // want is being taken back to prev
)

// need is the call that a move is due for, as far as the latest look tells.
type need uint8

const (
	needNothing need = iota
	needSubmit       // of send
	needElect
	needCancel
)

// task is a move and how far it is. The first group is recorded; a restart finds the second again by looking.
type task struct {
	move        balance.Move
	topicID     string
	state       State
	reason      string // why it ended or waits
	unconfirmed bool   // Kafka did not confirm its cancel

	phase      phase
	prev, want []int32 // replicas before and after the step under way
	leader     int32   // leader before the step
	sent       bool    // the cluster has accepted or shown the step
	since      time.Time
	deadline   time.Time
	elect      int32 // while electing: who shall lead
	ending     State // while electing or undoing: what it ends as
	// Entries of the throttle lists that are ours to remove: on the leader and on the follower list.
	heldLeader, heldFollower []int32

	adds, drops []int32 // of the whole move: what it copies to, what it takes away
	likely      []int32 // the brokers that its first step will probably load; nil is not known yet

	need    need
	send    []int32
	known   bool // a look has shown it, free of other reassignments
	listed  bool // the entries held are known to be in the lists
	refused bool // Kafka refused the list that would move it back
	// copiesBack means that the step was complete when it was taken back, so that Kafka began to copy the old replicas
	// anew: once that is cancelled, old replicas in a look are old news.
	copiesBack bool
	retryAt    time.Time // not before this time
	heldSince  time.Time // what is in its way has been there since
	goneSince  time.Time // no look has found it since
	oddSince   time.Time // its replicas have been neither source nor target since
	deadSince  time.Time // a receiver has been down since
	healthy    bool      // it had min.insync.replicas when it was submitted
	copied     int64     // bytes, an estimate
}

// leaderOnly reports whether the move copies nothing.
func (t *task) leaderOnly() bool { return len(t.adds)+len(t.drops) == 0 }

// repairs reports whether the move puts something right that waiting makes worse.
func (t *task) repairs() bool {
	return t.move.Kind == balance.MoveRepair || t.move.Kind == balance.MoveFactor
}

// elects reports whether the plan wants a leader that Kafka can be asked for.
func (t *task) elects() bool { return t.move.ToLeader >= 0 && t.move.ToLeader == t.move.To[0] }

// busy returns the brokers that the step under way loads: those that copy and those that lose a replica.
func (t *task) busy() []int32 { return busyBrokers(t.prev, t.want, t.leader) }

func busyBrokers(now, next []int32, leader int32) []int32 {
	add, drop := without(next, now), without(now, next)
	if len(add) == 0 {
		return nil
	}
	busy := append(add, drop...)
	if leader >= 0 && !slices.Contains(busy, leader) {
		busy = append(busy, leader)
	}
	return busy
}

// perCopy returns the bytes of one copy.
func (t *task) perCopy() int64 {
	if len(t.adds) == 0 {
		return 0
	}
	return t.move.CopyBytes / int64(len(t.adds))
}

// copyBytes returns the bytes that the step under way copies.
func (t *task) copyBytes() int64 { return t.perCopy() * int64(len(without(t.want, t.prev))) }

// observeCopied notes how much the receivers hold. Without sizes only whole copies count.
func (t *task) observeCopied(live *Live) {
	var n int64
	for _, b := range t.adds {
		switch {
		case !slices.Contains(live.Replicas, b):
		case !slices.Contains(live.Adding, b):
			n += t.perCopy()
		case len(live.Sizes) > 0:
			n += min(live.bytesOn(b), t.perCopy())
		default:
			return // in mid-copy and not measured: what was last seen stands
		}
	}
	t.copied = n
}

// holds reports whether throttle entries of ours may be in the cluster.
func (t *task) holds() bool { return len(t.heldLeader)+len(t.heldFollower) > 0 }

// needsThrottle reports whether the entries held are still of use.
func (t *task) needsThrottle() bool { return t.phase == moving || t.phase == undoing }
