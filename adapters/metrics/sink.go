package metrics

import (
	"math"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/balance"
)

// sink turns views into samples.
type sink chan<- prometheus.Metric

func (s sink) gauge(d *prometheus.Desc, value float64, labels ...string) {
	s <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
}

func (s sink) flag(d *prometheus.Desc, on bool) {
	value := 0.0
	if on {
		value = 1
	}
	s.gauge(d, value)
}

func (s sink) cluster(v pilot.ClusterView) {
	var count [balance.Unavailable + 1]int
	for _, b := range v.Brokers {
		if int(b.State) < len(count) {
			count[b.State]++
		}
	}
	for state, n := range count {
		s.gauge(brokers, float64(n), balance.BrokerState(state).String())
	}
	s.gauge(topics, float64(v.Topics))
	s.gauge(partitions, float64(v.Partitions))
	s.gauge(replicas, float64(v.Replicas))
	s.gauge(underReplicated, float64(v.UnderISR))
	s.gauge(moving, float64(v.Moving))
	s.gauge(unmeasured, float64(v.Unmeasured))
	s.gauge(reading, float64(v.TakenAt.UnixMilli())/1000)
}

func (s sink) balance(v pilot.BalanceView, actLine float64) {
	farthest := 0.0
	for _, b := range v.Report.Brokers {
		for m, d := range b.Loads {
			signed := d.Distance
			if d.Side == balance.Below {
				signed = -signed
			}
			s.gauge(distance, signed, strconv.Itoa(int(b.Broker)), balance.Metric(m).String())
			farthest = math.Max(farthest, d.Distance)
		}
	}
	s.gauge(largest, farthest)
	s.flag(material, farthest > actLine)
}

func (s sink) proposal(v pilot.ProposalView) {
	s.flag(allowed, v.Decision.ApplicationAllowed)
	if v.Proposal == nil {
		return
	}
	for m := range balance.Metric(balance.NumMetrics) {
		s.gauge(varianceCurrent, v.Proposal.Before.Imbalance[m], m.String())
		s.gauge(varianceProjected, v.Proposal.After.Imbalance[m], m.String())
	}
	s.gauge(moves, float64(len(v.Proposal.Moves)))
	s.gauge(moveBytes, float64(v.Proposal.CopyBytes()))
}

// executions tells of the newest, which is the running one if any is: only one runs at a time.
func (s sink) executions(list []pilot.ExecutionView, now time.Time) {
	var v pilot.ExecutionView
	if len(list) > 0 {
		v = list[0]
	}
	s.flag(running, len(list) > 0 && v.EndedAt == nil)
	for _, state := range []struct {
		name pilot.MoveState
		n    int
	}{
		{pilot.StateActive, v.Active}, {pilot.StatePending, v.Pending}, {pilot.StateCompleted, v.Completed},
		{pilot.StateFailed, v.Failed}, {pilot.StateCancelled, v.Cancelled}, {pilot.StateTimedOut, v.TimedOut},
	} {
		s.gauge(states, float64(state.n), string(state.name))
	}
	if len(list) > 0 {
		s.execution(v, now)
	}
}

func (s sink) execution(v pilot.ExecutionView, now time.Time) {
	end := now
	if v.EndedAt != nil {
		end = *v.EndedAt
	}
	s.gauge(copyBytes, float64(v.CopyBytes))
	s.gauge(copiedBytes, float64(v.CopiedBytes))
	s.gauge(duration, end.Sub(v.StartedAt).Seconds())
	s.gauge(unconfirmed, float64(len(v.Unconfirmed)))
	if v.ThrottleBytes != nil {
		s.gauge(throttle, float64(*v.ThrottleBytes))
	}
}
