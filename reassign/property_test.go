package reassign

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kafka-pilot/pilot/balance"
)

// TestWhateverHappens plays random plans on a cluster where calls get lost, the program dies between any two calls,
// brokers die and return, topics vanish, and another tool moves partitions and sets throttles. After each call and at
// the end the cluster must be as an operator may expect it.
func TestWhateverHappens(t *testing.T) { rapid.Check(t, func(t *rapid.T) { newWorld(t).play() }) }

// theirs is a broker that only the other tool uses, so that its moves are told from ours.
const theirs = 9

// event is a misfortune at the n-th call.
type event struct {
	call int
	what string
	arg  int
}

var kinds = []string{
	"lost", "mute", "vague", "crash before", "crash after", "crash after", "cancel", "settle",
	"kill", "kill", "revive", "lag", "catch up", "foreign", "foreign", "rate", "delete",
}

// world is one story: a plan, a cluster and what befalls them.
type world struct {
	host
	t       *rapid.T
	plan    []balance.Move
	base    *balance.Cluster
	limits  Limits
	events  []event
	crashed bool
	settle  bool
	wants   map[int32]BrokerThrottle // what an operator wants, and must find at the end
	foreign map[balance.TopicPartition]bool
	fails   int // looks that failed in a row
	story   []string
}

func newWorld(t *rapid.T) *world {
	w := &world{t: t, wants: map[int32]BrokerThrottle{}, foreign: map[balance.TopicPartition]bool{}}
	w.fake = newFake(1, 2, 3, 4, 5, 6, theirs)
	w.fake.fault = w.befall
	w.fake.watch = w.checkCall
	w.fake.speed = 2_000_000
	w.tell = func(format string, args ...any) {
		if strings.HasPrefix(format, "look") {
			return
		}
		w.story = append(w.story, fmt.Sprintf("%5.0f %3d ", w.now.Sub(time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)).Seconds(), w.calls)+fmt.Sprintf(format, args...))
	}
	w.limits = Limits{
		MaxPerBroker: rapid.IntRange(1, 3).Draw(t, "per broker"), MaxBatch: rapid.IntRange(1, 4).Draw(t, "batch"),
		Managed: true, Throttle: rapid.SampledFrom([]int64{0, 5_000_000}).Draw(t, "throttle"), Timeout: 30 * time.Minute,
	}
	w.base = &balance.Cluster{}
	for _, topic := range []string{"orders", "users"} {
		w.base.Topics = append(w.base.Topics, balance.Topic{Name: topic, ID: "id-" + topic})
		for p := range int32(rapid.IntRange(1, 4).Draw(t, topic)) {
			w.addMove(topic, p)
		}
	}
	for _, b := range rapid.SliceOfNDistinct(rapid.Int32Range(1, 6), 0, 3, rapid.ID).Draw(t, "operator's rates") {
		w.setOperators(b, 100_000+int64(b))
	}
	w.events = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) event {
		return event{rapid.IntRange(0, 60).Draw(t, "call"), rapid.SampledFrom(kinds).Draw(t, "what"), rapid.IntRange(0, 9).Draw(t, "arg")}
	}), 0, 12).Draw(t, "events")
	w.begin()
	return w
}

func (w *world) addMove(topic string, partition int32) {
	ids := rapid.Permutation([]int32{1, 2, 3, 4, 5, 6}).Draw(w.t, "brokers")
	factor := rapid.IntRange(1, 3).Draw(w.t, "factor")
	p := w.add(topic, partition, rapid.Int64Range(1, 20_000_000).Draw(w.t, "bytes"), slices.Clone(ids[:factor])...)
	m := balance.Move{Topic: topic, Partition: partition, From: slices.Clone(p.replicas), FromLeader: p.leader, Kind: balance.MoveBalance}
	kept := rapid.IntRange(0, factor).Draw(w.t, "kept")
	m.To = rapid.Permutation(append(slices.Clone(ids[:kept]), ids[3:3+factor-kept]...)).Draw(w.t, "to")
	if rapid.Bool().Draw(w.t, "repair") {
		m.Kind = balance.MoveRepair
	}
	if factor == 3 && rapid.IntRange(0, 4).Draw(w.t, "drop one") == 0 {
		m.To, m.Kind = m.To[:2], balance.MoveDrain
	}
	m.ToLeader = m.To[0]
	m.CopyBytes = p.bytes * int64(len(without(m.To, m.From)))
	if !slices.Equal(m.From, m.To) {
		w.plan = append(w.plan, m)
	}
}

