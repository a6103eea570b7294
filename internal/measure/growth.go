package measure

import (
	"math"
	"time"
)

const (
	// A size and a high watermark are not of the same instant, and the watermark is behind what the log holds already.
	// Over this time and this many messages that no longer matters.
	growthSpan     = time.Minute
	growthMessages = 1000
	// Less than that is still better than a mean over old messages, down to these.
	growingSpan     = 30 * time.Second
	growingMessages = 20
	// growthHalfLife is how long it takes for half of what bytesPerOffset rests on to be replaced.
	growthHalfLife = 30 * time.Minute
)

// growth watches the leader's log grow, to know how many bytes one offset takes: those on disk, which are those on the
// wire, compressed as they are and with the batches around them.
type growth struct {
	from, to       mark    // the interval under way
	early          float64 // bytes per offset in the latest interval that ended too early; 0 while there is none
	bytesPerOffset float64
	at             time.Time // of the latest interval; zero while bytesPerOffset is not known
}

// mark is the state of the leader's log at some time.
type mark struct {
	offsets Offsets
	sizedAt time.Time
	bytes   int64
}

// add ends the interval under way when it is long enough. An interval counts only if nothing can have been deleted in
// it: retention moves the start of the log, the cleaner makes it smaller, another leader has another log.
func (g *growth) add(to mark) {
	if !to.sizedAt.After(g.to.sizedAt) {
		return
	}
	if g.to.sizedAt.IsZero() || !to.follows(g.to) {
		if value, ok := g.value(growingSpan, growingMessages); ok {
			g.early = value
		}
		g.from, g.to = to, to
		return
	}
	g.to = to
	if value, ok := g.value(growthSpan, growthMessages); ok {
		g.learn(value, to.offsets.At.Sub(g.from.offsets.At), to.offsets.At)
		g.from = to
	}
}

// follows reports whether the same log can have come from one mark to the next by growing alone.
func (m *mark) follows(before mark) bool {
	return m.offsets.Leader == before.offsets.Leader && m.offsets.Start == before.offsets.Start &&
		m.offsets.End >= before.offsets.End && m.bytes >= before.bytes
}

// value returns the bytes of an offset in the interval under way, if it is long enough. Both ends of the interval have
// two times; so it is bytes a second that are divided by offsets a second.
func (g *growth) value(least time.Duration, messages int64) (float64, bool) {
	from, to := &g.from, &g.to
	offsets, bytes, span := to.offsets.End-from.offsets.End, to.bytes-from.bytes, to.offsets.At.Sub(from.offsets.At)
	if span < least || offsets < messages || bytes == 0 { // no bytes: the watermark came up to what had been there
		return 0, false
	}
	return perSecond(bytes, to.sizedAt.Sub(from.sizedAt)) / perSecond(offsets, span), true
}

// learn mixes the value of one interval into the average, by its age.
func (g *growth) learn(value float64, span time.Duration, at time.Time) {
	weight := 1.0
	if !g.at.IsZero() {
		age := max(span, at.Sub(g.at))
		weight = 1 - math.Exp2(-age.Seconds()/growthHalfLife.Seconds())
	}
	g.bytesPerOffset += float64(weight * (value - g.bytesPerOffset))
	g.at = at
}

// bytesPerOffset returns what an offset takes by the partition's own log.
func (p *partition) bytesPerOffset() (float64, Basis) {
	g := &p.growth
	if !g.at.IsZero() {
		return g.bytesPerOffset, Measured
	}
	if value, ok := g.value(growingSpan, growingMessages); ok {
		return value, Growing
	}
	if g.early > 0 {
		return g.early, Growing
	}
	bytes, known := p.size(p.offsets.Leader)
	held := p.offsets.End - p.offsets.Start
	if !p.sparse && known && bytes > 0 && held > 0 {
		return float64(bytes) / float64(held), LogMean
	}
	if value, ok := g.value(growingSpan, 1); ok {
		return value, Growing
	}
	return 0, Unknown
}
