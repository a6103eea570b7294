package reassign

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

// host does what Run does, in virtual time and one Todo at a time, and tells it.
type host struct {
	*fake
	e    *Execution
	seen Seen
	tell func(format string, args ...any)
}

// step carries one Todo out and reports whether the execution goes on.
func (h *host) step() (more bool) {
	ctx := context.Background()
	todo := h.e.Step(h.now, h.seen)
	h.seen = Seen{}
	for _, entry := range todo.Save {
		if err := h.Save(ctx, entry.Key, entry.Value); err != nil {
			h.tell("saving fails")
			h.pass(time.Second)
			return true
		}
	}
	h.pass(todo.Wait)
	if todo.Done {
		h.tell("done")
		return false
	}
	before := h.calls
	h.do(ctx, &todo)
	h.seen.Saved = true
	if h.seen.Outcomes == nil && h.calls > before {
		h.seen.Outcomes = []Outcome{}
	}
	if h.seen.Err != nil {
		h.tell("  %v", h.seen.Err)
		h.pass(time.Second)
	}
	return true
}

func (h *host) do(ctx context.Context, todo *Todo) {
	s := &h.seen
	switch {
	case todo.Look != nil:
		v, err := h.Look(ctx, *todo.Look)
		s.View, s.Err = &v, err
		h.tell("look at %s", namesText(todo.Look.Partitions))
	case todo.Throttles != nil:
		t, err := h.Throttles(ctx, todo.Throttles.Brokers, todo.Throttles.Topics)
		s.Throttles, s.Err = &t, err
		h.tell("read throttles of brokers %v, topics %v", todo.Throttles.Brokers, todo.Throttles.Topics)
	case len(todo.SetThrottles) > 0:
		for _, c := range todo.SetThrottles {
			h.tell("throttle %s", changeText(&c))
		}
		s.Changes, s.Err = h.SetThrottles(ctx, todo.SetThrottles)
		for i, o := range s.Changes {
			if o.Code != CodeOK {
				h.tell("  change %d: code %d", i, o.Code)
			}
		}
	case len(todo.Submit) > 0:
		for _, t := range todo.Submit {
			h.tell("submit %v %s", t.TopicPartition, listText(t.Replicas))
		}
		s.Outcomes, s.Err = h.Submit(ctx, todo.Submit)
	case len(todo.Elect) > 0:
		h.tell("elect %s", namesText(todo.Elect))
		s.Outcomes, s.Err = h.Elect(ctx, todo.Elect)
	case len(todo.Cancel) > 0:
		h.tell("cancel %s", namesText(todo.Cancel))
		s.Outcomes, s.Err = h.Cancel(ctx, todo.Cancel)
	}
	for _, o := range s.Outcomes {
		if o.Code != CodeOK {
			h.tell("  %v: code %d", o.TopicPartition, o.Code)
		}
	}
}

func namesText(names []balance.TopicPartition) string {
	var parts []string
	for _, n := range names {
		parts = append(parts, n.String())
	}
	if len(parts) == 0 {
		return "the brokers"
	}
	return strings.Join(parts, " ")
}

func changeText(c *ThrottleChange) string {
	var parts []string
	if c.Topic == "" {
		parts = append(parts, fmt.Sprintf("broker %d:", c.Broker))
		for _, r := range []struct {
			side string
			rate *int64
		}{{"leader", c.LeaderRate}, {"follower", c.FollowerRate}} {
			switch {
			case r.rate == nil:
			case *r.rate < 0:
				parts = append(parts, r.side+" none")
			default:
				parts = append(parts, fmt.Sprintf("%s %d", r.side, *r.rate))
			}
		}
		return strings.Join(parts, " ")
	}
	parts = append(parts, "topic "+c.Topic+":")
	for _, l := range []struct {
		side    string
		entries []ThrottleEntry
	}{{"leader +", c.AddLeader}, {"leader -", c.DropLeader}, {"follower +", c.AddFollower}, {"follower -", c.DropFollower}} {
		if len(l.entries) > 0 {
			parts = append(parts, l.side+ThrottleList{Entries: l.entries}.String())
		}
	}
	return strings.Join(parts, " ")
}

// state tells what the cluster and the execution look like.
func (h *host) state() []string {
	var lines []string
	for _, p := range h.parts {
		line := fmt.Sprintf("%v %s leader %d isr %s", p.name, listText(p.replicas), p.leader, listText(slices.Sorted(slices.Values(p.isr))))
		if len(p.adding)+len(p.removing) > 0 {
			line += fmt.Sprintf(" adding %s removing %s", listText(p.adding), listText(p.removing))
		}
		lines = append(lines, line)
	}
	return append(lines, h.throttleLines()...)
}

func (h *host) throttleLines() []string {
	var lines []string
	for b := int32(0); b < 100; b++ {
		if r := h.rates[b]; r != nil && (r.Leader != nil || r.Follower != nil) {
			lines = append(lines, fmt.Sprintf("broker %d throttled: leader %s follower %s", b, rateText(r.Leader), rateText(r.Follower)))
		}
	}
	for _, p := range h.parts {
		l := h.lists[p.name.Topic]
		if (l.Leader.Set || l.Follower.Set) && p.name.Partition == 0 {
			lines = append(lines, fmt.Sprintf("topic %s throttled: leader %q follower %q", p.name.Topic, l.Leader.String(), l.Follower.String()))
		}
	}
	return lines
}

func rateText(rate *int64) string {
	if rate == nil {
		return "none"
	}
	return fmt.Sprint(*rate)
}

// newHost makes a cluster of six brokers that has the sources of the moves, 100 MB each, and an execution of them.
func newHost(t require.TestingT, limits Limits, moves ...balance.Move) *host {
	h := &host{fake: newFake(1, 2, 3, 4, 5, 6), tell: func(string, ...any) {}}
	for i := range moves {
		moves[i].CopyBytes = 100_000_000 * int64(len(without(moves[i].To, moves[i].From)))
		h.add(moves[i].Topic, moves[i].Partition, 100_000_000, moves[i].From...)
	}
	e, err := New("plan", moves, nil, limits)
	require.NoError(t, err)
	h.e = e
	return h
}

// run carries Todos out for so many seconds.
func (h *host) run(seconds int) {
	end := h.now.Add(time.Duration(seconds) * time.Second)
	h.until(func() bool { return !h.now.Before(end) })
}

// until carries Todos out until a condition holds or the execution has ended.
func (h *host) until(holds func() bool) {
	for !holds() && h.step() {
	}
}
