package pilot

import (
	"slices"
	"time"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
	"github.com/kafka-pilot/pilot/safety"
)

// mostProposals is how many proposals are kept (row DEC-12).
const mostProposals = 100

// What became of a stored proposal.
const (
	storedReady     = "ready"
	storedApplied   = "applied"
	storedCancelled = "cancelled"
	storedFailed    = "failed"
)

// proposals are the stored proposals. Service.mu guards them.
type proposals struct {
	all     []*stored // newest first
	current *stored   // nil while there is none
}

// stored is one proposal and what it was made from.
type stored struct {
	proposal  *balance.Proposal
	createdAt time.Time
	status    string
	placement string // see reading
	receivers []int32
	advice    []safety.Finding // on the throttle
}

func newStored(p *balance.Proposal, r *reading, limits reassign.Limits) *stored {
	return &stored{
		proposal: p, status: storedReady, placement: r.placement,
		receivers: receivers(p.Moves), advice: adviseThrottle(p.Moves, r, limits),
	}
}

// keep makes p the current proposal. When it has the moves of the one before, it takes over its time: only the figures
// around the moves are newer.
func (ps *proposals) keep(p *stored, now time.Time) {
	p.createdAt = now
	if c := ps.current; c != nil && c.proposal.ID == p.proposal.ID {
		p.createdAt = c.createdAt
	}
	if i := ps.index(p.proposal.ID); i >= 0 {
		ps.all = slices.Delete(ps.all, i, i+1)
	}
	ps.all = slices.Insert(ps.all, 0, p)
	ps.all = ps.all[:min(len(ps.all), mostProposals)]
	ps.current = p
}

// drop leaves no current proposal. The stored ones stay to be looked at.
func (ps *proposals) drop() { ps.current = nil }

func (ps *proposals) index(id string) int {
	return slices.IndexFunc(ps.all, func(p *stored) bool { return p.proposal.ID == id })
}

// find returns a stored proposal, nil when there is none.
func (ps *proposals) find(id string) *stored {
	if i := ps.index(id); i >= 0 {
		return ps.all[i]
	}
	return nil
}

// mark notes what became of a proposal, if it is still stored.
func (ps *proposals) mark(id, status string) {
	if p := ps.find(id); p != nil {
		p.status = status
	}
}

// receivers returns the brokers that get new replicas, sorted.
func receivers(moves []balance.Move) []int32 {
	var all []int32
	for i := range moves {
		for _, b := range moves[i].To {
			if !slices.Contains(moves[i].From, b) {
				all = append(all, b)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// adviseThrottle makes a soft finding of a throttle under which the moves would never end.
func adviseThrottle(moves []balance.Move, r *reading, limits reassign.Limits) []safety.Finding {
	if !limits.Managed {
		return nil
	}
	advice := reassign.AdviseThrottle(moves, r.cluster, limits)
	if advice.Code != reassign.ThrottleTooLow {
		return nil
	}
	return []safety.Finding{{Code: safety.Code(advice.Code), Message: advice.Message}}
}
