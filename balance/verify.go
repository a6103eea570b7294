package balance

import (
	"fmt"
	"slices"
)

// verify checks a finished plan by rules written down a second time: it shares no code with the search. A plan that
// fails is a fault of this package and is never given out. Line is the distance up to which any broker may end: the
// threshold, or the act line when the allowance is used.
func (g *ground) verify(moves []Move, before, after *Report, line float64) error {
	for i := range moves {
		if err := g.verifyMove(&moves[i]); err != nil {
			return fmt.Errorf("plan fails its own check: partition %s: %w", moves[i].Name(), err)
		}
	}
	for i := range after.Brokers {
		for m := range after.Brokers[i].Loads {
			a, b := &after.Brokers[i].Loads[m], &before.Brokers[i].Loads[m]
			if a.Distance > max(line, b.Distance)+1e-6 {
				return fmt.Errorf("plan fails its own check: broker %d would end %.4f from its fair share of %s, from %.4f",
					after.Brokers[i].Broker, a.Distance, Metric(m).Phrase(), b.Distance)
			}
		}
	}
	return nil
}

func (g *ground) verifyMove(m *Move) error {
	if len(m.To) != len(m.From) {
		return fmt.Errorf("replication factor would go from %d to %d", len(m.From), len(m.To))
	}
	racksBefore, racksAfter := map[string]bool{}, map[string]bool{}
	for _, b := range m.From {
		racksBefore[g.c.Brokers[g.index.find(b)].Rack] = true
	}
	for i, b := range m.To {
		broker := &g.c.Brokers[g.index.find(b)]
		racksAfter[broker.Rack] = true
		if slices.Contains(m.To[:i], b) {
			return fmt.Errorf("broker %d would hold it twice", b)
		}
		if broker.State != Active && !slices.Contains(m.From, b) {
			return fmt.Errorf("broker %d is %s and would receive it", b, broker.State)
		}
	}
	if len(racksAfter) < len(racksBefore) {
		return fmt.Errorf("it would be on %d racks instead of %d", len(racksAfter), len(racksBefore))
	}
	if m.To[0] != m.ToLeader {
		return fmt.Errorf("leader %d would not be its first replica", m.ToLeader)
	}
	return nil
}
