package reassign

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
)

// longestList is how many bytes a list of throttled replicas may have: Kafka drops the connection beyond 32,767.
const longestList = 30_000

// waveThrottles asks for what is there before the wave changes it.
func (e *Execution) waveThrottles() *ThrottleQuery {
	brokers, topics := map[int32]bool{}, map[string]bool{}
	for _, i := range e.wave.moves {
		t := &e.tasks[i]
		if len(without(t.want, t.prev)) == 0 {
			continue
		}
		topics[t.move.Topic] = true
		for _, b := range union(t.prev, t.want) {
			if e.isAlive(b) {
				brokers[b] = true
			}
		}
	}
	return &ThrottleQuery{slices.Sorted(maps.Keys(brokers)), slices.Sorted(maps.Keys(topics)), planning}
}

// planThrottles notes what was there, and what of it will be ours, before anything is set.
func (e *Execution) planThrottles(now time.Time, found *Throttles) {
	length := map[string]int{}
	e.wave.moves = slices.DeleteFunc(e.wave.moves, func(i int) bool {
		t := &e.tasks[i]
		receivers := without(t.want, t.prev)
		if len(receivers) == 0 {
			return false
		}
		why := e.planRates(t, receivers, found)
		if why == "" {
			why = t.planEntries(receivers, found.topic(t.move.Topic), length)
		}
		if why != "" {
			e.hold(now, i, why)
		}
		return why != ""
	})
	e.head = true
	e.wave.stage = setting
	if len(e.wave.moves) == 0 {
		e.wave = wave{}
	}
}

// planRates notes the rates of every running broker that the step involves: what may send on the leader side, what
// receives on the follower side.
func (e *Execution) planRates(t *task, receivers []int32, found *Throttles) string {
	for _, b := range union(t.prev, t.want) {
		if e.isAlive(b) && found.broker(b) == nil {
			return fmt.Sprintf("the replication throttle of broker %d cannot be read", b)
		}
	}
	for _, b := range t.prev {
		if e.isAlive(b) {
			e.planRate(&e.rate(b, true).Leader, found.broker(b).Leader)
		}
	}
	for _, b := range receivers {
		if e.isAlive(b) {
			e.planRate(&e.rate(b, true).Follower, found.broker(b).Follower)
		}
	}
	return ""
}

// planRate notes what a rate is before it is ours. What was planned before and may not have been set is noted anew, in
// case somebody has set it meanwhile.
func (e *Execution) planRate(held **rateChange, now *int64) {
	if *held == nil {
		*held = &rateChange{Was: now, Set: e.limits.Throttle}
	}
	h := *held
	if !h.applied && (now == nil || *now != h.Set) {
		h.Was = now
	}
	h.read = true
}

// planEntries notes the entries that the step adds: the leader side on every replica, since leadership may move, the
// follower side on the receivers alone, since a listed replica that falls out of sync cannot come back. Entries that
// are there already are somebody else's.
func (t *task) planEntries(receivers []int32, found *TopicThrottle, length map[string]int) string {
	if found == nil {
		return goneTopic
	}
	leader, follower := t.missingFrom(&found.Leader, t.prev, t.heldLeader), t.missingFrom(&found.Follower, receivers, t.heldFollower)
	if _, counted := length[t.move.Topic]; !counted {
		length[t.move.Topic] = max(listLength(found.Leader.Entries), listLength(found.Follower.Entries))
	}
	length[t.move.Topic] += listLength(entriesOf(t.move.Partition, leader)) // of the two, the longer
	if length[t.move.Topic] > longestList {
		return "the list of throttled replicas of topic " + t.move.Topic + " has no room now"
	}
	t.heldLeader, t.heldFollower = union(t.heldLeader, leader), union(t.heldFollower, follower)
	t.listed = false
	return ""
}

// missingFrom returns the brokers that a list does not throttle the partition on.
func (t *task) missingFrom(list *ThrottleList, brokers, held []int32) []int32 {
	if list.All {
		return nil
	}
	return without(without(brokers, list.on(t.move.Partition)), held)
}

// listLength returns how many bytes entries take in a list, with a comma each.
func listLength(entries []ThrottleEntry) int {
	n := 0
	for _, entry := range entries {
		n += len(strconv.Itoa(int(entry.Partition))) + len(strconv.Itoa(int(entry.Broker))) + 2
	}
	return n
}

