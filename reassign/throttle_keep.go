package reassign

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/units"
)

// checkEvery is how often the throttles that are ours are looked after. Kafka's own tool, among others, removes them.
const checkEvery = 30 * time.Second

// readThrottles looks after the throttles from time to time, and first of all after a restart.
func (e *Execution) readThrottles(now time.Time) (Todo, bool) {
	u := &e.upkeep
	if now.Before(u.checkAt) || now.Before(u.retryAt) {
		return Todo{}, false
	}
	brokers, topics := map[int32]bool{}, map[string]bool{}
	for i := range e.tasks {
		t := &e.tasks[i]
		if t.holds() {
			topics[t.move.Topic] = true
		}
		if t.phase == moving {
			for _, b := range t.busy() {
				brokers[b] = true
			}
		}
	}
	for i := range e.rates {
		brokers[e.rates[i].Broker] = true
	}
	maps.DeleteFunc(brokers, func(b int32, _ bool) bool { return !e.isAlive(b) })
	q := &ThrottleQuery{slices.Sorted(maps.Keys(brokers)), slices.Sorted(maps.Keys(topics)), checking}
	return Todo{Throttles: q}, len(brokers)+len(topics) > 0
}

// absorbThrottles takes a reading in.
func (e *Execution) absorbThrottles(now time.Time, q *ThrottleQuery, found *Throttles) {
	for i := range found.Brokers {
		e.upkeep.observe(found.Brokers[i])
	}
	switch q.purpose {
	case planning:
		if e.wave.stage == reading {
			e.planThrottles(now, found)
		}
	case checking:
		e.upkeep.checkAt = now.Add(checkEvery)
		e.checkThrottles(found)
	case restoring:
		e.planRestore(now, q.Brokers, found)
	}
}

// throttlesFailed puts off what a failed call was for.
func (e *Execution) throttlesFailed(now time.Time, p purpose, why string) {
	e.upkeep.retryAt = now.Add(holdFor)
	e.upkeep.failures++
	e.upkeep.restore = nil // read again first
	e.rereadRates()
	if (p == planning || p == adding) && e.wave.stage >= reading {
		moves := e.wave.moves
		e.wave = wave{}
		for _, i := range moves {
			e.hold(now, i, why)
		}
	}
}

// rereadRates lets no rate be set that may have been changed since it was read.
func (e *Execution) rereadRates() {
	e.upkeep.checkAt = time.Time{}
	for i := range e.rates {
		for _, r := range []*rateChange{e.rates[i].Leader, e.rates[i].Follower} {
			if r != nil {
				r.read = false
			}
		}
	}
}

// checkThrottles compares what is held with what is there. What somebody removed is set once more; what somebody
// changed is theirs from then on.
func (e *Execution) checkThrottles(found *Throttles) {
	lost := false
	involved := e.involved()
	for i := range e.rates {
		h := &e.rates[i]
		if b := found.broker(h.Broker); b != nil {
			leader := e.checkRate(h.Broker, &h.Leader, b.Leader)
			follower := e.checkRate(h.Broker, &h.Follower, b.Follower)
			lost = lost || (leader || follower) && involved[h.Broker] // else we have removed it, and the answer was lost
		}
	}
	e.forgetEmptyRates()
	for i := range e.tasks {
		if t := &e.tasks[i]; t.holds() {
			lost = t.checkEntries(found.topic(t.move.Topic)) || lost
		}
	}
	if !lost {
		return
	}
	if e.upkeep.drifts++; e.upkeep.drifts > 1 {
		e.upkeep.warn("another tool keeps removing the replication throttles of this execution: they are not set again")
		e.acceptLoss()
	}
}

// checkRate looks at one rate and reports whether ours was in force and is gone.
func (e *Execution) checkRate(broker int32, held **rateChange, now *int64) (lost bool) {
	h := *held
	if h == nil {
		return false
	}
	h.read = true
	switch {
	case now != nil && *now == h.Set:
		h.applied = true
	case now == nil || h.Was != nil && *h.Was == *now:
		lost, h.applied = h.applied, false
	default:
		*held, e.head = nil, true
		e.upkeep.warn(fmt.Sprintf("somebody set the replication throttle of broker %d to %s meanwhile: it is left so",
			broker, units.Rate(float64(*now))))
	}
	return lost
}

// checkEntries looks at the entries of one move and reports whether some were in force and are gone.
func (t *task) checkEntries(found *TopicThrottle) (lost bool) {
	if found == nil {
		t.heldLeader, t.heldFollower = nil, nil
		return false
	}
	leader := t.missingFrom(&found.Leader, t.heldLeader, nil)
	follower := t.missingFrom(&found.Follower, t.heldFollower, nil)
	if found.Leader.All {
		t.heldLeader = nil
	}
	if found.Follower.All {
		t.heldFollower = nil
	}
	missing := len(leader)+len(follower) > 0
	if missing && !t.needsThrottle() {
		t.heldLeader, t.heldFollower = without(t.heldLeader, leader), without(t.heldFollower, follower)
		return false
	}
	lost = missing && t.listed
	t.listed = !missing
	return lost
}

