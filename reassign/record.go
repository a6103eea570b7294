package reassign

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/kafka-pilot/pilot/balance"
)

// The record of an execution is one head, which changes with every call, and its moves in chunks, which are written
// once and again when a move in them ends: no value outgrows a Kafka message however long the plan is, and what is
// written at every step stays small. The head is written first and deleted last, so that every chunk found belongs to
// a head; before all chunks are there nothing has been changed in the cluster.
const (
	recordVersion = 1
	chunkMoves    = 200
	keyPrefix     = "execution/"
)

func headKey(id string) string           { return keyPrefix + id }
func chunkKey(id string, n int) string   { return fmt.Sprintf("%s%s/moves/%d", keyPrefix, id, n) }
func chunkOf(move int) int               { return move / chunkMoves }
func chunkCount(moves int) int           { return (moves + chunkMoves - 1) / chunkMoves }
func chunkSpan(n, moves int) (a, b int)  { return n * chunkMoves, min((n+1)*chunkMoves, moves) }
func stateLetter(s State) byte           { return "pacfxt"[s] }
func stateOf(letter byte) (State, error) { return letterState(strings.IndexByte("pacfxt", letter)) }

func letterState(i int) (State, error) {
	if i < 0 {
		return 0, fmt.Errorf("unknown state")
	}
	return State(i), nil
}

// head is what the record says of the whole execution.
type head struct {
	Version   int         `json:"version"`
	ID        string      `json:"id"`
	StartedAt time.Time   `json:"startedAt"`
	EndedAt   *time.Time  `json:"endedAt,omitempty"`
	Limits    Limits      `json:"limits"`
	Cancelled bool        `json:"cancelled,omitempty"`
	Settling  bool        `json:"settling,omitempty"`
	States    string      `json:"states"` // a letter a move: pending, active, completed, failed, x cancelled, timed out
	Unfinal   []stepState `json:"steps,omitempty"`
	Rates     []heldRate  `json:"rates,omitempty"`
	Racks     []rackOf    `json:"racks,omitempty"`
}

// stepState is what the record says of a move that is under way or holds throttle entries.
type stepState struct {
	Move         int       `json:"move"` // index
	Phase        phase     `json:"phase"`
	Prev         []int32   `json:"prev,omitempty"`
	Want         []int32   `json:"want,omitempty"`
	Leader       int32     `json:"leader"`
	Sent         bool      `json:"sent,omitempty"`
	Since        time.Time `json:"since,omitzero"`
	Deadline     time.Time `json:"deadline,omitzero"`
	Elect        int32     `json:"elect,omitempty"`
	Ending       State     `json:"ending"`
	Reason       string    `json:"reason,omitempty"`
	HeldLeader   []int32   `json:"heldLeader,omitempty"`
	HeldFollower []int32   `json:"heldFollower,omitempty"`
}

type rackOf struct {
	Broker int32  `json:"broker"`
	Rack   string `json:"rack"`
}

// chunk holds some moves of an execution.
type chunk struct {
	Version int         `json:"version"`
	Moves   []chunkMove `json:"moves"`
}

type chunkMove struct {
	balance.Move
	TopicID     string `json:"topicId,omitempty"`
	Ended       string `json:"ended,omitempty"` // the reason why
	Unconfirmed bool   `json:"unconfirmed,omitempty"`
}

// unsaved says what of the record has changed since it was stored.
type unsaved struct {
	head   bool
	first  bool // nothing is stored yet
	chunks []bool
}

func (u *unsaved) all(moves int) {
	*u = unsaved{head: true, first: true, chunks: make([]bool, chunkCount(moves))}
	for i := range u.chunks {
		u.chunks[i] = true
	}
}

func (u *unsaved) move(i int) { u.head, u.chunks[chunkOf(i)] = true, true }

// take empties u and returns what was in it: what changes while that is being stored is stored again later.
func (u *unsaved) take() unsaved {
	taken := *u
	*u = unsaved{chunks: make([]bool, len(taken.chunks))}
	return taken
}

// putBack undoes take for what was not stored.
func (u *unsaved) putBack(taken unsaved) {
	u.head, u.first = u.head || taken.head, u.first || taken.first
	for i, dirty := range taken.chunks {
		u.chunks[i] = u.chunks[i] || dirty
	}
}

// entries returns what has to be stored now. With done that is its removal, unless something is left in the cluster.
func (e *Execution) entries(done bool) []Entry {
	if done && len(e.leftovers()) == 0 {
		return e.removal()
	}
	e.saving = e.unsaved.take()
	var entries []Entry
	if e.saving.first {
		entries = append(entries, Entry{headKey(e.id), e.encodeHead()})
	}
	for n, dirty := range e.saving.chunks {
		if dirty {
			entries = append(entries, Entry{chunkKey(e.id, n), e.encodeChunk(n)})
		}
	}
	if e.saving.head && !e.saving.first {
		entries = append(entries, Entry{headKey(e.id), e.encodeHead()})
	}
	return entries
}

// removal deletes the record, the head last: a crash in between leaves the head to find the rest by.
func (e *Execution) removal() []Entry {
	var entries []Entry
	for n := range e.unsaved.chunks {
		entries = append(entries, Entry{Key: chunkKey(e.id, n)})
	}
	return append(entries, Entry{Key: headKey(e.id)})
}

func (e *Execution) encodeHead() []byte {
	h := head{
		Version: recordVersion, ID: e.id, StartedAt: e.startedAt, Limits: e.limits,
		Cancelled: e.cancelled, Settling: e.settling, Rates: e.rates,
	}
	if !e.endedAt.IsZero() {
		h.EndedAt = &e.endedAt
	}
	states := make([]byte, len(e.tasks))
	for i := range e.tasks {
		t := &e.tasks[i]
		states[i] = stateLetter(t.state)
		if t.state == Active || t.holds() {
			h.Unfinal = append(h.Unfinal, t.step(i))
		}
	}
	h.States = string(states)
	for _, b := range e.racks {
		h.Racks = append(h.Racks, rackOf{b.ID, b.Rack})
	}
	return encode(h)
}

func (t *task) step(i int) stepState {
	return stepState{
		Move: i, Phase: t.phase, Prev: t.prev, Want: t.want, Leader: t.leader, Sent: t.sent, Since: t.since,
		Deadline: t.deadline, Elect: t.elect, Ending: t.ending, Reason: t.reason,
		HeldLeader: t.heldLeader, HeldFollower: t.heldFollower,
	}
}

func (e *Execution) encodeChunk(n int) []byte {
	c := chunk{Version: recordVersion}
	from, to := chunkSpan(n, len(e.tasks))
	for i := from; i < to; i++ {
		t := &e.tasks[i]
		m := chunkMove{Move: t.move, TopicID: t.topicID, Unconfirmed: t.unconfirmed}
		if t.state.Ended() {
			m.Ended = t.reason
		}
		c.Moves = append(c.Moves, m)
	}
	return encode(c)
}

// encode never fails: the types above hold nothing that JSON cannot write.
func encode(v any) []byte {
	text, _ := json.Marshal(v)
	return text
}
