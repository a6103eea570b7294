package pilot

import (
	"fmt"
	"time"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

// view returns the execution as adapters show it. The lock must be held.
func (x *execution) view(moves bool) ExecutionView {
	p := &x.progress
	v := ExecutionView{
		ID: x.id, Strategy: x.Strategy, ProposalID: x.ProposalID, Broker: x.Broker,
		State: MoveState(p.State.String()), StartedAt: x.claimedAt, EndedAt: known(p.EndedAt), Message: x.message(),
		Submitted: p.Submitted, Completed: p.Completed, Active: p.Active, Pending: p.Pending,
		Failed: p.Failed, Cancelled: p.Cancelled, TimedOut: p.TimedOut,
		CopyBytes: p.CopyBytes, CopiedBytes: p.CopiedBytes, SecondsLeft: p.SecondsLeft, ThrottleBytes: p.ThrottleBytes,
		CancelRequested: x.cancelled || p.CancelRequested, Unconfirmed: texts(p.Unconfirmed), Moves: []MoveStatusView{},
	}
	if !x.launched { // interrupted, and not yet taken up
		v.State = StatePending
	}
	if moves {
		v.Moves = moveViews(p.Moves)
	}
	return v
}

// message is the sentence of the execution, with what was left out of it.
func (x *execution) message() string {
	if !x.launched {
		return "It was interrupted, and is taken up after another one that was as well"
	}
	if x.note == "" {
		return x.progress.Message
	}
	return fmt.Sprintf("%s; %s", x.progress.Message, x.note)
}

func moveViews(moves []reassign.MoveProgress) []MoveStatusView {
	views := make([]MoveStatusView, len(moves))
	for i := range moves {
		m := &moves[i]
		views[i] = MoveStatusView{
			Topic: m.Topic, Partition: m.Partition, From: m.From, To: m.To, State: MoveState(m.State.String()), Reason: m.Reason,
		}
	}
	return views
}

// texts returns the names of partitions, never nil.
func texts(partitions []balance.TopicPartition) []string {
	names := []string{}
	for _, p := range partitions {
		names = append(names, p.String())
	}
	return names
}

// known returns nil for the time that is not known.
func known(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
