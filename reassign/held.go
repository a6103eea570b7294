package reassign

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// heldRate is what an execution has changed, or is about to change, on one broker.
type heldRate struct {
	Broker   int32       `json:"broker"`
	Leader   *rateChange `json:"leader,omitempty"`
	Follower *rateChange `json:"follower,omitempty"`
}

// rateChange is one rate in bytes per second, before and after.
type rateChange struct {
	Was     *int64 `json:"was,omitempty"` // nil is not set
	Set     int64  `json:"set"`
	applied bool   // known to be in force
	read    bool   // Was is what was there a moment ago, so that it may be set
}

// purpose says what a call about throttles is for, so that its answer is understood.
type purpose uint8

const (
	planning  purpose = iota + 1 // read what is there before a wave
	adding                       // set ours
	checking                     // read whether ours are still there
	dropping                     // remove entries of moves that ended
	restoring                    // put rates back
)

// upkeep is what is known of the throttles beyond the record.
type upkeep struct {
	checkAt  time.Time // when ours are looked after next
	retryAt  time.Time // not before this time, after a failure
	failures int       // in a row
	drifts   int       // times that somebody removed ours
	restore  []ThrottleChange
	warnings []string
	seen     map[int32]BrokerThrottle // the rates last seen, for the view

	involved   map[int32]bool // see Execution.involved
	involvedAt int            // how many moves had ended then
}

func (u *upkeep) warn(text string) {
	if !slices.Contains(u.warnings, text) {
		u.warnings = append(u.warnings, text)
	}
}

func (u *upkeep) observe(b BrokerThrottle) {
	if u.seen == nil {
		u.seen = map[int32]BrokerThrottle{}
	}
	u.seen[b.Broker] = b
}

// rate returns the held rates of a broker, with create an empty one where there is none.
func (e *Execution) rate(broker int32, create bool) *heldRate {
	i, found := slices.BinarySearchFunc(e.rates, broker, func(h heldRate, b int32) int { return cmp.Compare(h.Broker, b) })
	switch {
	case found:
	case create:
		e.rates = slices.Insert(e.rates, i, heldRate{Broker: broker})
	default:
		return nil
	}
	return &e.rates[i]
}

// forgetEmptyRates drops brokers of which nothing is held any more.
func (e *Execution) forgetEmptyRates() {
	e.rates = slices.DeleteFunc(e.rates, func(h heldRate) bool { return h.Leader == nil && h.Follower == nil })
}

// involved returns the brokers that unfinished copies start from or go to: their rates are still of use. A rate stays
// between two waves, so that it is set once.
func (e *Execution) involved() map[int32]bool {
	if u := &e.upkeep; u.involved != nil && u.involvedAt == e.finals {
		return u.involved
	}
	brokers := map[int32]bool{}
	for i := range e.tasks {
		if t := &e.tasks[i]; !t.state.Ended() && !t.leaderOnly() {
			for _, b := range t.move.From {
				brokers[b] = true
			}
			for _, b := range t.adds {
				brokers[b] = true
			}
		}
	}
	e.upkeep.involved, e.upkeep.involvedAt = brokers, e.finals
	return brokers
}

// unusedRates returns the running brokers whose rates can be put back.
func (e *Execution) unusedRates() []int32 {
	if len(e.rates) == 0 {
		return nil
	}
	var unused []int32
	involved := e.involved()
	for i := range e.rates {
		if b := e.rates[i].Broker; !involved[b] && e.isAlive(b) {
			unused = append(unused, b)
		}
	}
	return unused
}

// unusedEntries returns the moves that have entries in throttle lists and do not need them.
func (e *Execution) unusedEntries() []int {
	var unused []int
	for i := range e.tasks {
		t := &e.tasks[i]
		if t.holds() && !t.needsThrottle() && !e.inWave(i) && len(unused) < e.limits.MaxBatch {
			unused = append(unused, i)
		}
	}
	return unused
}

func (e *Execution) inWave(i int) bool {
	return e.wave.stage > looking && slices.Contains(e.wave.moves, i)
}

// tidying reports whether throttles of ours are still to be removed and can be.
func (e *Execution) tidying() bool {
	const attempts = 5
	return e.upkeep.failures < attempts && len(e.unusedEntries())+len(e.unusedRates()) > 0
}

// leftovers names what is still in the cluster and ours.
func (e *Execution) leftovers() []string {
	var left []string
	for i := range e.tasks {
		if e.tasks[i].holds() {
			left = append(left, fmt.Sprintf("throttled replicas of %v", e.tasks[i].move.Name()))
		}
	}
	for i := range e.rates {
		left = append(left, fmt.Sprintf("replication throttle of broker %d", e.rates[i].Broker))
	}
	return left
}

// broker returns what was read of a broker, nil when it did not answer.
func (t *Throttles) broker(id int32) *BrokerThrottle {
	i, found := slices.BinarySearchFunc(t.Brokers, id, func(b BrokerThrottle, id int32) int { return cmp.Compare(b.Broker, id) })
	if !found {
		return nil
	}
	return &t.Brokers[i]
}

// topic returns what was read of a topic, nil when it does not exist.
func (t *Throttles) topic(name string) *TopicThrottle {
	i, found := slices.BinarySearchFunc(t.Topics, name, func(x TopicThrottle, name string) int { return cmp.Compare(x.Topic, name) })
	if !found {
		return nil
	}
	return &t.Topics[i]
}

// on returns the brokers that a list throttles a partition on.
func (l *ThrottleList) on(partition int32) []int32 {
	var brokers []int32
	for _, entry := range l.Entries {
		if entry.Partition == partition {
			brokers = append(brokers, entry.Broker)
		}
	}
	return brokers
}

func entriesOf(partition int32, brokers []int32) []ThrottleEntry {
	var entries []ThrottleEntry
	for _, b := range brokers {
		entries = append(entries, ThrottleEntry{partition, b})
	}
	return entries
}
