package pilot

import (
	"fmt"
	"slices"
	"time"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

// mostExecutions is how many ended executions are kept.
const mostExecutions = 100

// What an execution is for.
const (
	strategyProposal = "PROPOSAL"
	strategyDrain    = "DRAIN"
)

// executions are the running and the ended executions. Service.mu guards them.
type executions struct {
	slot    *execution   // who holds the one reassignment slot (row SAFE-10), nil when it is free
	waiting []*execution // taken up after a restart, to be run one after the other
	all     []*execution // those that were launched, newest first
	newID   func() string
	made    int // IDs made here
}

// execution is one execution, or a claim to the slot that may become one.
type execution struct {
	about
	id         string
	claimedAt  time.Time
	launched   bool
	partitions []balance.TopicPartition
	note       string // what was left out of it
	stop       chan struct{}
	cancelled  bool                // stop is closed
	progress   reassign.Progress   // as it is shown
	outcome    reassign.Progress   // the last one, until the slot is free
	machine    *reassign.Execution // Run's alone, once it is launched
}

// running returns the execution whose moves are being made, nil when there is none.
func (e *executions) running() *execution {
	if e.slot != nil && e.slot.launched {
		return e.slot
	}
	return nil
}

// unsettled reports whether a plan made now would be for a placement that is about to go: moves are being made, or a
// drain is about to begin.
func (e *executions) unsettled() bool {
	return e.slot != nil && (e.slot.launched || e.slot.Strategy == strategyDrain)
}

// nextID returns an ID that is not in use.
func (e *executions) nextID(now time.Time) string {
	if e.newID != nil {
		return e.newID()
	}
	for {
		e.made++
		id := fmt.Sprintf("%s-%d", now.UTC().Format("20060102-150405"), e.made)
		if e.find(id) == nil {
			return id
		}
	}
}

// find returns an execution that was launched or waits to be, nil when there is none.
func (e *executions) find(id string) *execution {
	for _, x := range e.listed() {
		if x.id == id {
			return x
		}
	}
	return nil
}

// listed returns all executions, newest first.
func (e *executions) listed() []*execution {
	waiting := slices.Clone(e.waiting)
	slices.Reverse(waiting)
	return append(waiting, e.all...)
}

// begin notes that the execution in the slot is launched.
func (e *executions) begin(x *execution) {
	x.launched = true
	e.slot = x
	e.all = slices.Insert(e.all, 0, x)
	e.all = e.all[:min(len(e.all), mostExecutions+1)]
}

// claim takes the reassignment slot, or refuses because somebody has it.
func (s *Service) claim(a about) (*execution, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkRunning(); err != nil {
		return nil, err
	}
	if s.executions.slot != nil {
		return nil, refuseBusy(s.executions.slot)
	}
	now := time.Now()
	x := &execution{about: a, id: s.executions.nextID(now), claimedAt: now, stop: make(chan struct{})}
	s.executions.slot = x
	return x, nil
}

// release gives up the slot of a claim that became no execution.
func (s *Service) release(x *execution) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.executions.slot == x && !x.launched {
		s.executions.slot = nil
		if s.proposals.current == nil {
			s.readNow.send() // it was not planned meanwhile
		}
	}
}
