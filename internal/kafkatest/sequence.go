package kafkatest

import (
	"encoding/binary"
	"sync"
)

// recordHeader is the least size of a load record: the load it belongs to and its number within the partition.
const recordHeader = 16

// numberedRecord fills value with both numbers; the rest keeps the noise that is there.
func numberedRecord(value []byte, load, number uint64) []byte {
	binary.BigEndian.PutUint64(value, load)
	binary.BigEndian.PutUint64(value[8:], number)
	return value
}

// numberOf reads a record's number; ok is false for a record of another load or of a bulk fill.
func numberOf(value []byte, load uint64) (number uint64, ok bool) {
	if len(value) < recordHeader || binary.BigEndian.Uint64(value) != load {
		return 0, false
	}
	return binary.BigEndian.Uint64(value[8:]), true
}

// sequence follows what one consumer group reads from one partition, where records are numbered from 0 without a hole.
type sequence struct {
	mu         sync.Mutex
	next       uint64 // the number that must come now
	lastOffset int64

	consumed, gaps, duplicates, redelivered int64
}

// read judges one record. A number that jumps is a gap; an old number is the consumer's doing when its offset was read
// before, as after a rebalance, and otherwise a record that is in the log twice.
func (s *sequence) read(offset int64, number uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case number >= s.next:
		s.gaps += int64(number - s.next)
		s.consumed++
		s.next = number + 1
	case offset <= s.lastOffset:
		s.redelivered++
	default:
		s.duplicates++
	}
	s.lastOffset = max(s.lastOffset, offset)
}

// reached says whether all numbers below end have been read or counted as a gap.
func (s *sequence) reached(end uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.next >= end
}

// finish counts what never came as a gap.
func (s *sequence) finish(end uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if end > s.next {
		s.gaps += int64(end - s.next)
		s.next = end
	}
}
