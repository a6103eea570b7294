package pilot

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/maintenance"
	"github.com/kafka-pilot/pilot/safety"
)

// fourBrokers is a cluster of two partitions on brokers 1 and 2, with the brokers given unavailable.
func fourBrokers(down ...int32) inspection {
	c := &balance.Cluster{TakenAt: noon}
	h := safety.Health{At: noon, Controller: safety.ControllerHealthy}
	for id := int32(1); id <= 4; id++ {
		b := balance.Broker{ID: id}
		if len(down) > 0 && down[0] == id {
			b.State, down = balance.Unavailable, down[1:]
		} else {
			h.Alive = append(h.Alive, id)
		}
		h.Registered = append(h.Registered, id)
		c.Brokers = append(c.Brokers, b)
	}
	for id := range int32(2) {
		c.Partitions = append(c.Partitions, balance.Partition{Topic: "orders", ID: id, Leader: 1, Replicas: []int32{1, 2}, ISR: []int32{1, 2}})
	}
	return inspection{health: h, history: safety.History{}.Next(h), reading: newReading(c, maintenance.State{}, balance.Policy{})}
}

// to is a move of one of the partitions from brokers 1 and 2.
func to(kind balance.MoveKind, partition int32, replicas ...int32) balance.Move {
	return balance.Move{Topic: "orders", Partition: partition, From: []int32{1, 2}, To: replicas, FromLeader: 1, ToLeader: replicas[0], Kind: kind}
}

func moved(m balance.Move) balance.Move {
	m.From = []int32{3, 4}
	return m
}

// TestFit is about what is left of a plan when it is applied, and what is said when that is not all.
func TestFit(t *testing.T) {
	const repair, even = balance.MoveRepair, balance.MoveBalance
	for name, c := range map[string]struct {
		moves         []balance.Move
		down          []int32
		left          int    // moves that would be made
		code, forced  string // of the refusal, and with force
		overridable   bool
		message, note string
	}{
		"all of it fits": {moves: []balance.Move{to(even, 0, 3, 2), to(even, 1, 4, 2)}, left: 2},
		"a repair is stale": {
			moves: []balance.Move{moved(to(repair, 0, 3, 2)), to(repair, 1, 4, 2)}, left: 1,
			code: "stale_topology_fingerprint", overridable: true, note: "1 partition was left out of the plan: orders-0",
		},
		"an optional move is stale": {
			moves: []balance.Move{moved(to(even, 0, 3, 2)), to(even, 1, 4, 2)}, left: 1,
			code: "stale_topology_fingerprint", forced: "plan_altered", note: "1 partition was left out of the plan: orders-0",
		},
		"every repair is stale": {
			moves: []balance.Move{moved(to(repair, 0, 3, 2))},
			code:  "stale_topology_fingerprint", forced: "nothing_to_apply", overridable: true,
			message: "No move of this proposal can be made now. Generate a new one.", note: "1 partition was left out of the plan: orders-0",
		},
		"a partition is gone": {
			moves: []balance.Move{to(even, 7, 3, 2)}, code: "stale_topology_fingerprint", forced: "plan_altered",
			note: "1 partition was left out of the plan: orders-7",
		},
		"a receiver of a repair is down, and another takes its place": {
			moves: []balance.Move{to(repair, 0, 3, 2)}, down: []int32{1, 3}, left: 1,
		},
		"a receiver of an optional move is down": {
			moves: []balance.Move{to(even, 0, 3, 2)}, down: []int32{3}, code: "plan_altered", forced: "plan_altered",
			note: "1 partition was left out of the plan: orders-0",
		},
		"no other broker can take a repair": {
			moves: []balance.Move{to(repair, 0, 1, 2, 3, 4)}, down: []int32{3},
			code: "nothing_to_apply", forced: "nothing_to_apply",
			message: "No move of this proposal can be made now: orders-0: Broker 3 is not available, and no other broker can keep the replication factor of 4 and the racks. Generate a new one.",
			note:    "1 partition was left out of the plan: orders-0",
		},
		"most brokers are down, and the plan is stale too": {
			moves: []balance.Move{moved(to(even, 0, 3, 2))}, down: []int32{1, 2, 3},
			code: "majority_of_brokers_unavailable", forced: "majority_of_brokers_unavailable",
			note: "1 partition was left out of the plan: orders-0",
		},
	} {
		t.Run(name, func(t *testing.T) {
			seen := fourBrokers(c.down...)
			p := &stored{proposal: &balance.Proposal{Moves: c.moves}, placement: seen.reading.placement}
			f := (&Service{}).fit(p, seen)
			require.Len(t, f.moves, c.left)
			require.Equal(t, c.note, skippedNote(f.stale, f.skipped))
			requireRefusal(t, f.refusal(true), c.forced, false, c.message)
			requireRefusal(t, f.refusal(false), c.code, c.overridable, "")
		})
	}
}

func requireRefusal(t *testing.T, err error, code string, overridable bool, message string) {
	t.Helper()
	if code == "" {
		require.NoError(t, err)
		return
	}
	var r *Refused
	require.ErrorAs(t, err, &r)
	require.Equal(t, code, r.Code)
	require.Equal(t, RefusedConflict, r.Kind)
	require.Equal(t, overridable, r.Overridable)
	if message != "" {
		require.Equal(t, message, r.Message)
	}
	require.Equal(t, code+": "+r.Message, r.Error())
}