// setThrottles sets what is held and not known to be in force: lists before rates. It repeats what may have been lost.
func (e *Execution) setThrottles(now time.Time) (Todo, bool) {
	if e.wave.stage != setting && now.Before(e.upkeep.retryAt) {
		return Todo{}, false
	}
	lists := map[string]*ThrottleChange{}
	for i := range e.tasks {
		t := &e.tasks[i]
		if !t.holds() || t.listed || !t.needsThrottle() && !e.inWave(i) {
			continue
		}
		change := listChange(lists, t.move.Topic)
		change.AddLeader = append(change.AddLeader, entriesOf(t.move.Partition, t.heldLeader)...)
		change.AddFollower = append(change.AddFollower, entriesOf(t.move.Partition, t.heldFollower)...)
	}
	todo := Todo{SetThrottles: append(sortedChanges(lists), e.missingRates()...), purpose: adding}
	return todo, len(todo.SetThrottles) > 0
}

func (e *Execution) missingRates() []ThrottleChange {
	var involved map[int32]bool
	var changes []ThrottleChange
	for i := range e.rates {
		h := &e.rates[i]
		change := ThrottleChange{Broker: h.Broker}
		change.LeaderRate, change.FollowerRate = h.Leader.due(), h.Follower.due()
		if change.LeaderRate == nil && change.FollowerRate == nil || !e.isAlive(h.Broker) {
			continue
		}
		if involved == nil {
			involved = e.involved()
		}
		if involved[h.Broker] {
			changes = append(changes, change)
		}
	}
	return changes
}

// due returns the rate if it must and may be set.
func (r *rateChange) due() *int64 {
	if r == nil || r.applied || !r.read {
		return nil
	}
	return &r.Set
}

func listChange(lists map[string]*ThrottleChange, topic string) *ThrottleChange {
	if lists[topic] == nil {
		lists[topic] = &ThrottleChange{Topic: topic}
	}
	return lists[topic]
}

func sortedChanges(lists map[string]*ThrottleChange) []ThrottleChange {
	var changes []ThrottleChange
	for _, topic := range slices.Sorted(maps.Keys(lists)) {
		changes = append(changes, *lists[topic])
	}
	return changes
}

// wereSet takes the answers in: what was refused sends its moves of the wave back.
func (e *Execution) wereSet(now time.Time, changes []ThrottleChange, outcomes []ThrottleOutcome) {
	for n, o := range outcomes {
		c := &changes[n]
		switch {
		case o.Code == CodeOK && c.Topic != "":
			for _, entry := range slices.Concat(c.AddLeader, c.AddFollower) {
				e.tasks[e.index[partitionOf(c.Topic, entry)]].listed = true
			}
		case o.Code == CodeOK:
			e.rateSet(c)
		default:
			e.setRefused(now, c, o)
		}
	}
	if e.wave.stage == setting {
		e.wave.stage = ready
		if len(e.wave.moves) == 0 {
			e.wave = wave{}
		}
	}
}

func (e *Execution) rateSet(c *ThrottleChange) {
	h := e.rate(c.Broker, false)
	if h == nil {
		return
	}
	seen := e.upkeep.seen[c.Broker]
	seen.Broker = c.Broker
	if c.LeaderRate != nil && h.Leader != nil {
		h.Leader.applied, seen.Leader = true, &h.Leader.Set
	}
	if c.FollowerRate != nil && h.Follower != nil {
		h.Follower.applied, seen.Follower = true, &h.Follower.Set
	}
	e.upkeep.observe(seen)
}

// setRefused takes the moves that need a refused throttle out of the wave.
func (e *Execution) setRefused(now time.Time, c *ThrottleChange, o ThrottleOutcome) {
	e.upkeep.retryAt = now.Add(holdFor)
	e.rereadRates()
	why := fmt.Sprintf("the replication throttle of broker %d was not set", c.Broker)
	if c.Topic != "" {
		why = "the throttled replicas of topic " + c.Topic + " were not set"
	}
	why += explained(Outcome{Code: o.Code, Message: o.Message})
	e.wave.moves = slices.DeleteFunc(e.wave.moves, func(i int) bool {
		t := &e.tasks[i]
		needs := t.move.Topic == c.Topic
		if c.Topic == "" {
			needs = slices.Contains(union(t.prev, t.want), c.Broker) && len(without(t.want, t.prev)) > 0
		}
		switch {
		case !needs:
		case o.Code == CodeMissing && c.Topic != "":
			e.end(i, Failed, goneTopic)
		case o.Code == CodeDenied:
			e.end(i, Failed, why)
		default:
			e.hold(now, i, why)
		}
		return needs
	})
}