// acceptLoss stops setting what somebody else removes.
func (e *Execution) acceptLoss() {
	for i := range e.tasks {
		e.tasks[i].listed = true
	}
	for i := range e.rates {
		for _, r := range []*rateChange{e.rates[i].Leader, e.rates[i].Follower} {
			if r != nil {
				r.applied = true
			}
		}
	}
}

// dropThrottles removes the entries of moves that no longer copy: what is in sync would eat the rate of the others.
func (e *Execution) dropThrottles(now time.Time) (Todo, bool) {
	if now.Before(e.upkeep.retryAt) {
		return Todo{}, false
	}
	lists := map[string]*ThrottleChange{}
	for _, i := range e.unusedEntries() {
		t := &e.tasks[i]
		change := listChange(lists, t.move.Topic)
		change.DropLeader = append(change.DropLeader, entriesOf(t.move.Partition, t.heldLeader)...)
		change.DropFollower = append(change.DropFollower, entriesOf(t.move.Partition, t.heldFollower)...)
	}
	return Todo{SetThrottles: sortedChanges(lists), purpose: dropping}, len(lists) > 0
}

// restoreRates puts back the rates of brokers that no move needs any more. It reads them first, so that what somebody
// set meanwhile stays.
func (e *Execution) restoreRates(now time.Time) (Todo, bool) {
	u := &e.upkeep
	if now.Before(u.retryAt) {
		return Todo{}, false
	}
	if len(u.restore) > 0 {
		return Todo{SetThrottles: u.restore, purpose: restoring}, true
	}
	brokers := e.unusedRates()
	return Todo{Throttles: &ThrottleQuery{Brokers: brokers, purpose: restoring}}, len(brokers) > 0
}

// planRestore decides what to put back.
func (e *Execution) planRestore(now time.Time, brokers []int32, found *Throttles) {
	u := &e.upkeep
	u.restore = nil
	for _, id := range brokers {
		b, h := found.broker(id), e.rate(id, false)
		switch {
		case h == nil:
		case b == nil:
			u.retryAt = now.Add(holdFor)
			u.failures++
		default:
			change := ThrottleChange{
				Broker:       id,
				LeaderRate:   e.backTo(id, &h.Leader, b.Leader),
				FollowerRate: e.backTo(id, &h.Follower, b.Follower),
			}
			if change.LeaderRate != nil || change.FollowerRate != nil {
				u.restore = append(u.restore, change)
			}
		}
	}
	e.forgetEmptyRates()
}

// backTo returns what one rate must be set to, nil when it is not ours to set.
func (e *Execution) backTo(broker int32, held **rateChange, now *int64) *int64 {
	if *held == nil {
		return nil
	}
	if e.checkRate(broker, held, now); *held == nil || !(*held).applied {
		*held, e.head = nil, true
		return nil
	}
	if was := (*held).Was; was != nil {
		return was
	}
	remove := int64(-1)
	return &remove
}

// absorbChanges takes the answers to a change of throttles in.
func (e *Execution) absorbChanges(now time.Time, p purpose, changes []ThrottleChange, outcomes []ThrottleOutcome) {
	if p == adding {
		e.wereSet(now, changes, outcomes)
		return
	}
	e.head = true
	e.upkeep.restore = nil
	done := true
	for n := range changes {
		c, code := &changes[n], outcomes[n].Code
		switch {
		case c.Topic == "" && code == CodeOK:
			e.rates = slices.DeleteFunc(e.rates, func(h heldRate) bool { return h.Broker == c.Broker })
			e.upkeep.observe(BrokerThrottle{Broker: c.Broker})
		case c.Topic != "" && (code == CodeOK || code == CodeMissing):
			for _, entry := range slices.Concat(c.DropLeader, c.DropFollower) {
				t := &e.tasks[e.index[partitionOf(c.Topic, entry)]]
				t.heldLeader, t.heldFollower = nil, nil
			}
		default:
			done = false
		}
	}
	if done {
		e.upkeep.failures = 0
		return
	}
	e.upkeep.failures++
	e.upkeep.retryAt = now.Add(holdFor)
	e.upkeep.checkAt = now // a list may have become "*", of which nothing is ours
}

func partitionOf(topic string, entry ThrottleEntry) balance.TopicPartition {
	return balance.TopicPartition{Topic: topic, Partition: entry.Partition}
}
