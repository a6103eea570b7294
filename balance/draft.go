package balance

import (
	"slices"

	"github.com/kafka-pilot/pilot/internal/search"
)

// draft is a plan in the making: what a search found, and what that would do.
type draft struct {
	before  *Report
	problem *search.Problem
	result  *search.Result
	moves   []Move
	after   Report
	reach   Report  // after all that the search found: what the cap on partitions cuts off is no limit
	line    float64 // no broker ends farther from a fair share than this, or than where it started
}

// draft searches with the given freedom.
func (g *ground) draft(before *Report, free released) *draft {
	d := &draft{before: before, problem: g.problem(before, free), line: g.policy.Threshold}
	if free.wider {
		d.line = 2 * g.policy.Threshold
	}
	d.result = search.Search(d.problem)
	d.moves = g.moves(d.problem, d.result)
	d.reach = g.report(g.moved(d.moves))
	d.after = d.reach
	if most := g.policy.MaxPartitions; most > 0 && len(d.moves) > most {
		d.moves = g.moves(d.problem, search.Trim(d.problem, d.result, most))
		d.after = g.report(g.moved(d.moves))
	}
	return d
}

// continued lets a problem start from where the draft ends. What the draft copies is in sync by then.
func (d *draft) continued(p *search.Problem) {
	m := *p.Model
	m.Size, m.CanLead = slices.Clone(m.Size), slices.Clone(m.CanLead)
	m.At, m.Lead = d.result.At, d.result.Lead
	for q := range int32(m.Partitions()) {
		first, end := m.Slots(q)
		for i := first; i < end; i++ {
			if m.At[i] != d.problem.At[i] {
				m.Size[i], m.CanLead[i] = m.Copy[q], true
			}
		}
	}
	p.Model = &m
}
