package reassign

import (
	"cmp"
	"maps"
	"slices"

	"github.com/kafka-pilot/pilot/internal/units"
)

// TargetThrottle is the replication limit of the brokers that receive copies now or later (row EXE-03), as last
// observed. It bounds each receiver, not the cluster, and is no measured speed.
type TargetThrottle struct {
	Text      string       // "50 MB/s", "Mixed limits", "Unavailable" or "Not applicable"
	Bytes     *int64       // bytes per second, where all receivers have the same
	Receivers []BrokerRate // brokers that unfinished moves copy to, sorted
	Others    []BrokerRate // other brokers that unfinished moves involve, sorted
}

// BrokerRate is the follower replication limit of one broker in bytes per second; nil is not known or not set.
type BrokerRate struct {
	Broker int32
	Bytes  *int64
}

// target sums up the limits of the receivers.
func (e *Execution) target() TargetThrottle {
	receivers, others := map[int32]bool{}, map[int32]bool{}
	for i := range e.tasks {
		t := &e.tasks[i]
		if t.state.Ended() {
			continue
		}
		for _, b := range union(t.move.From, t.move.To) {
			others[b] = true
		}
		for _, b := range without(t.move.To, t.move.From) {
			receivers[b] = true
		}
	}
	maps.DeleteFunc(others, func(b int32, _ bool) bool { return receivers[b] })
	t := TargetThrottle{Receivers: e.observed(receivers), Others: e.observed(others)}
	t.Text, t.Bytes = summary(t.Receivers)
	return t
}

func (e *Execution) observed(brokers map[int32]bool) []BrokerRate {
	var rates []BrokerRate
	for b := range brokers {
		rates = append(rates, BrokerRate{b, clone(e.upkeep.followers[b])})
	}
	slices.SortFunc(rates, func(a, b BrokerRate) int { return cmp.Compare(a.Broker, b.Broker) })
	return rates
}

func summary(receivers []BrokerRate) (string, *int64) {
	if len(receivers) == 0 {
		return "Not applicable", nil
	}
	first := receivers[0].Bytes
	mixed := false
	for _, r := range receivers {
		if r.Bytes == nil {
			return "Unavailable", nil
		}
		mixed = mixed || *r.Bytes != *first
	}
	if mixed {
		return "Mixed limits", nil
	}
	return units.Rate(float64(*first)), first
}

func clone(rate *int64) *int64 {
	if rate == nil {
		return nil
	}
	copied := *rate
	return &copied
}
