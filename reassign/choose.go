package reassign

import (
	"cmp"
	"slices"
	"time"
)

// capacity is how much more each broker may take part in.
type capacity struct {
	limits *Limits
	moves  map[int32]int
	bytes  map[int32]int64
}

// capacity counts what is in flight.
func (e *Execution) capacity() capacity {
	c := capacity{&e.limits, map[int32]int{}, map[int32]int64{}}
	for i := range e.tasks {
		if t := &e.tasks[i]; t.phase == moving || t.phase == undoing {
			c.add(t.busy(), t.copyBytes())
		}
	}
	return c
}

func (c *capacity) add(brokers []int32, bytes int64) {
	for _, b := range brokers {
		c.moves[b]++
		c.bytes[b] += bytes
	}
}

// take adds a move when every broker involved has room for it.
func (c *capacity) take(brokers []int32, bytes int64) bool {
	for _, b := range brokers {
		full := c.moves[b] >= c.limits.MaxPerBroker
		heavy := c.limits.MaxBytesPerBroker > 0 && c.moves[b] > 0 && c.bytes[b]+bytes > c.limits.MaxBytesPerBroker
		if full || heavy {
			return false
		}
	}
	c.add(brokers, bytes)
	return true
}

// choose picks the moves of the next wave: changes of leaders before anything that copies, since they take effect at
// once; then copies, as many as every broker has room for.
func (e *Execution) choose(now time.Time) []int {
	var leaders, copies []int
	for i := range e.tasks {
		t := &e.tasks[i]
		waits := t.state == Pending || t.state == Active && t.phase == resting
		switch {
		case !waits || now.Before(t.retryAt) || e.cluster.pause != "" && !t.repairs():
		case t.leaderOnly():
			leaders = append(leaders, i)
		default:
			copies = append(copies, i)
		}
	}
	if len(leaders) > 0 {
		return leaders[:min(len(leaders), e.limits.MaxBatch)]
	}
	e.order(copies)
	free := e.capacity()
	var chosen []int
	for _, i := range copies {
		if len(chosen) == e.limits.MaxBatch {
			break
		}
		t := &e.tasks[i]
		if t.state == Active || free.take(e.likelyBusy(t), t.perCopy()) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// likelyBusy returns the brokers that the first step of a move will load, as far as the plan tells.
func (e *Execution) likelyBusy(t *task) []int32 {
	next := nextReplicas(t.move.From, t.move.To, terrain{t.move.FromLeader, e.isAlive, e.rackOf})
	return busyBrokers(t.move.From, next, t.move.FromLeader)
}

// order sorts moves that copy: those that are under way, then repairs, then those whose receivers have the fewest
// bytes of their own left to give away, so that space is freed before it is filled; of equal ones the largest first,
// since it takes longest.
func (e *Execution) order(moves []int) {
	leaving := e.leaving()
	rank := make(map[int]int64, len(moves))
	for _, i := range moves {
		for _, b := range without(e.tasks[i].move.To, e.tasks[i].move.From) {
			rank[i] = max(rank[i], leaving[b])
		}
	}
	slices.SortFunc(moves, func(a, b int) int {
		x, y := &e.tasks[a], &e.tasks[b]
		return cmp.Or(
			cmp.Compare(y.state, x.state),
			-compareBool(x.repairs(), y.repairs()),
			cmp.Compare(rank[a], rank[b]),
			cmp.Compare(y.move.CopyBytes, x.move.CopyBytes),
			cmp.Compare(a, b),
		)
	})
}

// leaving returns the bytes that unfinished moves will still free on each broker.
func (e *Execution) leaving() map[int32]int64 {
	bytes := map[int32]int64{}
	for i := range e.tasks {
		if t := &e.tasks[i]; !t.state.Ended() {
			for _, b := range without(t.move.From, t.move.To) {
				bytes[b] += t.perCopy()
			}
		}
	}
	return bytes
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
