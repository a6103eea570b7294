package reassign

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kafka-pilot/pilot/balance"
)

// checkMoves says what makes a list of moves impossible to execute, whatever the cluster looks like (row EXE-09).
func checkMoves(moves []balance.Move) error {
	seen := make(map[balance.TopicPartition]bool, len(moves))
	for i := range moves {
		m := &moves[i]
		if seen[m.Name()] {
			return fmt.Errorf("%v is in the plan twice: a partition moves once in an execution", m.Name())
		}
		seen[m.Name()] = true
		if err := checkMove(m); err != nil {
			return fmt.Errorf("move of %v: %w", m.Name(), err)
		}
	}
	return nil
}

func checkMove(m *balance.Move) error {
	if m.Topic == "" || m.Partition < 0 {
		return fmt.Errorf("a move needs a topic and a partition number from 0")
	}
	if err := checkReplicas(m.From); err != nil {
		return fmt.Errorf("source: %w", err)
	}
	if err := checkReplicas(m.To); err != nil {
		return fmt.Errorf("target: %w", err)
	}
	switch {
	case len(m.To) < len(m.From) && m.Kind != balance.MoveDrain && m.Kind != balance.MoveFactor:
		return fmt.Errorf("%d replicas would become %d: only a drain or a factor change may shrink", len(m.From), len(m.To))
	case len(m.To) > len(m.From) && m.Kind != balance.MoveFactor:
		return fmt.Errorf("%d replicas would become %d: only a factor change may grow", len(m.From), len(m.To))
	case m.ToLeader >= 0 && !slices.Contains(m.To, m.ToLeader):
		return fmt.Errorf("leader %d is not among the target replicas %s", m.ToLeader, listText(m.To))
	case m.CopyBytes < 0:
		return fmt.Errorf("bytes to copy are negative: %d", m.CopyBytes)
	}
	return nil
}

// checkReplicas says what is wrong with a replica list by itself.
func checkReplicas(list []int32) error {
	if len(list) == 0 {
		return fmt.Errorf("the replica list is empty")
	}
	for i, b := range list {
		if b < 0 {
			return fmt.Errorf("broker ID %d is negative", b)
		}
		if slices.Contains(list[:i], b) {
			return fmt.Errorf("broker %d is listed twice in %s", b, listText(list))
		}
	}
	return nil
}

// isStale reports whether a partition is somewhere that a move from one list to another never passes: a replica in
// neither, or one that both keep is missing (row EXE-07).
func isStale(live, from, to []int32) bool {
	for _, b := range live {
		if !slices.Contains(from, b) && !slices.Contains(to, b) {
			return true
		}
	}
	for _, b := range from {
		if slices.Contains(to, b) && !slices.Contains(live, b) {
			return true
		}
	}
	return false
}

// find returns what a look says of a partition, nil for nothing.
func (v *View) find(tp balance.TopicPartition) *Live {
	i, found := slices.BinarySearchFunc(v.Partitions, tp, func(l Live, tp balance.TopicPartition) int { return l.Compare(tp) })
	if !found {
		return nil
	}
	return &v.Partitions[i]
}

// target returns the list that a partition will have once nothing is in flight.
func (l *Live) target() []int32 { return without(l.Replicas, l.Removing) }

// belowMinISR reports whether fewer replicas than min.insync.replicas are in sync, those being added not counted.
func (l *Live) belowMinISR() bool {
	return l.MinISR > 0 && len(without(l.ISR, l.Adding)) < int(l.MinISR)
}

// bytesOn returns the bytes that a broker holds of the partition, 0 when unknown.
func (l *Live) bytesOn(broker int32) int64 {
	for _, s := range l.Sizes {
		if s.Broker == broker {
			return s.Bytes
		}
	}
	return 0
}

// listText writes a replica list as people read it: [1, 2, 3].
func listText(list []int32) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, id := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(int(id)))
	}
	b.WriteByte(']')
	return b.String()
}
