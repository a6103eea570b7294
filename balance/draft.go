package balance

import (
	"math"
	"slices"

	"github.com/kafka-pilot/pilot/internal/search"
)

// draft is a plan in the making: what the searches found, and what that would do. All moves are from the placement of
// the reading, however many searches went on from one another.
type draft struct {
	problem *search.Problem // what the last search solved
	result  *search.Result
	moves   []Move
	after   Report
	reach   Report  // after all that was found: what the cap on partitions cuts off is no limit
	line    float64 // no broker ends farther from a fair share than this, or than where it started
}

// agains bounds how often a draft that leaves somebody beyond the act line is gone on with.
const agains = 4

// search looks for the plan for whoever is beyond the act line or leads too much of a topic. A plan that is worth
// applying and leaves some of that is gone on with, as if it were applied already: what was beyond the line and no longer
// is leaves more room. So planning the result of a plan gives no move (row PLAN-14). Waits says that nothing is to be
// done before what moved a short while ago may move again.
func (g *ground) search(before *Report, trips []tripped, crowds []crowd) (d *draft, refusal string, waits bool) {
	d, waits = g.best(nil, before, trips, crowds)
	if waits {
		return nil, "", true
	}
	left := g.crowds(g.leaderAfter(d.moves))
	if refusal = g.worthApplying(before, &d.after, len(d.moves), g.over(left) < g.over(crowds)); refusal != "" {
		return d, refusal, false
	}
	for range agains {
		trips = g.tripped(&d.reach)
		if len(trips) == 0 && (len(left) == 0 || g.policy.HoldTopicCaps) {
			break
		}
		more, waits := g.best(d, &d.reach, trips, left)
		if waits {
			break
		}
		then := g.crowds(g.leaderAfter(more.moves))
		if g.worthApplying(&d.reach, &more.reach, len(more.moves), g.over(then) < g.over(left)) != "" ||
			g.worthApplying(before, &more.after, len(more.moves), g.over(then) < g.over(crowds)) != "" {
			break
		}
		d, left = more, then
	}
	return d, "", false
}

// best drafts a small count fix where that is enough, else the full plan, with the allowance where that brings more
// brokers within the act line.
func (g *ground) best(from *draft, before *Report, trips []tripped, crowds []crowd) (d *draft, waits bool) {
	if g.small(trips, crowds) {
		d = g.draft(from, before, released{counts: true})
		if len(g.tripped(&d.reach)) == 0 {
			return d, false
		}
		if g.anyCooling() {
			return nil, true
		}
	}
	d = g.draft(from, before, released{})
	if n := len(g.tripped(&d.reach)); n > 0 {
		if wide := g.draft(from, before, released{wider: true}); len(g.tripped(&wide.reach)) < n {
			return wide, false
		}
	}
	return d, false
}

// draft searches with the given freedom, from the reading or from where another draft ends.
func (g *ground) draft(from *draft, before *Report, free released) *draft {
	d := &draft{problem: g.problem(before, free), line: g.policy.Threshold}
	if free.wider {
		d.line = 2 * g.policy.Threshold
	}
	if from != nil {
		d.line = math.Max(d.line, from.line)
		from.continued(d.problem)
	}
	d.result = search.Search(d.problem)
	d.moves = g.moves(d.problem, d.result)
	d.reach = g.report(g.moved(d.moves))
	d.after = d.reach
	if most := g.policy.MaxPartitions; most > 0 && len(d.moves) > most {
		now := g.report(g.load)
		d.moves = g.moves(d.problem, search.Trim(g.problem(&now, free), d.result, most))
		d.after = g.report(g.moved(d.moves))
	}
	return d
}

// continued lets a problem start from where the draft ends. What the draft copies is in sync by then.
func (d *draft) continued(p *search.Problem) {
	m := *p.Model
	home := m.At
	m.Size, m.CanLead = slices.Clone(m.Size), slices.Clone(m.CanLead)
	m.At, m.Lead = d.result.At, d.result.Lead
	for q := range int32(m.Partitions()) {
		first, end := m.Slots(q)
		for i := first; i < end; i++ {
			if m.At[i] != home[i] {
				m.Size[i], m.CanLead[i] = m.Copy[q], true
			}
		}
	}
	p.Model = &m
}
