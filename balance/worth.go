package balance

import "fmt"

// worthApplying checks a finished plan by the rules of row PLAN-05 and returns which one fails, with figures, or "".
// That no broker ends worse is checked apart, by verify. A plan that lowers the leaders over the cap of a topic skips
// the first check, and passes the last when the sum stays the same.
func (g *ground) worthApplying(before, after *Report, moves int, lowered bool) string {
	if moves == 0 {
		return "no change of placement brings it closer"
	}
	if !lowered && !g.somebodyGains(before, after) {
		return "no broker would end within the act line, or halfway to even and a quarter of a partition closer"
	}
	was, is := g.squares(before), g.squares(after)
	if !(is < was) && !(lowered && is <= was) {
		return fmt.Sprintf("the cluster would end no more even overall (%.4f after, %.4f before)", is, was)
	}
	return ""
}

// somebodyGains is the first check: a broker beyond the act line ends within it, or at least halfway to the
// threshold, and at least a quarter of one partition closer than it started.
func (g *ground) somebodyGains(before, after *Report) bool {
	for i := range before.Brokers {
		for m := range before.Brokers[i].Loads {
			b, a := &before.Brokers[i].Loads[m], &after.Brokers[i].Loads[m]
			if b.Distance <= g.actLine() {
				continue
			}
			half := b.Distance - (b.Distance-g.policy.Threshold)/2
			closer := (b.Distance - a.Distance) * b.FairShare
			if (a.Distance <= g.actLine() || a.Distance <= half) && closer >= b.OnePartition/4 {
				return true
			}
		}
	}
	return false
}

// squares is the weighted sum over brokers and loads of the squared distance beyond the threshold.
func (g *ground) squares(r *Report) float64 {
	sum := 0.0
	for i := range r.Brokers {
		for m := range r.Brokers[i].Loads {
			if d := r.Brokers[i].Loads[m].Distance - g.policy.Threshold; d > 0 {
				sum += float64(float64(d*d) * g.policy.Weights[m])
			}
		}
	}
	return sum
}
