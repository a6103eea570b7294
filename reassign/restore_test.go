package reassign

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

// manyMoves makes a plan of n partitions.
func manyMoves(n int) []balance.Move {
	moves := make([]balance.Move, n)
	for i := range moves {
		moves[i] = move("orders-0", []int32{1, 2}, []int32{4, 2})
		moves[i].Partition = int32(i)
	}
	return moves
}

// TestRecordIsInPieces: a long plan is stored in chunks, the head first; later saves are small.
func TestRecordIsInPieces(t *testing.T) {
	h := newHost(t, Limits{}, manyMoves(450)...)
	h.until(func() bool { return len(h.journal) > 0 })
	keys := slices.Sorted(maps.Keys(h.journal))
	require.Equal(t, []string{"execution/plan", "execution/plan/moves/0", "execution/plan/moves/1", "execution/plan/moves/2"}, keys)
	require.Less(t, len(h.journal["execution/plan"]), 12_000)
	for _, key := range keys[1:] {
		require.Less(t, len(h.journal[key]), 60_000)
	}
	all, err := Restore(h.journal)
	require.NoError(t, err)
	require.Len(t, all[0].tasks, 450)
	require.Equal(t, h.e.tasks[449].move, all[0].tasks[449].move)
}

// TestRestoreAtEveryCall: the program dies before and after each call of a whole story, and each time the next one
// brings it to the same end.
func TestRestoreAtEveryCall(t *testing.T) {
	moves := []balance.Move{
		move("orders-0", []int32{1, 2}, []int32{4, 2}), move("orders-1", []int32{1, 2}, []int32{2, 1}), move("users-0", []int32{1, 2, 3}, []int32{4, 5, 3}),
	}
	operators := int64(70_000)
	for at := range 200 {
		for _, kind := range []faultAt{lost, crash} {
			h := throttledHost(t, slices.Clone(moves)...)
			h.rates[1].Leader = &operators
			died := false
			h.fault = func(string) faultAt {
				if died || h.calls == at+1 {
					died = true
					return kind
				}
				return works
			}
			h.until(func() bool { return died })
			h.fault = nil
			h.finishAfterDeath(t, moves)
			require.Equal(t, []string{
				"orders-0 [4, 2] leader 4 isr [2, 4]", "orders-1 [2, 1] leader 2 isr [1, 2]", "users-0 [4, 5, 3] leader 4 isr [3, 4, 5]",
				"broker 1 throttled: leader 70000 follower none",
			}, h.state(), "died at call %d", at+1)
			require.Empty(t, h.journal)
		}
	}
}

// finishAfterDeath runs what the journal holds, then the plan again if that never began.
func (h *host) finishAfterDeath(t *testing.T, moves []balance.Move) {
	all, err := Restore(h.journal)
	require.NoError(t, err)
	for _, e := range all {
		h.e, h.seen = e, Seen{}
		h.until(func() bool { return false })
	}
	if len(all) == 0 || all[0].hollow {
		again, err := New("plan", moves, nil, h.e.limits)
		require.NoError(t, err)
		h.e, h.seen = again, Seen{}
		h.until(func() bool { return false })
	}
}

// TestRecordWithoutItsMoves: the program died while it stored the plan, or while it removed it. Nothing is in flight,
// and a Run removes the rest.
func TestRecordWithoutItsMoves(t *testing.T) {
	h := newHost(t, Limits{}, manyMoves(450)...)
	h.until(func() bool { return len(h.journal) == 4 })
	delete(h.journal, "execution/plan/moves/1")
	all, err := Restore(h.journal)
	require.NoError(t, err)
	h.e, h.seen = all[0], Seen{}
	require.Equal(t, "plan", h.e.ID())
	h.fault = func(call string) faultAt {
		require.Contains(t, []string{"look", "save"}, call)
		return works
	}
	h.until(func() bool { return false })
	require.Empty(t, h.journal)
	require.Equal(t, "The record was not complete: nothing of this execution was in flight", h.e.Progress().Message)
}

// TestRestoreOrder: several records, and keys of others, which are left alone.
func TestRestoreOrder(t *testing.T) {
	journal := map[string][]byte{"maintenance/3": []byte("drained"), "execution/x/moves/0": []byte("{}")}
	start := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	for i, id := range []string{"b", "a"} {
		e, err := New(id, manyMoves(1), nil, Limits{})
		require.NoError(t, err)
		e.startedAt = start.Add(time.Duration(i) * time.Hour)
		for _, entry := range e.entries(false) {
			journal[entry.Key] = entry.Value
		}
	}
	all, err := Restore(journal)
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Equal(t, []string{"b", "a"}, []string{all[0].ID(), all[1].ID()})
	none, err := Restore(nil)
	require.NoError(t, err)
	require.Empty(t, none)
}

