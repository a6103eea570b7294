package measure

import (
	"fmt"
	"time"
)

// Basis is what a rate rests on. A higher one is the better one.
type Basis uint8

const (
	// Unknown is no rate at all: neither zero nor anything else.
	Unknown Basis = iota
	// TopicMedian takes the bytes of a message from the topic's other partitions.
	TopicMedian
	// Seeded rests on time stamps of records from before the measuring began.
	Seeded
	// KeepsUp holds that a group reads as fast as producers write.
	KeepsUp
	// LogMean takes the bytes of a message from the whole log, old messages included.
	LogMean
	// Growing takes the bytes of a message from growth that was watched for a short time or few messages only.
	Growing
	// Measured was counted while it happened.
	Measured
)

var basisNames = [...]string{"unknown", "topic median", "seeded", "keeps up", "log mean", "growing", "measured"}

// String names the basis.
func (b Basis) String() string {
	if int(b) < len(basisNames) {
		return basisNames[b]
	}
	return fmt.Sprintf("basis(%d)", uint8(b))
}

// Rate is a mean of the recent past.
type Rate struct {
	PerSecond float64 // 0 while it is not known
	Basis     Basis
	Span      time.Duration // over how much time it was taken: the longer, the surer
}

// Known reports whether there is a rate.
func (r Rate) Known() bool { return r.Basis != Unknown }

// times returns the rate of something that comes in portions, each of them of the size given.
func (r Rate) times(size float64, basis Basis) Rate {
	switch {
	case !r.Known():
		return Rate{}
	case r.PerSecond == 0: // nothing comes, whatever its size
		return r
	case basis == Unknown:
		return Rate{}
	}
	return Rate{PerSecond: r.PerSecond * size, Basis: min(r.Basis, basis), Span: r.Span}
}
