package reassign

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/units"
)

// Codes of a ThrottleAdvice. They never change their meaning.
const (
	ThrottleEnough = ""                   // the moves progress
	ThrottleTight  = "throttle_tight"     // they progress slowly, or stop when traffic grows
	ThrottleTooLow = "throttle_too_low"   // they make no progress at all
	mb             = 1_000_000            // what every move should get beyond its traffic, bytes per second
	senderSide     = "sends to followers" // counts against the leader rate
	receiverSide   = "receives as a follower"
)

// ThrottleAdvice says whether a throttle lets moves progress. Kafka counts what the moving partitions replicate anyway
// against the rate and holds back only the new copies, so that a rate at or below that traffic stops them altogether.
type ThrottleAdvice struct {
	Code      string // one of the Throttle constants
	Message   string // one sentence; "" for ThrottleEnough
	Broker    int32  // where most of the traffic is; -1 when nothing is written to the moving partitions
	Traffic   int64  // bytes per second there that count against the rate, with as many moves at once as the limits allow
	Suggested int64  // bytes per second: twice the traffic and 1 MB/s more
}

// AdviseThrottle judges limits.Throttle for moves by the produce rates of a reading. It counts, on each broker, the
// busiest partitions that can be in flight at once: as a receiver their produce rates, as their leader one produce
// rate for every follower. Partitions that the reading does not know count nothing.
func AdviseThrottle(moves []balance.Move, reading *balance.Cluster, limits Limits) ThrottleAdvice {
	limits = limits.orDefaults()
	receives, sends := trafficOf(moves, reading)
	a := ThrottleAdvice{Broker: -1, Suggested: mb}
	side := ""
	for _, s := range []struct {
		name  string
		rates map[int32][]float64
	}{{receiverSide, receives}, {senderSide, sends}} {
		for _, b := range slices.Sorted(maps.Keys(s.rates)) {
			if n := int64(busiest(s.rates[b], limits.MaxPerBroker)); n > a.Traffic {
				a.Broker, a.Traffic, side = b, n, s.name
			}
		}
	}
	a.Suggested += 2 * a.Traffic
	switch {
	case limits.Throttle == 0:
		return a
	case limits.Throttle <= a.Traffic:
		a.Code = ThrottleTooLow
		a.Message = "The throttle of %[1]s stops the moves: broker %[2]d %[3]s %[4]s of the moving partitions anyway. Use at least %[5]s."
	case limits.Throttle < a.Suggested:
		a.Code = ThrottleTight
		a.Message = "The throttle of %[1]s leaves little for the moves: broker %[2]d %[3]s %[4]s of the moving partitions anyway. %[5]s would be safe."
		if a.Broker < 0 {
			a.Message = "The throttle of %[1]s is low: Kafka copies in fetches of up to 10 MB. %[5]s would be safe."
		}
	default:
		return a
	}
	a.Message = fmt.Sprintf(a.Message, units.Rate(float64(limits.Throttle)), a.Broker, side,
		units.Rate(float64(a.Traffic)), units.Rate(float64(a.Suggested)))
	return a
}

// trafficOf returns, for every broker, what each moving partition replicates to it and from it.
func trafficOf(moves []balance.Move, reading *balance.Cluster) (receives, sends map[int32][]float64) {
	produce := make(map[balance.TopicPartition]float64, len(reading.Partitions))
	for i := range reading.Partitions {
		produce[reading.Partitions[i].Name()] = reading.Partitions[i].ProduceBytes
	}
	receives, sends = map[int32][]float64{}, map[int32][]float64{}
	for i := range moves {
		m := &moves[i]
		rate := produce[m.Name()]
		receivers := without(m.To, m.From)
		if len(receivers) == 0 || !(rate > 0) {
			continue
		}
		for _, b := range receivers {
			receives[b] = append(receives[b], rate)
		}
		sends[m.FromLeader] = append(sends[m.FromLeader], float64(rate*float64(len(m.From)-1)))
	}
	return receives, sends
}

// busiest sums the n largest rates.
func busiest(rates []float64, n int) float64 {
	sorted := slices.Sorted(slices.Values(rates))
	var sum float64
	for _, r := range sorted[max(0, len(sorted)-n):] {
		sum += r
	}
	return sum
}
