package search

import (
	"cmp"
	"container/heap"
)

// Trim keeps at most the given number of changed partitions of a result: time and again the one that lowers the score
// most by itself, with every hard box and cap kept. What helps only together with a change that is left out is left out
// as well.
func Trim(p *Problem, r *Result, most int) *Result {
	t := trimmer{state: newState(p, 0), final: r}
	var parked []trimming
	for q := range int32(p.Partitions()) {
		if t.differs(q) {
			parked = append(parked, trimming{q: q})
		}
	}
	for kept, before := 0, -1; kept < most && kept > before; {
		before = kept
		t.queue = t.queue[:0]
		for _, c := range parked {
			c.gain, c.legal = t.try(c.q, false)
			t.queue = append(t.queue, c)
		}
		parked = parked[:0]
		heap.Init(&t.queue)
		for len(t.queue) > 0 && kept < most {
			c := heap.Pop(&t.queue).(trimming)
			gain, legal := t.try(c.q, false)
			switch {
			case !legal || gain >= 0:
				parked = append(parked, c)
			case len(t.queue) > 0 && t.queue[0].gain < gain:
				c.gain = gain
				heap.Push(&t.queue, c)
			default:
				t.try(c.q, true)
				kept++
			}
		}
	}
	return t.result()
}

// trimmer makes changes of a result one partition at a time.
type trimmer struct {
	*state
	final *Result
	queue trimQueue
}

// trimming is a changed partition with the gain that it had when it was last looked at.
type trimming struct {
	q     int32
	gain  int64
	legal bool
}

type trimQueue []trimming

func (h trimQueue) Len() int      { return len(h) }
func (h trimQueue) Swap(i, k int) { h[i], h[k] = h[k], h[i] }
func (h *trimQueue) Push(x any)   { *h = append(*h, x.(trimming)) }
func (h *trimQueue) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

func (h trimQueue) Less(i, k int) bool {
	return cmp.Or(cmp.Compare(h[i].gain, h[k].gain), cmp.Compare(h[i].q, h[k].q)) < 0
}

func (t *trimmer) differs(q int32) bool {
	first, end := t.Slots(q)
	for i := first; i < end; i++ {
		if t.final.At[i] != t.At[i] {
			return true
		}
	}
	return t.final.Lead[q] != t.Lead[q]
}

// relief is what one leader less over the cap of its topic counts: as little as a gain can.
const relief = 1

// try brings partition q to where the result has it, and with keep leaves it there. It returns the gain, and whether
// all boxes and caps hold.
func (t *trimmer) try(q int32, keep bool) (gain int64, legal bool) {
	before, topic := t.total, t.Topic[q]
	old := t.at[t.lead[q]]
	t.begin()
	first, end := t.Slots(q)
	for i := first; i < end; i++ {
		t.rememberBroker(t.at[i])
		t.rememberBroker(t.final.At[i])
	}
	legal = true
	for i := first; i < end; i++ {
		if b := t.final.At[i]; b != t.at[i] {
			legal = legal && t.roomToHold(q, b)
			t.place(i, b)
		}
	}
	if k := t.final.Lead[q]; k != t.lead[q] {
		t.give(k)
	}
	gain = t.total - before
	if limit, b := t.Topics[topic].LeaderCap, t.at[t.lead[q]]; limit > 0 && b != old {
		legal = legal && t.leads(topic, b) <= limit
		if t.leads(topic, old) >= limit {
			gain -= relief
		}
	}
	legal = legal && t.within()
	t.end(keep)
	return gain, legal
}
