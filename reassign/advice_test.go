package reassign

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

// TestAdviseThrottle: partitions with factor 3 that are written to at 1 MB/s each replicate 2 MB/s from their leader
// and 1 MB/s to a receiver, whatever is being moved.
func TestAdviseThrottle(t *testing.T) {
	reading := &balance.Cluster{}
	var moves []balance.Move
	for p := range int32(4) {
		m := balance.Move{Topic: "orders", Partition: p, From: []int32{1, 2, 3}, To: []int32{4, 2, 3}, FromLeader: 1, ToLeader: 4}
		reading.Partitions = append(reading.Partitions, balance.Partition{Topic: "orders", ID: p, ProduceBytes: 1_000_000})
		moves = append(moves, m)
	}
	leaderOnly := balance.Move{Topic: "orders", Partition: 0, From: []int32{1, 2, 3}, To: []int32{2, 1, 3}, FromLeader: 1, ToLeader: 2}
	tests := []struct {
		name   string
		moves  []balance.Move
		limits Limits
		want   ThrottleAdvice
	}{
		{"no throttle", moves, Limits{}, ThrottleAdvice{Broker: 1, Traffic: 8_000_000, Suggested: 17_000_000}},
		{"enough", moves, Limits{Throttle: 17_000_000}, ThrottleAdvice{Broker: 1, Traffic: 8_000_000, Suggested: 17_000_000}},
		{"tight", moves, Limits{Throttle: 9_000_000}, ThrottleAdvice{
			ThrottleTight, "The throttle of 9 MB/s leaves little for the moves: broker 1 sends to followers 8 MB/s of the moving partitions anyway. 17 MB/s would be safe.",
			1, 8_000_000, 17_000_000,
		}},
		{"stops", moves, Limits{Throttle: 8_000_000}, ThrottleAdvice{
			ThrottleTooLow, "The throttle of 8 MB/s stops the moves: broker 1 sends to followers 8 MB/s of the moving partitions anyway. Use at least 17 MB/s.",
			1, 8_000_000, 17_000_000,
		}},
		{"two at once", moves, Limits{Throttle: 9_000_000, MaxPerBroker: 2}, ThrottleAdvice{Broker: 1, Traffic: 4_000_000, Suggested: 9_000_000}},
		{"nothing copied", []balance.Move{leaderOnly}, Limits{Throttle: 1_000_000}, ThrottleAdvice{Broker: -1, Suggested: 1_000_000}},
		{"no traffic, tiny rate", nil, Limits{Throttle: 1000}, ThrottleAdvice{
			ThrottleTight, "The throttle of 1 KB/s is low: Kafka copies in fetches of up to 10 MB. 1 MB/s would be safe.", -1, 0, 1_000_000,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, AdviseThrottle(tt.moves, reading, tt.limits)) })
	}
}

// TestAdviseThrottleReceivers: factor 1 has no followers, so that what receives is the narrow side.
func TestAdviseThrottleReceivers(t *testing.T) {
	reading := &balance.Cluster{Partitions: []balance.Partition{{Topic: "orders", ID: 0, ProduceBytes: 3_000_000}}}
	moves := []balance.Move{{Topic: "orders", Partition: 0, From: []int32{1}, To: []int32{2}, FromLeader: 1, ToLeader: 2}}
	a := AdviseThrottle(moves, reading, Limits{Throttle: 2_000_000})
	require.Equal(t, ThrottleTooLow, a.Code)
	require.Equal(t, int32(2), a.Broker)
	require.Contains(t, a.Message, "broker 2 receives as a follower 3 MB/s")
}
