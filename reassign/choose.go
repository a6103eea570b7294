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

// queue is the order in which moves that copy begin. It is worked out again when a part of them has ended, since that
// changes what is left to be freed.
type queue struct {
	moves  []int
	finals int // moves that had ended then
}

// choose picks the moves of the next wave: changes of leaders before anything that copies, since they take effect at
// once; then copies, as many as every broker has room for. Those that are between two steps come first.
func (e *Execution) choose(now time.Time) []int {
	var leaders, chosen []int
	for i := range e.tasks {
		switch t := &e.tasks[i]; {
		case !e.mayGo(now, t):
		case t.leaderOnly():
			leaders = append(leaders, i)
		case t.state == Active:
			chosen = append(chosen, i)
		}
	}
	if len(leaders) > 0 {
		return leaders[:min(len(leaders), e.limits.MaxBatch)]
	}
	chosen = chosen[:min(len(chosen), e.limits.MaxBatch)]
	e.order()
	free := e.capacity()
	for _, i := range e.queue.moves {
		t := &e.tasks[i]
		if len(chosen) == e.limits.MaxBatch {
			break
		}
		if t.state == Pending && e.mayGo(now, t) && free.take(e.likelyBusy(t), t.perCopy()) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// mayGo reports whether a move waits for its turn and nothing keeps it.
func (e *Execution) mayGo(now time.Time, t *task) bool {
	waits := t.state == Pending || t.state == Active && t.phase == resting
	return waits && !now.Before(t.retryAt) && (e.cluster.pause == "" || t.repairs())
}

// likelyBusy returns the brokers that the first step of a move will load, as far as the plan tells.
func (e *Execution) likelyBusy(t *task) []int32 {
	if t.likely == nil {
		next := nextReplicas(t.move.From, t.move.To, terrain{t.move.FromLeader, e.isAlive, e.rackOf})
		t.likely = busyBrokers(t.move.From, next, t.move.FromLeader)
	}
	return t.likely
}

// order sorts pending moves that copy: repairs, then those whose receivers have the fewest bytes of their own left to
// give away, so that space is freed before it is filled; of equal ones the largest first, since it takes longest.
func (e *Execution) order() {
	q := &e.queue
	if q.moves != nil && e.finals-q.finals <= len(e.tasks)/50 {
		return
	}
	q.moves, q.finals = make([]int, 0, len(e.tasks)-e.finals), e.finals
	leaving := e.leaving()
	rank := make([]int64, len(e.tasks))
	for i := range e.tasks {
		if t := &e.tasks[i]; t.state == Pending && !t.leaderOnly() {
			q.moves = append(q.moves, i)
			for _, b := range t.adds {
				rank[i] = max(rank[i], leaving[b])
			}
		}
	}
	slices.SortFunc(q.moves, func(a, b int) int {
		x, y := &e.tasks[a], &e.tasks[b]
		return cmp.Or(
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
			for _, b := range t.drops {
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
