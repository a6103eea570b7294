package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/scenario"
)

// table prints a row for each plan as it is made.
type table struct {
	out     io.Writer
	seconds map[scenario.Name]map[int][]float64 // scenario → partitions → seconds of each plan
}

func newTable(out io.Writer) *table {
	fmt.Fprintf(out, "%-26s %4s %8s %7s %8s %7s %8s %8s %8s %8s %16s %7s %7s\n", "scenario", "seed", "seconds", "MB",
		"farthest", "moves", "copies", "÷ bound", "bytes", "leaders", "pairs over", "filled", "worse")
	fmt.Fprintf(out, "%-26s %4s %8s %7s %8s %7s %8s %8s %8s %8s %16s %7s %7s\n", "", "", "", "", "", "", "", "", "÷ bound", "changed",
		"before→after/new", "below", "by")
	return &table{out, map[scenario.Name]map[int][]float64{}}
}

// scenario plans one case.
func (t *table) scenario(c scenario.Case) error {
	cluster, err := c.Cluster()
	if err != nil {
		return err
	}
	p, cost, err := plan(cluster)
	if err != nil {
		return fmt.Errorf("%s: %w", c, err)
	}
	t.row(fmt.Sprintf("%s %d×%d", c.Name, c.Brokers, c.Partitions), fmt.Sprint(c.Seed), cluster, p, cost)
	if t.seconds[c.Name] == nil {
		t.seconds[c.Name] = map[int][]float64{}
	}
	t.seconds[c.Name][c.Partitions] = append(t.seconds[c.Name][c.Partitions], cost.seconds)
	return nil
}

func (t *table) row(name, seed string, c *balance.Cluster, p *balance.Proposal, cost cost) {
	g, bound := scenario.Measure(c, p), scenario.LowerBounds(c, &p.Before, balance.DefaultThreshold)
	fmt.Fprintf(t.out, "%-26s %4s %8.3f %7.0f %8s %7d %8d %8s %8s %8d %16s %6.1f%% %6.1f%%\n", name, seed, cost.seconds, cost.megabytes,
		fmt.Sprintf("%.2f%%", 100*farthest(p)), len(p.Moves), g.Copies, ratio(float64(g.Copies), float64(bound.Copies)),
		ratio(float64(p.CopyBytes()), bound.Bytes), g.LeaderChanges,
		fmt.Sprintf("%d→%d/%d", g.PairsBefore, g.PairsAfter, g.PairsNew), 100*g.Filled, 100*g.Worse)
	if g.Reordered > 0 {
		fmt.Fprintf(t.out, "  %d moves change the order of followers alone\n", g.Reordered)
	}
	for _, l := range p.Limits {
		fmt.Fprintf(t.out, "  %s\n", l.Reason)
	}
}

// farthest is the largest distance of a broker after the plan from its share of a load that somebody was beyond the act
// line of: only those are evened.
func farthest(p *balance.Proposal) float64 {
	worst := 0.0
	for m := range balance.NumMetrics {
		trips, most := false, 0.0
		for i := range p.After.Brokers {
			trips = trips || p.Before.Brokers[i].Loads[m].Distance > 2*balance.DefaultThreshold
			most = math.Max(most, p.After.Brokers[i].Loads[m].Distance)
		}
		if trips {
			worst = math.Max(worst, most)
		}
	}
	return worst
}

func ratio(n, bound float64) string {
	if bound <= 0 {
		return "-"
	}
	return fmt.Sprintf("%.4f", n/bound)
}

// rest measures at one size what is not a plan: that there is nothing to do, and that a kept plan still holds.
func (t *table) rest(s size) error {
	even, err := scenario.Case{Name: scenario.Even, Brokers: s.brokers, Partitions: s.partitions, Seed: 1}.Cluster()
	if err != nil {
		return err
	}
	p, cost, err := plan(even)
	if err != nil {
		return err
	}
	t.row(fmt.Sprintf("nothing to do %d×%d", s.brokers, s.partitions), "1", even, p, cost)
	skewed, err := scenario.Case{Name: scenario.Skew, Brokers: s.brokers, Partitions: s.partitions, Seed: 1}.Cluster()
	if err != nil {
		return err
	}
	p, planning, err := plan(skewed)
	if err != nil {
		return err
	}
	check, again, err := recheck(skewed, p)
	if err != nil {
		return err
	}
	holds := "it holds"
	if !check.Holds {
		holds = "it does not hold: " + check.Refusal.Message
	}
	fmt.Fprintf(t.out, "%-26s %4d %8.3f %7.0f  %s; %.1f%% of planning anew\n", fmt.Sprintf("recheck skew %d×%d", s.brokers, s.partitions),
		1, again.seconds, again.megabytes, holds, 100*again.seconds/planning.seconds)
	return nil
}

// growth compares seconds for each partition at a million and at a hundred thousand.
func (t *table) growth() {
	var lines []string
	for _, name := range scenario.Names() {
		small, big := t.seconds[name][100_000], t.seconds[name][1_000_000]
		if len(small) > 0 && len(big) > 0 {
			lines = append(lines, fmt.Sprintf("%s %.2f", name, mean(big)/mean(small)/10))
		}
	}
	if len(lines) > 0 {
		fmt.Fprintf(t.out, "seconds for each partition at 1,000,000 ÷ those at 100,000: %s\n", strings.Join(lines, ", "))
	}
}

func mean(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum / float64(len(list))
}
