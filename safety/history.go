package safety

import (
	"slices"
	"time"

	"github.com/kafka-pilot/pilot/balance"
)

// sustainedAfter is how long the same partition must be seen shrunk before changes stop. It is also the longest gap
// between two looks that are taken as one stretch of time.
const sustainedAfter = 2 * time.Minute

// sustainedLooks is how many looks it takes at least: two of them could be two separate incidents.
const sustainedLooks = 3

// History is what earlier looks say about shrunk partitions. The zero History has seen nothing. It is a value: Next
// returns a new one and changes none.
type History struct {
	at     time.Time // of the latest look
	shrunk []shrink  // sorted by partition
}

// shrink is one partition that every look since then has seen shrunk.
type shrink struct {
	balance.TopicPartition
	since time.Time
	looks int
}

// Next adds one look. Looks must come in the order of their time; one that is not later than the latest is ignored.
func (h History) Next(look Health) History {
	if !h.at.IsZero() && !look.At.After(h.at) {
		return h
	}
	known := h.shrunk
	if look.At.Sub(h.at) > sustainedAfter {
		known = nil
	}
	next := History{at: look.At}
	for i := range look.Shrunk {
		p := &look.Shrunk[i]
		if lost(p, look.Alive) {
			continue
		}
		for len(known) > 0 && known[0].Compare(p.TopicPartition) < 0 {
			known = known[1:] // both lists are sorted
		}
		s := shrink{p.TopicPartition, look.At, 0}
		if len(known) > 0 && known[0].TopicPartition == p.TopicPartition {
			s = known[0]
		}
		s.looks++
		next.shrunk = append(next.shrunk, s)
	}
	return next
}

// lost reports whether brokers that are down explain the shrink in full.
func lost(p *ShrunkPartition, alive []int32) bool {
	for _, b := range p.Out {
		if _, up := slices.BinarySearch(alive, b); up {
			return false
		}
	}
	return len(p.Out) > 0
}

// Sustained returns the partitions that have been shrunk in every look for sustainedAfter or longer, and in at least
// three looks, sorted.
func (h History) Sustained() []balance.TopicPartition {
	var long []balance.TopicPartition
	for _, s := range h.shrunk {
		if s.looks >= sustainedLooks && h.at.Sub(s.since) >= sustainedAfter {
			long = append(long, s.TopicPartition)
		}
	}
	return long
}
