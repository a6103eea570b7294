package reassign

import (
	"maps"
	"slices"

	"github.com/kafka-pilot/pilot/internal/units"
)

// TargetThrottle is the replication limit of the brokers that receive copies now or later (row EXE-03), as last
// observed. It bounds each receiver, not the cluster, and is no measured speed.
type TargetThrottle struct {
	Text      string           // "50 MB/s", "Mixed limits", "Unavailable" or "Not applicable"
	Bytes     *int64           // the follower rate in bytes per second, where all receivers have the same
	Receivers []BrokerThrottle // brokers that unfinished moves copy to, sorted; a nil rate is not set or not known
	Others    []BrokerThrottle // other brokers that unfinished moves involve, sorted
}

// target sums up the limits of the receivers.
func (e *Execution) target() TargetThrottle {
	receivers, others := map[int32]bool{}, map[int32]bool{}
	for i := range e.tasks {
		t := &e.tasks[i]
		if t.state.Ended() {
			continue
		}
		for _, b := range t.move.From {
			others[b] = true
		}
		for _, b := range t.adds {
			receivers[b] = true
		}
	}
	maps.DeleteFunc(others, func(b int32, _ bool) bool { return receivers[b] })
	t := TargetThrottle{Receivers: e.observed(receivers), Others: e.observed(others)}
	t.Text, t.Bytes = summary(t.Receivers)
	return t
}

func (e *Execution) observed(brokers map[int32]bool) []BrokerThrottle {
	var rates []BrokerThrottle
	for _, b := range slices.Sorted(maps.Keys(brokers)) {
		seen := e.upkeep.seen[b]
		rates = append(rates, BrokerThrottle{b, clone(seen.Leader), clone(seen.Follower)})
	}
	return rates
}

func summary(receivers []BrokerThrottle) (string, *int64) {
	if len(receivers) == 0 {
		return "Not applicable", nil
	}
	first := receivers[0].Follower
	mixed := false
	for _, r := range receivers {
		if r.Follower == nil {
			return "Unavailable", nil
		}
		mixed = mixed || *r.Follower != *first
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
