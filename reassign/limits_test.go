package reassign

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDefaults(t *testing.T) {
	require.NoError(t, Limits{}.Validate())
	require.Equal(t, Limits{
		MaxPerBroker: 20, MaxBatch: 500, PollEvery: time.Second, SizesEvery: 10 * time.Second, Timeout: 12 * time.Hour,
		DeadAfter: 10 * time.Minute, Patience: 10 * time.Minute,
	}, Limits{}.orDefaults())
	given := Limits{MaxPerBroker: 3, Timeout: time.Hour}
	require.Equal(t, 3, given.orDefaults().MaxPerBroker)
	require.Equal(t, time.Hour, given.orDefaults().Timeout)
}

func TestRefusedLimits(t *testing.T) {
	tests := []struct {
		limits Limits
		want   string
	}{
		{Limits{MaxPerBroker: -1}, "set PILOT_MOVE_MAX_PER_BROKER"},
		{Limits{MaxBytesPerBroker: -1}, "bytes in flight per broker must not be negative: -1"},
		{Limits{MaxBatch: 10_001}, "partitions per request must be 1 to 10000, not 10001"},
		{Limits{MaxBatch: -1}, "partitions per request must be 1 to 10000, not -1"},
		{Limits{Throttle: -5}, "throttle must be positive, not -5 bytes per second"},
		{Limits{Throttle: 999}, "throttle of 999 B/s would never finish: give at least 1 KB/s, better 1 MB/s, and check the unit"},
		{Limits{PollEvery: -1}, "poll interval must not be negative"},
		{Limits{SizesEvery: -1}, "size interval must not be negative"},
		{Limits{Timeout: -time.Hour}, "timeout must not be negative: -1h0m0s"},
		{Limits{DeadAfter: -1}, "time that a receiver may be down must not be negative"},
		{Limits{Patience: -1}, "patience must not be negative"},
	}
	for _, tt := range tests {
		require.ErrorContains(t, tt.limits.Validate(), tt.want)
	}
	require.NoError(t, Limits{Throttle: 1000}.Validate())
}

// TestCapacity: a broker takes part in so many moves, and in so many bytes, but never in none.
func TestCapacity(t *testing.T) {
	c := capacity{&Limits{MaxPerBroker: 2, MaxBytesPerBroker: 100}, map[int32]int{}, map[int32]int64{}}
	require.True(t, c.take([]int32{1, 2}, 300), "a move larger than the limit goes alone")
	require.False(t, c.take([]int32{2, 3}, 1), "beside it there is no room for a byte")
	require.True(t, c.take([]int32{3, 4}, 60))
	require.True(t, c.take([]int32{3, 5}, 40), "exactly full")
	require.False(t, c.take([]int32{3, 6}, 0), "broker 3 takes part in two moves")
	require.True(t, c.take([]int32{6, 7}, 0), "a refused move took nothing")
	require.True(t, c.take(nil, 0), "what copies nothing is not counted")
}

func TestSpanOf(t *testing.T) {
	require.Equal(t, 10*time.Second, spanOf(10_000, 1000))
	require.Equal(t, 1000*time.Hour, spanOf(1<<62, 1), "does not overflow")
}