// TestBrokenRecords: each is named, and does not keep the others from being restored.
func TestBrokenRecords(t *testing.T) {
	good, err := New("good", manyMoves(1), nil, Limits{})
	require.NoError(t, err)
	tests := []struct {
		name, head, chunk, want string
	}{
		{"no JSON", `{`, ``, "not a JSON object"},
		{"a later version", `{"version":2}`, ``, "its version is 2 and this program reads 1: use the program that wrote it"},
		{"another's record", `{"version":1,"id":"other"}`, ``, `it is the record of execution "other"`},
		{"another shape", `{"version":1,"id":7}`, ``, "not what this program writes"},
		{"bad limits", `{"version":1,"id":"bad","limits":{"throttle":-1}}`, ``, "throttle must be positive"},
		{"broken moves", `{"version":1,"id":"bad","states":"p"}`, `[]`, "moves 0 to 0: not a JSON object"},
		{"too few moves", `{"version":1,"id":"bad","states":"pp"}`, `{"version":1,"moves":[{}]}`, "1 moves where 0 to 1 should be"},
		{"an unknown state", `{"version":1,"id":"bad","states":"?"}`, `{"version":1,"moves":[{}]}`, "move 0: unknown state '?'"},
		{"a move that is not there", `{"version":1,"id":"bad","states":"p","steps":[{"move":4}]}`, `{"version":1,"moves":[{}]}`, "there is no move 4"},
		{"a move that cannot be", `{"version":1,"id":"bad","states":"p"}`, `{"version":1,"moves":[{"topic":"orders"}]}`, "move of orders-0: source: the replica list is empty"},
		{"an unknown step", `{"version":1,"id":"bad","states":"a","steps":[{"move":0,"phase":9,"ending":"completed"}]}`, `{"version":1,"moves":[{}]}`, "move 0 is in no step that exists"},
		{"a step without replicas", `{"version":1,"id":"bad","states":"a","steps":[{"move":0,"phase":1,"ending":"completed"}]}`, `{"version":1,"moves":[{}]}`, "move 0 is in no step that exists"},
		{"unsorted rates", `{"version":1,"id":"bad","states":"","rates":[{"broker":2},{"broker":1}]}`, ``, "its rates are not sorted by broker"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			journal := map[string][]byte{"execution/bad": []byte(tt.head), "execution/bad/moves/0": []byte(tt.chunk)}
			for _, entry := range good.entries(false) {
				journal[entry.Key] = entry.Value
			}
			good.unsaved.putBack(good.saving)
			all, err := Restore(journal)
			require.ErrorContains(t, err, "record execution/bad cannot be read: "+tt.want)
			require.Len(t, all, 1)
		})
	}
}

// TestRestoreKeepsReasons: why a move ended is known after a restart.
func TestRestoreKeepsReasons(t *testing.T) {
	h := newHost(t, Limits{}, manyMoves(3)...)
	h.alter(h.part(name("orders-2")), []int32{5, 6})
	h.part(name("orders-2")).become([]int32{5, 6})
	h.run(50)
	all, err := Restore(h.journal)
	require.NoError(t, err)
	before, after := h.e.Progress(), all[0].Progress()
	require.Equal(t, Failed, before.Moves[2].State)
	require.Equal(t, before.Moves[2].Reason, after.Moves[2].Reason)
	require.Equal(t, before.StartedAt, after.StartedAt)
}

// FuzzRestore: no record, however broken, makes it panic, and what it makes runs without one.
func FuzzRestore(f *testing.F) {
	h := throttledHost(f, move("orders-0", []int32{1, 2}, []int32{4, 5}), move("orders-1", []int32{1, 2}, []int32{2, 1}))
	head := ""
	h.until(func() bool {
		if now := string(h.journal["execution/plan"]); now != head {
			head = now
			f.Add([]byte(head), h.journal["execution/plan/moves/0"])
		}
		if h.calls == 60 {
			h.e.Cancel()
		}
		return false
	})
	f.Add([]byte(`{"version":1,"id":"plan","states":"a","steps":[{"move":0,"phase":3,"prev":[1],"want":[2],"ending":"failed"}]}`),
		[]byte(`{"version":1,"moves":[{"topic":"orders","from":[1],"to":[2]}]}`))
	f.Fuzz(func(t *testing.T, head, moves []byte) {
		all, err := Restore(map[string][]byte{"execution/plan": head, "execution/plan/moves/0": moves})
		if err != nil {
			return
		}
		h := &host{fake: newFake(1, 2, 3, 4), e: all[0], tell: func(string, ...any) {}}
		h.add("orders", 0, 100, 1, 2)
		h.now = h.e.startedAt
		h.e.limits.PollEvery = time.Second // an hour would only take the cluster longer to play
		for range 50 {
			if !h.step() {
				break
			}
		}
		h.e.Progress()
	})
}

// TestHeadIsReadable: a person who looks into the state topic understands it.
func TestHeadIsReadable(t *testing.T) {
	h := throttledHost(t)
	h.run(3)
	var head map[string]any
	require.NoError(t, json.Unmarshal(h.journal["execution/plan"], &head))
	require.Equal(t, "a", head["states"])
	require.True(t, strings.HasPrefix(fmt.Sprint(head["rates"]), "[map[broker:1 leader:map[set:5e+06]]"), "%v", head["rates"])
}
