package reassign

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kafka-pilot/pilot/balance"
)

// Restore makes executions of everything that a Journal holds; keys of others are left alone. They are in the order in
// which they began. Run takes each up where it was: what is in flight goes on, what was about to be submitted is
// submitted, throttles are put back in the end. Call Settle or Cancel first to end one early instead. One that has
// ended is returned too when its throttles could not be put back; its Run tries again.
//
// What cannot be read is named in the error, and the others are returned all the same.
func Restore(journal map[string][]byte) ([]*Execution, error) {
	var restored []*Execution
	var problems []error
	for _, key := range slices.Sorted(maps.Keys(journal)) {
		id, ok := strings.CutPrefix(key, keyPrefix)
		if !ok || strings.Contains(id, "/") {
			continue
		}
		e, err := restore(id, journal)
		if err != nil {
			problems = append(problems, fmt.Errorf("record %s cannot be read: %w", key, err))
			continue
		}
		restored = append(restored, e)
	}
	slices.SortStableFunc(restored, func(a, b *Execution) int { return a.startedAt.Compare(b.startedAt) })
	return restored, errors.Join(problems...)
}

func restore(id string, journal map[string][]byte) (*Execution, error) {
	var h head
	if err := decode(journal[headKey(id)], &h); err != nil {
		return nil, err
	}
	if h.ID != id {
		return nil, fmt.Errorf("it is the record of execution %q", h.ID)
	}
	if err := errors.Join(checkID(id), h.Limits.Validate()); err != nil {
		return nil, err
	}
	e := &Execution{
		id: id, limits: h.Limits.orDefaults(), startedAt: h.StartedAt, cancelled: h.Cancelled, settling: h.Settling,
		rates: h.Rates, tasks: make([]task, len(h.States)),
	}
	for _, r := range h.Racks {
		e.racks = append(e.racks, balance.Broker{ID: r.Broker, Rack: r.Rack})
	}
	e.unsaved.chunks = make([]bool, chunkCount(len(e.tasks)))
	complete, err := e.restoreMoves(journal)
	if err != nil {
		return nil, err
	}
	if !complete {
		e.neverBegan()
		return e, nil
	}
	if err := e.restoreStates(&h); err != nil {
		return nil, err
	}
	e.ready()
	return e, e.checkRestored()
}

// restoreMoves reads the chunks and reports whether all are there.
func (e *Execution) restoreMoves(journal map[string][]byte) (complete bool, err error) {
	for n := range e.unsaved.chunks {
		from, to := chunkSpan(n, len(e.tasks))
		value, found := journal[chunkKey(e.id, n)]
		if !found {
			return false, nil
		}
		var c chunk
		if err := decode(value, &c); err != nil {
			return false, fmt.Errorf("moves %d to %d: %w", from, to-1, err)
		}
		if len(c.Moves) != to-from {
			return false, fmt.Errorf("%d moves where %d to %d should be", len(c.Moves), from, to-1)
		}
		for i, m := range c.Moves {
			e.tasks[from+i] = task{move: m.Move, topicID: m.TopicID, reason: m.Ended, unconfirmed: m.Unconfirmed}
		}
	}
	return true, nil
}

// neverBegan makes an empty execution of a record that was not complete, or is half deleted: nothing is in flight.
func (e *Execution) neverBegan() {
	e.tasks, e.rates, e.hollow = nil, nil, true
	e.ready()
}

func (e *Execution) restoreStates(h *head) error {
	for i := range e.tasks {
		s, err := stateOf(h.States[i])
		if err != nil {
			return fmt.Errorf("move %d: %w %q", i, err, h.States[i])
		}
		e.tasks[i].state = s
		if s.Ended() {
			e.finals++
		}
		switch t := &e.tasks[i]; {
		case s == Completed:
			t.copied = t.move.CopyBytes
		case s.Ended() && t.reason == "":
			t.reason = "the program ended before it could record why"
		}
	}
	for _, s := range h.Unfinal {
		if s.Move < 0 || s.Move >= len(e.tasks) {
			return fmt.Errorf("there is no move %d", s.Move)
		}
		t := &e.tasks[s.Move]
		t.heldLeader, t.heldFollower = s.HeldLeader, s.HeldFollower
		if t.state.Ended() {
			continue
		}
		t.phase, t.prev, t.want, t.leader, t.sent = s.Phase, s.Prev, s.Want, s.Leader, s.Sent
		t.since, t.deadline, t.elect, t.ending, t.reason = s.Since, s.Deadline, s.Elect, s.Ending, s.Reason
	}
	return nil
}

// checkRestored refuses a record that no execution wrote.
func (e *Execution) checkRestored() error {
	moves := make([]balance.Move, len(e.tasks))
	for i := range e.tasks {
		t := &e.tasks[i]
		moves[i] = t.move
		known := t.phase <= undoing && int(t.ending) < len(stateNames)
		if !known || t.state == Active && t.phase != resting && (len(t.want) == 0 || len(t.prev) == 0) {
			return fmt.Errorf("move %d is in no step that exists", i)
		}
	}
	sorted := slices.IsSortedFunc(e.rates, func(a, b heldRate) int { return int(a.Broker) - int(b.Broker) })
	if !sorted {
		return fmt.Errorf("its rates are not sorted by broker")
	}
	return checkMoves(moves)
}

func decode(value []byte, into any) error {
	var v struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(value, &v); err != nil {
		return fmt.Errorf("not a JSON object: %w", err)
	}
	if v.Version != recordVersion {
		return fmt.Errorf("its version is %d and this program reads %d: use the program that wrote it", v.Version, recordVersion)
	}
	if err := json.Unmarshal(value, into); err != nil {
		return fmt.Errorf("not what this program writes: %w", err)
	}
	return nil
}
