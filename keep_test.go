package pilot

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func proposal(id string) *stored {
	return &stored{proposal: &balance.Proposal{ID: id}, status: storedReady}
}

// TestProposalsAreKept up to a hundred, the newest first.
func TestProposalsAreKept(t *testing.T) {
	var ps proposals
	for i := range 2 * mostProposals {
		ps.keep(proposal(fmt.Sprint(i)), noon.Add(time.Duration(i)*time.Minute))
	}
	require.Len(t, ps.all, mostProposals)
	require.Equal(t, "199", ps.all[0].proposal.ID)
	require.Same(t, ps.all[0], ps.current)
	require.Nil(t, ps.find("99"))
	require.NotNil(t, ps.find("100"))
	ps.mark("99", storedFailed) // gone, and no matter
}

// TestProposalTimes: the same plan keeps its time while it stays the current one.
func TestProposalTimes(t *testing.T) {
	var ps proposals
	ps.keep(proposal("a"), noon)
	ps.keep(proposal("a"), noon.Add(time.Minute))
	require.Equal(t, noon, ps.current.createdAt)
	require.Len(t, ps.all, 1)
	ps.keep(proposal("b"), noon.Add(2*time.Minute))
	ps.mark("a", storedCancelled)
	ps.keep(proposal("a"), noon.Add(3*time.Minute))
	require.Equal(t, noon.Add(3*time.Minute), ps.current.createdAt, "it was made again")
	require.Equal(t, storedReady, ps.current.status)
	require.Len(t, ps.all, 2)
	ps.drop()
	require.Nil(t, ps.current)
	require.NotNil(t, ps.find("a"))
}

// TestExecutionsAreKept up to a hundred beside the running one.
func TestExecutionsAreKept(t *testing.T) {
	var e executions
	for range 2 * mostExecutions {
		e.begin(&execution{id: e.nextID(noon)})
	}
	require.Len(t, e.all, mostExecutions+1)
	require.Equal(t, "20261130-120000-200", e.running().id)
	require.Same(t, e.all[0], e.slot)
}

// TestIDsOfRestoredExecutions are not given again.
func TestIDsOfRestoredExecutions(t *testing.T) {
	e := executions{waiting: []*execution{{id: "20261130-120000-1"}}}
	require.Equal(t, "20261130-120000-2", e.nextID(noon))
}

// TestFingerprint tells placements apart, and nothing else.
func TestFingerprint(t *testing.T) {
	one := func(change func(*balance.Partition)) string {
		p := balance.Partition{Topic: "orders", ID: 1, Leader: 1, Replicas: []int32{1, 2}, SizeBytes: 5}
		change(&p)
		return fingerprint(&balance.Cluster{Partitions: []balance.Partition{p}})
	}
	base := one(func(*balance.Partition) {})
	require.Equal(t, base, one(func(p *balance.Partition) { p.SizeBytes, p.ProduceBytes, p.Leader = 7, 8, 2 }))
	for name, change := range map[string]func(*balance.Partition){
		"order":     func(p *balance.Partition) { p.Replicas = []int32{2, 1} },
		"replica":   func(p *balance.Partition) { p.Replicas = []int32{1, 3} },
		"factor":    func(p *balance.Partition) { p.Replicas = []int32{1, 2, 3} },
		"topic":     func(p *balance.Partition) { p.Topic = "order" },
		"partition": func(p *balance.Partition) { p.ID = 2 },
	} {
		require.NotEqual(t, base, one(change), name)
	}
}

// TestMessages of refusals and notes.
func TestMessages(t *testing.T) {
	var many []balance.TopicPartition
	for i := range int32(5) {
		many = append(many, balance.TopicPartition{Topic: "orders", Partition: i})
	}
	require.Equal(t, "1 partition is no longer where this plan starts from: orders-0. Generate a new proposal.", staleMessage(many[:1], false))
	require.Equal(t, "2 partitions are no longer where this plan starts from: orders-0 and orders-1. Generate a new proposal, "+
		"or repeat the request with force to make the other repairs.", staleMessage(many[:2], true))
	require.Equal(t, "5 partitions were left out of the plan: orders-0, orders-1, orders-2 and 2 more", skippedNote(many, nil))
	require.Empty(t, skippedNote(nil, nil))

	left := int64(90)
	running := &execution{id: "x", launched: true, progress: reassign.Progress{SecondsLeft: &left}}
	require.Equal(t, 90*time.Second, refuseBusy(running).RetryAfter)
	require.Contains(t, refuseBusy(&execution{}).Message, "being checked")
}
