package balance

import (
	"fmt"
	"slices"
)

// After returns the cluster as it will be once the moves are made: what to plan on next, or to compare with. What is
// measured stays; a copied replica is in sync and has the size of the leader's. The moves must be sorted by partition, as
// those of a proposal are, and start from where the partitions are: it returns an error that names the first that does
// not. The reading itself is not changed.
func After(c *Cluster, moves []Move) (*Cluster, error) {
	next := *c
	next.Partitions = slices.Clone(c.Partitions)
	at := 0
	for i := range moves {
		m := &moves[i]
		for at < len(next.Partitions) && next.Partitions[at].Name().Compare(m.Name()) < 0 {
			at++
		}
		if at == len(next.Partitions) || next.Partitions[at].Name() != m.Name() {
			return nil, fmt.Errorf("move %d: partition %s is not in the reading, or the moves are not sorted", i, m.Name())
		}
		if err := next.Partitions[at].move(m); err != nil {
			return nil, fmt.Errorf("move %d: partition %s: %w", i, m.Name(), err)
		}
	}
	if err := next.Validate(); err != nil {
		return nil, fmt.Errorf("after the moves: %w", err)
	}
	return &next, nil
}

func (p *Partition) move(m *Move) error {
	if !slices.Equal(p.Replicas, m.From) || p.Leader != m.FromLeader {
		return fmt.Errorf("it is on brokers %s led by %d, and the move starts from %s led by %d", ids(p.Replicas), p.Leader, ids(m.From), m.FromLeader)
	}
	var isr []int32
	sizes := make([]int64, len(m.To))
	for k, b := range m.To {
		sizes[k] = p.LeaderSize()
		was := slices.Index(p.Replicas, b)
		if was >= 0 {
			sizes[k] = p.ReplicaSize(was)
		}
		if was < 0 || slices.Contains(p.ISR, b) {
			isr = append(isr, b)
		}
	}
	p.Replicas, p.ISR, p.Leader, p.ReplicaBytes = slices.Clone(m.To), isr, m.ToLeader, sizes
	return nil
}