func (w *world) setOperators(b int32, rate int64) {
	w.rates[b].Leader, w.rates[b].Follower = &rate, nil
	w.wants[b] = BrokerThrottle{Broker: b, Leader: &rate}
}

func (w *world) begin() {
	e, err := New("plan", w.plan, w.base, w.limits)
	if err != nil {
		w.t.Fatalf("plan refused: %v", err)
	}
	w.e, w.seen = e, Seen{}
}

// play drives the story to its end.
func (w *world) play() {
	for range 20_000 {
		more := w.step()
		if w.crashed && (len(w.journal) > 0 || w.e.Progress().EndedAt.IsZero()) {
			w.restart()
			continue
		}
		more = more && !w.crashed // died after the record was removed
		w.checkAlways()
		if !more {
			w.checkEnd()
			return
		}
	}
	w.fail("the execution does not end: %s", w.e.Progress().Message)
}

func (w *world) fail(format string, args ...any) {
	for _, line := range append(w.story, w.state()...) {
		w.t.Log(line)
	}
	w.t.Fatalf(format, args...)
}

// befall is asked before each call what becomes of it.
func (w *world) befall(call string) faultAt {
	if w.crashed {
		return lost // the program is dead
	}
	fault := works
	for _, ev := range w.events {
		if ev.call == w.calls {
			fault = max(fault, w.happen(ev, call))
		}
	}
	if call == "look" {
		if w.fails++; fault == works || w.fails > 2 {
			w.fails, fault = 0, works // a third failure would allow a wave without a check
		}
	}
	w.crashed = w.crashed || fault == crash
	return fault
}

func (w *world) happen(ev event, call string) faultAt {
	w.tell("* %s %d during %s", ev.what, ev.arg, call)
	broker := int32(ev.arg%6 + 1)
	p := w.parts[min(ev.arg, len(w.parts))%max(1, len(w.parts)):]
	switch {
	case ev.what == "lost":
		return lost
	case ev.what == "mute":
		return mute
	case ev.what == "vague":
		return vague
	case ev.what == "crash before":
		w.crashed = true
		return lost
	case ev.what == "crash after":
		return crash
	case ev.what == "cancel":
		w.e.Cancel()
	case ev.what == "settle":
		w.settle = true
	case ev.what == "kill":
		w.kill(broker)
	case ev.what == "revive":
		w.alive[broker] = true
	case ev.what == "rate" && call == "throttles":
		w.setOperators(broker, 200_000+int64(w.calls))
	case ev.what == "delete" && ev.arg < 3:
		w.deleteTopic("users")
	case len(p) == 0:
	case ev.what == "lag":
		p[0].lagging = []int32{broker}
		if len(p[0].isr) > 1 && p[0].leader != broker {
			p[0].isr = without(p[0].isr, p[0].lagging)
		}
	case ev.what == "catch up":
		p[0].lagging = nil
	case ev.what == "foreign" && call == "look" && !slices.Contains(p[0].replicas, theirs):
		w.foreign[p[0].name] = true
		target := without(p[0].replicas, p[0].removing)
		w.alter(p[0], append([]int32{theirs}, target[1:]...))
	}
	return works
}

func (w *world) restart() {
	w.crashed = false
	w.seen = Seen{}
	all, err := Restore(w.journal)
	if err != nil {
		w.fail("restore: %v", err)
	}
	w.tell("* restarted with %d records", len(all))
	if len(all) == 0 {
		w.begin()
		return
	}
	if w.e = all[0]; w.settle {
		w.e.Settle()
	}
}

