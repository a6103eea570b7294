package apitest

import (
	"time"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/safety"
)

// At is the time of everything in the examples.
var At = time.Date(2026, 3, 14, 9, 30, 0, 0, time.UTC)

// Health is a service that is ready while another tool moves a partition.
func Health() pilot.HealthView {
	return pilot.HealthView{Ready: true, ReadAt: ptr(At), Findings: []safety.Finding{InFlight()}}
}

// InFlight is a soft finding.
func InFlight() safety.Finding {
	return safety.Finding{
		Code: safety.InFlight, Message: "1 partition is being reassigned.", Subjects: []string{"orders-3"},
	}
}

// Cluster is four brokers in two racks, one in maintenance and one with the ID 0.
func Cluster() pilot.ClusterView {
	return pilot.ClusterView{
		TakenAt: At, Topics: 12, Partitions: 240, Replicas: 720, UnderISR: 2, Moving: 1, Unmeasured: 3,
		Maintenance: []int32{4},
		Brokers: []pilot.BrokerView{
			{ID: 0, Host: "kafka-0", Rack: "a", Load: loads(80)},
			{ID: 1, Host: "kafka-1", Rack: "b", Load: loads(35)},
			{ID: 2, Host: "kafka-2", State: balance.Unavailable, Load: loads(50)},
			{ID: 4, Host: "kafka-4", Rack: "b", State: balance.Maintenance},
		},
	}
}

func loads(leaders float64) map[string]float64 {
	m := map[string]float64{}
	for i := range balance.Metric(balance.NumMetrics) {
		m[i.String()] = leaders * float64(i+1)
	}
	return m
}

// Balance has broker 1 far below its share of leaders.
func Balance() pilot.BalanceView {
	return pilot.BalanceView{
		TakenAt: At,
		Report:  report(0.28),
		Summary: balance.Summary{
			Header: "Pilot moves partitions when a broker is more than 10% from its fair share, and evens it to within 5%.",
			Badge:  "Uneven",
			Rows: []balance.SummaryRow{
				{Load: balance.Leaders, Text: "Broker 1 · 28% below", Broker: new(int32(1)), Distance: 0.28, Side: balance.Below,
					Colour: "red", Note: "More than 10% below its fair share."},
				{Load: balance.Disk, Text: "Even", Colour: "green"},
			},
		},
	}
}

func report(leaders float64) balance.Report {
	r := balance.Report{
		Brokers:   []balance.BrokerReport{{Broker: 0}, {Broker: 1}},
		NoTraffic: []balance.Metric{balance.ConsumerMessages},
		BelowMin:  []balance.Metric{balance.ConsumerBytes},
	}
	r.Brokers[0].Loads[balance.Leaders] = balance.Distance{Have: 51, FairShare: 50, OnePartition: 1}
	r.Brokers[1].Loads[balance.Leaders] = balance.Distance{
		Have: 50 - 50*leaders - 1, FairShare: 50, OnePartition: 1, Distance: leaders, Side: balance.Below,
	}
	r.Imbalance[balance.Leaders] = leaders / 2
	return r
}

// Proposal is a plan of one move that may be applied.
func Proposal() pilot.ProposalView {
	return pilot.ProposalView{
		ID: "9f2c41", CreatedAt: At, Stored: "ready",
		Proposal: &balance.Proposal{
			ID: "9f2c41", Status: balance.RebalanceRecommended,
			Message: "Broker 1 is 28% below its fair share of leaders. The plan brings every broker within 5%.",
			Moves: []balance.Move{{
				Topic: "orders", Partition: 3, From: []int32{0, 2}, To: []int32{1, 2}, FromLeader: 0, ToLeader: 1,
				Kind: balance.MoveBalance, Reason: "Broker 1 lacks leaders.", CopyBytes: 3 << 30,
			}},
			Before: report(0.28), After: report(0.02),
			Limits: []balance.Limit{{
				Broker: 0, Load: balance.Disk, Side: balance.Above, Distance: 0.12, Cause: balance.CauseLargePartition,
				Reason: "orders-3 alone is a third of its share.", Help: "Add partitions to orders.",
			}},
			TopicSpread: balance.TopicSpread{Concentrated: []balance.ConcentratedTopic{
				{Topic: "orders", Broker: 0, Leaders: 60, After: 23, Partitions: 100, Cap: 21, Limit: balance.CauseReplicaPlacement},
			}},
			Notes: []string{"Broker 2 ends 7% above its fair share of disk."},
		},
		Decision: safety.Decision{
			State: balance.RebalanceRecommended, Title: "Rebalance recommended", Message: "The plan is worth applying.",
			ApplicationAllowed: true, NextAction: "review_and_apply", Findings: []safety.Finding{InFlight()},
			ValidUntil: ptr(At.Add(2 * time.Minute)),
		},
	}
}

// EmptyProposal is what a calculation without moves leaves: every list is nil.
func EmptyProposal() pilot.ProposalView {
	return pilot.ProposalView{
		ID: "000000", CreatedAt: At.Add(-time.Hour), Stored: "ready",
		Proposal: &balance.Proposal{ID: "000000", Status: balance.NoneNeeded, Message: "Every broker is within 10%."},
		Decision: safety.Decision{
			State: balance.Status("collecting"), Title: "Collecting measurements", Reason: safety.DataNotReady,
			NextAction: "wait", RetryAt: ptr(At),
		},
	}
}

// Execution is running.
func Execution() pilot.ExecutionView {
	return pilot.ExecutionView{
		ID: "e-17", Strategy: "PROPOSAL", ProposalID: "9f2c41", State: pilot.StateActive, StartedAt: At,
		Message: "Moving 1 of 2 partitions.", Submitted: 2, Completed: 1, Active: 1,
		CopyBytes: 3 << 30, CopiedBytes: 1 << 30, SecondsLeft: ptr(int64(90)), ThrottleBytes: ptr(int64(50e6)),
		Moves: []pilot.MoveStatusView{
			{Topic: "orders", Partition: 3, From: []int32{0, 2}, To: []int32{1, 2}, State: pilot.StateActive},
			{Topic: "orders", Partition: 4, From: []int32{0, 2}, To: []int32{2, 0}, State: pilot.StateCompleted},
		},
	}
}

// Ended is an execution that was cancelled, of a drain.
func Ended() pilot.ExecutionView {
	return pilot.ExecutionView{
		ID: "e-16", Strategy: "DRAIN", Broker: ptr(int32(4)), State: pilot.StateCancelled, StartedAt: At.Add(-time.Hour),
		EndedAt: ptr(At.Add(-time.Minute)), Message: "Cancelled.", Submitted: 6, Completed: 1, Failed: 2, Cancelled: 2,
		TimedOut: 1, CancelRequested: true, Unconfirmed: []string{"orders-9"},
	}
}

// Drain is a drain that has started and leaves a partition on one rack.
func Drain(broker int32) pilot.DrainView {
	e := Execution()
	e.Strategy, e.ProposalID, e.Broker = "DRAIN", "", &broker
	return pilot.DrainView{
		Broker: broker, State: "draining", Execution: &e, ReducedFactor: []string{"audit-0"},
		RackCollapses: []pilot.RackCollapseView{
			{Topic: "orders", Partition: 7, Replicas: []int32{0, 1}, Racks: []string{"a", "a"}},
		},
		Warnings: []string{"audit-0 has one replica."},
	}
}

func ptr[T any](v T) *T { return &v }
