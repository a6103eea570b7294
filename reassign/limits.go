package reassign

import (
	"fmt"
	"time"

	"github.com/kafka-pilot/pilot/internal/units"
)

// leastThrottle is the smallest replication rate accepted, in bytes per second. Anything smaller is a slip of the
// unit: a single fetch is larger than what it lets through in an hour.
const leastThrottle = 1000

// Limits bound what an execution does to the cluster at once. The zero value of a field is its default.
type Limits struct {
	// MaxPerBroker is the most replica moves in flight that a broker takes part in, as sender or receiver
	// (PILOT_MOVE_MAX_PER_BROKER). Default 20. Leadership changes copy nothing and are not counted.
	MaxPerBroker int `json:"maxPerBroker"`
	// MaxBytesPerBroker is the most bytes in flight into and out of a broker. A larger move goes alone. Default none.
	MaxBytesPerBroker int64 `json:"maxBytesPerBroker,omitempty"`
	// MaxBatch is the most partitions in one request. Default 500; Kafka itself drops what is beyond 10,000.
	MaxBatch int `json:"maxBatch"`

	// Managed lets the execution set replication throttles, and restore what was there (PILOT_THROTTLE_MANAGED).
	Managed bool `json:"managed"`
	// Throttle is the rate of each broker in bytes per second and direction. Default none; without Managed it is not
	// used. Ask AdviseThrottle whether a rate lets the moves progress.
	Throttle int64 `json:"throttle,omitempty"`

	// PollEvery is the time between two looks while nothing else is to be done. Default 1 s.
	PollEvery time.Duration `json:"pollEvery"`
	// SizesEvery is the time between two looks that also read replica sizes, for the progress. Default 10 s.
	SizesEvery time.Duration `json:"sizesEvery"`
	// Timeout is the longest that one submission may run before it is moved back. Default 12 h. With a throttle the
	// deadline is earlier: four times what the bytes in flight should take, and 30 minutes more.
	Timeout time.Duration `json:"timeout"`
	// DeadAfter is how long a broker that receives a copy may be down before the move is moved back. Default 10 min.
	DeadAfter time.Duration `json:"deadAfter"`
	// Patience is how long a move waits for what is in its way: another tool's reassignment, a leader out of sync, a
	// partition below min.insync.replicas. Default 10 min; then the move fails and says what it was.
	Patience time.Duration `json:"patience"`
}

// Validate says which limit makes no sense. The zero Limits are valid.
func (l Limits) Validate() error {
	switch {
	case l.MaxPerBroker < 0:
		return fmt.Errorf("moves per broker must be at least 1, not %d: set PILOT_MOVE_MAX_PER_BROKER", l.MaxPerBroker)
	case l.MaxBytesPerBroker < 0:
		return fmt.Errorf("bytes in flight per broker must not be negative: %d", l.MaxBytesPerBroker)
	case l.MaxBatch < 0 || l.MaxBatch > 10_000:
		return fmt.Errorf("partitions per request must be 1 to 10000, not %d: Kafka drops what is beyond", l.MaxBatch)
	case l.Throttle < 0:
		return fmt.Errorf("throttle must be positive, not %d bytes per second: leave it out for no throttle", l.Throttle)
	case l.Throttle > 0 && l.Throttle < leastThrottle:
		return fmt.Errorf("throttle of %s would never finish: give at least %s, better 1 MB/s, and check the unit",
			units.Rate(float64(l.Throttle)), units.Rate(leastThrottle))
	}
	for _, d := range []struct {
		name  string
		value time.Duration
	}{
		{"poll interval", l.PollEvery}, {"size interval", l.SizesEvery}, {"timeout", l.Timeout},
		{"time that a receiver may be down", l.DeadAfter}, {"patience", l.Patience},
	} {
		if d.value < 0 {
			return fmt.Errorf("%s must not be negative: %v", d.name, d.value)
		}
	}
	return nil
}

// orDefaults returns the limits with every zero field replaced by its default.
func (l Limits) orDefaults() Limits {
	l.MaxPerBroker = or(l.MaxPerBroker, 20)
	l.MaxBatch = or(l.MaxBatch, 500)
	l.PollEvery = or(l.PollEvery, time.Second)
	l.SizesEvery = or(l.SizesEvery, 10*time.Second)
	l.Timeout = or(l.Timeout, 12*time.Hour)
	l.DeadAfter = or(l.DeadAfter, 10*time.Minute)
	l.Patience = or(l.Patience, 10*time.Minute)
	return l
}

func or[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

// throttled reports whether the execution sets throttles.
func (l *Limits) throttled() bool { return l.Managed && l.Throttle > 0 }
