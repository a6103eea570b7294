package measure

import (
	"cmp"
	"slices"
	"time"
)

const (
	// idleAfter is how long a committed offset may stand still before that counts as not reading. Connectors commit once
	// a minute.
	idleAfter = 2 * time.Minute
	// A step of a group is a seek when it is this many times faster than producers, than the step before and than
	// leastRate.
	seekFactor = 10
	leastRate  = 1 // messages per second, below which there is essentially no traffic
)

// reader is a group on one partition.
type reader struct {
	group   string
	offset  int64
	changed time.Time // when the offset changed last, or, until it did, when it was seen first
	watched bool      // it has changed
	seen    time.Time // when it was known last
	pace    float64   // messages per second of the latest step
	read    window
}

// addGroups takes in how far groups have read. When all groups are known, those that are not among them stand still.
func (h *History) addGroups(s *Sample) {
	for i := range s.Groups {
		g := &s.Groups[i]
		for _, c := range g.Commits {
			if p := h.partitions[c.Key]; p != nil {
				h.commit(p.reader(g.Name), c.Offset, g.At, p.pace)
			}
		}
	}
	if !s.AllGroups {
		return
	}
	h.grouped = later(h.grouped, s.At)
	for _, p := range h.partitions {
		for i := range p.readers {
			p.readers[i].seen = later(p.readers[i].seen, s.At)
		}
		p.readers = slices.DeleteFunc(p.readers, func(r reader) bool {
			return !r.seen.After(s.At) && s.At.Sub(r.changed) > h.config.Window
		})
	}
}

// reader returns the reader of a group, a new one if there is none.
func (p *partition) reader(group string) *reader {
	i, found := slices.BinarySearchFunc(p.readers, group, func(r reader, g string) int { return cmp.Compare(r.group, g) })
	if !found {
		p.readers = slices.Insert(p.readers, i, reader{group: group})
	}
	return &p.readers[i]
}

// commit counts the messages from one change of the committed offset to the next, over the time between the two. So
// nothing depends on how often a group commits.
func (h *History) commit(r *reader, offset int64, at time.Time, produced float64) {
	if !at.After(r.seen) {
		return
	}
	first := r.seen.IsZero()
	r.seen = at
	if first {
		r.offset, r.changed = offset, at
		return
	}
	step, span := offset-r.offset, at.Sub(r.changed)
	if step == 0 {
		return
	}
	watched := r.watched
	r.offset, r.changed, r.watched = offset, at, true
	if !watched || step < 0 || span > h.config.Window {
		r.pace = 0
		return
	}
	pace := perSecond(step, span)
	seek := pace > seekFactor*max(produced, r.pace, leastRate)
	r.pace = pace
	if !seek { // one leap is a seek, two in a row are a reader that catches up
		r.read.add(h.piece(at), step, span)
	}
}

// consumed returns how fast a group reads, given how fast producers write.
func (h *History) consumed(r *reader, o Offsets, produced Rate, now time.Time) Rate {
	if now.Sub(r.seen) > h.config.Fresh {
		return Rate{}
	}
	count, span := r.read.sum(h.piece(now))
	if idle := r.seen.Sub(r.changed); idle > idleAfter {
		span += idle
	}
	if span >= h.config.Enough {
		return Rate{perSecond(count, span), Measured, min(span, h.config.Window)}
	}
	behind := float64(o.End - r.offset)
	if produced.Known() && behind <= max(produced.PerSecond, leastRate)*idleAfter.Seconds() {
		return Rate{produced.PerSecond, min(produced.Basis, KeepsUp), produced.Span}
	}
	return Rate{}
}