// checkCall holds for each call that changes partitions: no move of the other tool is touched,
// and no plan is submitted that its moves have made stale.
func (w *world) checkCall(names []balance.TopicPartition) {
	for _, tp := range names {
		if p := w.part(tp); p != nil && slices.Contains(p.replicas, theirs) {
			w.fail("%v is, or was, moved by another tool and was touched: %v", tp, p.replicas)
		}
	}
}

// checkAlways holds after each call.
func (w *world) checkAlways() {
	inFlight := map[int32]int{}
	unconfirmed := w.e.Progress().Unconfirmed
	for i := range w.plan {
		m := &w.plan[i]
		p := w.part(m.Name())
		if p == nil || w.foreign[m.Name()] || slices.Contains(unconfirmed, m.Name()) {
			continue
		}
		if n := len(without(p.replicas, p.adding)); n < min(len(m.From), len(m.To)) {
			w.fail("%v has %d replicas, fewer than its factor", p.name, n)
		}
		copies := slices.DeleteFunc(slices.Clone(p.replicas), func(b int32) bool { return !w.alive[b] })
		if len(copies) > len(m.From)+1 {
			w.fail("%v has %d copies, more than one beyond its factor", p.name, len(copies))
		}
		if isStale(p.replicas, m.From, m.To) {
			w.fail("%v is at %v, which is on no way from %v to %v", p.name, p.replicas, m.From, m.To)
		}
		if len(p.adding) > 0 {
			for _, b := range union(p.adding, p.removing) {
				inFlight[b]++
			}
		}
	}
	for b, n := range inFlight {
		if n > w.limits.MaxPerBroker {
			w.fail("broker %d takes part in %d moves, the limit is %d", b, n, w.limits.MaxPerBroker)
		}
	}
}

// checkEnd holds when the execution is done.
func (w *world) checkEnd() {
	p := w.e.Progress()
	w.checkThrottles(&p)
	if len(w.journal) > 0 && len(p.Leftovers) == 0 {
		w.fail("a record is left: %v", slices.Sorted(maps.Keys(w.journal)))
	}
	for i, m := range p.Moves {
		if !m.State.Ended() || m.Reason == "" && m.State != Completed {
			w.fail("%v ended as %v without a reason", m.TopicPartition, m.State)
		}
		w.checkMove(&w.plan[i], &m, slices.Contains(p.Unconfirmed, m.TopicPartition))
	}
}

func (w *world) checkMove(plan *balance.Move, m *MoveProgress, unconfirmed bool) {
	part := w.part(m.TopicPartition)
	if part == nil || w.foreign[m.TopicPartition] || unconfirmed {
		return
	}
	if len(part.adding)+len(part.removing) > 0 {
		w.fail("%v ended as %v and is still in flight: %s", m.TopicPartition, m.State, m.Reason)
	}
	if m.State == Completed && !slices.Equal(part.replicas, plan.To) {
		w.fail("%v is completed with replicas %v instead of %v", m.TopicPartition, part.replicas, plan.To)
	}
	moved := len(without(plan.To, plan.From))
	if m.State != Completed && moved <= 1 && !slices.Equal(part.replicas, plan.From) {
		w.fail("%v ended as %v (%s) with replicas %v instead of %v", m.TopicPartition, m.State, m.Reason, part.replicas, plan.From)
	}
}

// checkThrottles holds at the end: nothing of ours, and what the operator wants.
func (w *world) checkThrottles(p *Progress) {
	for topic, l := range w.lists {
		if len(l.Leader.Entries)+len(l.Follower.Entries) > 0 && len(p.Leftovers) == 0 {
			w.fail("topic %s is still throttled: %v %v", topic, l.Leader, l.Follower)
		}
	}
	for b, r := range w.rates {
		named := slices.Contains(p.Leftovers, fmt.Sprintf("replication throttle of broker %d", b))
		want := w.wants[b]
		same := rateText(r.Leader) == rateText(want.Leader) && rateText(r.Follower) == rateText(want.Follower)
		if !same && !named {
			w.fail("broker %d has rates %s, %s and not the operator's", b, rateText(r.Leader), rateText(r.Follower))
		}
	}
}
