package reassign

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kafka-pilot/pilot/balance"
)

// fake is the least cluster that an execution can be tried on: KIP-455 reassignments, copying at a steady speed,
// throttles that are remembered and bind nobody, and faults on demand. Time is virtual.
type fake struct {
	now     time.Time
	alive   map[int32]bool
	parts   []*fakePart // sorted
	rates   map[int32]*BrokerThrottle
	lists   map[string]*TopicThrottle
	journal map[string][]byte
	speed   int64                     // bytes per second of each copy
	fault   func(call string) faultAt // nil: none
	watch   func(names []balance.TopicPartition)
	refuse  func(c ThrottleChange) Code
	code    func(call string, tp balance.TopicPartition) Code // not CodeOK: the answer, and nothing is done
	calls   int
	last    faultAt
}

// faultAt says what becomes of a call.
type faultAt uint8

const (
	works faultAt = iota
	lost          // it never arrives
	mute          // it is done and the answer is lost
	vague         // it is done and every outcome is CodeUnknown
	crash         // the program dies after the call was done
)

var errLost = errors.New("connection lost")

type fakePart struct {
	name     balance.TopicPartition
	id       string
	bytes    int64
	minISR   int32
	leader   int32
	replicas []int32
	adding   []int32
	removing []int32
	isr      []int32
	lagging  []int32 // alive and never catching up
	has      map[int32]int64
}

func newFake(brokers ...int32) *fake {
	f := &fake{
		now: time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC), alive: map[int32]bool{}, speed: 1_000_000,
		rates: map[int32]*BrokerThrottle{}, lists: map[string]*TopicThrottle{}, journal: map[string][]byte{},
	}
	for _, b := range brokers {
		f.alive[b] = true
		f.rates[b] = &BrokerThrottle{Broker: b}
	}
	return f
}

func (f *fake) add(topic string, partition int32, bytes int64, replicas ...int32) *fakePart {
	p := &fakePart{
		name: balance.TopicPartition{Topic: topic, Partition: partition}, id: "id-" + topic, bytes: bytes,
		leader: replicas[0], replicas: replicas, isr: slices.Clone(replicas), has: map[int32]int64{},
	}
	for _, b := range replicas {
		p.has[b] = bytes
	}
	if f.lists[topic] == nil {
		f.lists[topic] = &TopicThrottle{Topic: topic}
	}
	i, _ := slices.BinarySearchFunc(f.parts, p.name, func(p *fakePart, n balance.TopicPartition) int { return p.name.Compare(n) })
	f.parts = slices.Insert(f.parts, i, p)
	return p
}

func (f *fake) part(tp balance.TopicPartition) *fakePart {
	for _, p := range f.parts {
		if p.name == tp {
			return p
		}
	}
	return nil
}

func (f *fake) deleteTopic(topic string) {
	f.parts = slices.DeleteFunc(f.parts, func(p *fakePart) bool { return p.name.Topic == topic })
	delete(f.lists, topic)
}

func (f *fake) kill(b int32) {
	f.alive[b] = false
	for _, p := range f.parts {
		if slices.Contains(p.isr, b) && len(p.isr) > 1 {
			p.isr = without(p.isr, []int32{b})
		}
		if p.leader == b {
			p.leader = -1
			p.lead()
			if !f.alive[p.leader] {
				p.leader = -1
			}
		}
	}
}

func (p *fakePart) lead() {
	for _, b := range p.replicas {
		if slices.Contains(p.isr, b) {
			p.leader = b
			return
		}
	}
}

// pass lets time pass in steps of a second.
func (f *fake) pass(d time.Duration) {
	for ; d > 0; d -= time.Second {
		span := min(d, time.Second)
		f.now = f.now.Add(span)
		for _, p := range f.parts {
			f.copy(p, span)
			f.settle(p)
		}
	}
}

func (f *fake) copy(p *fakePart, span time.Duration) {
	if p.leader < 0 && len(p.isr) > 0 && f.alive[p.isr[0]] {
		p.leader = p.isr[0]
	}
	for _, b := range without(p.replicas, p.isr) {
		if !f.alive[b] || !f.alive[p.leader] || slices.Contains(p.lagging, b) {
			continue
		}
		if p.has[b] += f.speed * int64(span) / int64(time.Second); p.has[b] >= p.bytes {
			p.has[b] = p.bytes
			p.isr = append(p.isr, b)
		}
	}
}

// settle completes a reassignment whose whole target is in sync.
func (f *fake) settle(p *fakePart) {
	target := without(p.replicas, p.removing)
	if len(p.adding)+len(p.removing) == 0 || len(without(target, without(p.isr, p.removing))) > 0 {
		return
	}
	p.become(target)
}

func (p *fakePart) become(replicas []int32) {
	for _, b := range without(p.replicas, replicas) {
		delete(p.has, b)
	}
	p.replicas, p.adding, p.removing = replicas, nil, nil
	p.isr = without(p.isr, without(p.isr, replicas))
	if !slices.Contains(replicas, p.leader) {
		p.lead()
	}
}

func (f *fake) alter(p *fakePart, target []int32) {
	adding, removing := without(target, p.replicas), without(p.replicas, target)
	slices.Sort(removing)
	if len(adding) > 0 {
		p.adding = adding
	}
	if len(removing) > 0 {
		p.removing = removing
	}
	p.replicas = append(slices.Clone(target), removing...)
	f.settle(p)
}

func (f *fake) call(name string, act func()) error {
	f.calls++
	fault := works
	if f.fault != nil {
		fault = f.fault(name)
	}
	f.last = fault
	if fault == lost {
		return errLost
	}
	act()
	if fault == mute || fault == crash {
		return errLost
	}
	return nil
}

func (f *fake) Look(_ context.Context, q Query) (v View, err error) {
	err = f.call("look", func() {
		v.At = f.now
		for _, b := range slices.Sorted(maps.Keys(f.alive)) {
			if f.alive[b] {
				v.Alive = append(v.Alive, b)
			}
		}
		for _, tp := range q.Partitions {
			if p := f.part(tp); p != nil {
				v.Partitions = append(v.Partitions, p.live(q.Sizes))
			} else {
				v.Missing = append(v.Missing, tp)
			}
		}
		for _, p := range f.parts {
			if len(p.adding)+len(p.removing) > 0 && !slices.Contains(q.Partitions, p.name) {
				v.Foreign = append(v.Foreign, p.name)
			}
		}
	})
	return v, err
}

func (p *fakePart) live(sizes bool) Live {
	l := Live{
		TopicPartition: p.name, TopicID: p.id, Leader: p.leader, Replicas: slices.Clone(p.replicas), Adding: slices.Clone(p.adding),
		Removing: slices.Clone(p.removing), ISR: slices.Clone(p.isr), MinISR: p.minISR,
	}
	if sizes {
		for _, b := range slices.Sorted(maps.Keys(p.has)) {
			l.Sizes = append(l.Sizes, ReplicaSize{b, p.has[b]})
		}
	}
	return l
}

// each answers for every partition, with an act that may be refused.
func (f *fake) each(call string, names []balance.TopicPartition, act func(i int, p *fakePart) Code) ([]Outcome, error) {
	var outcomes []Outcome
	unclear := false
	err := f.call(call, func() {
		unclear = f.last == vague
		if f.watch != nil {
			f.watch(names)
		}
		for i, tp := range names {
			code := CodeMissing
			if p := f.part(tp); p != nil {
				code = f.answer(call, tp)
				if code == CodeOK {
					code = act(i, p)
				}
			}
			if unclear {
				code = CodeUnknown
			}
			outcomes = append(outcomes, Outcome{TopicPartition: tp, Code: code})
		}
	})
	return outcomes, err
}

func (f *fake) answer(call string, tp balance.TopicPartition) Code {
	if f.code == nil {
		return CodeOK
	}
	return f.code(call, tp)
}

func (f *fake) Submit(_ context.Context, targets []Target) ([]Outcome, error) {
	var names []balance.TopicPartition
	for _, t := range targets {
		names = append(names, t.TopicPartition)
	}
	return f.each("submit", names, func(i int, p *fakePart) Code {
		for _, b := range targets[i].Replicas {
			if _, registered := f.alive[b]; !registered {
				return CodeInvalid
			}
		}
		f.alter(p, targets[i].Replicas)
		return CodeOK
	})
}

func (f *fake) Elect(_ context.Context, names []balance.TopicPartition) ([]Outcome, error) {
	return f.each("elect", names, func(_ int, p *fakePart) Code {
		first := p.replicas[0]
		if !slices.Contains(p.isr, first) || !f.alive[first] {
			return CodeNotInSync
		}
		p.leader = first
		return CodeOK
	})
}

func (f *fake) Cancel(_ context.Context, names []balance.TopicPartition) ([]Outcome, error) {
	return f.each("cancel", names, func(_ int, p *fakePart) Code {
		if len(p.adding)+len(p.removing) == 0 {
			return CodeNothingInFlight
		}
		if len(without(p.isr, p.adding)) == 0 {
			return CodeInvalid
		}
		p.become(without(p.replicas, p.adding))
		return CodeOK
	})
}

func (f *fake) Throttles(_ context.Context, brokers []int32, topics []string) (t Throttles, err error) {
	err = f.call("throttles", func() {
		for _, b := range brokers {
			if f.alive[b] {
				r := f.rates[b]
				t.Brokers = append(t.Brokers, BrokerThrottle{b, clone(r.Leader), clone(r.Follower)})
			}
		}
		for _, name := range topics {
			if l := f.lists[name]; l != nil {
				t.Topics = append(t.Topics, TopicThrottle{name, l.Leader.copied(), l.Follower.copied()})
			}
		}
	})
	return t, err
}

func (l ThrottleList) copied() ThrottleList {
	return ThrottleList{l.Set, l.All, slices.Clone(l.Entries)}
}

func (f *fake) SetThrottles(_ context.Context, changes []ThrottleChange) ([]ThrottleOutcome, error) {
	var outcomes []ThrottleOutcome
	err := f.call("set throttles", func() {
		for _, c := range changes {
			outcomes = append(outcomes, ThrottleOutcome{Code: f.set(c)})
		}
	})
	return outcomes, err
}

func (f *fake) set(c ThrottleChange) Code {
	if f.refuse != nil {
		if code := f.refuse(c); code != CodeOK {
			return code
		}
	}
	if c.Topic == "" {
		if !f.alive[c.Broker] {
			return CodeUnreachable
		}
		setRate(&f.rates[c.Broker].Leader, c.LeaderRate)
		setRate(&f.rates[c.Broker].Follower, c.FollowerRate)
		return CodeOK
	}
	l := f.lists[c.Topic]
	switch {
	case l == nil:
		return CodeMissing
	case l.Leader.All && len(c.AddLeader)+len(c.DropLeader) > 0, l.Follower.All && len(c.AddFollower)+len(c.DropFollower) > 0:
		return CodeInvalid
	}
	l.Leader.edit(c.AddLeader, c.DropLeader)
	l.Follower.edit(c.AddFollower, c.DropFollower)
	return CodeOK
}

func setRate(have **int64, want *int64) {
	if want != nil {
		if *have = clone(want); *want < 0 {
			*have = nil
		}
	}
}

func (l *ThrottleList) edit(add, drop []ThrottleEntry) {
	for _, e := range add {
		if !slices.Contains(l.Entries, e) {
			l.Entries = append(l.Entries, e)
		}
	}
	l.Entries = slices.DeleteFunc(l.Entries, func(e ThrottleEntry) bool { return slices.Contains(drop, e) })
	slices.SortFunc(l.Entries, func(a, b ThrottleEntry) int {
		return int(a.Partition-b.Partition)*1000 + int(a.Broker-b.Broker)
	})
	l.Set = l.All || len(l.Entries) > 0
}

func (l ThrottleList) String() string {
	if l.All {
		return "*"
	}
	var parts []string
	for _, e := range l.Entries {
		parts = append(parts, fmt.Sprintf("%d:%d", e.Partition, e.Broker))
	}
	return strings.Join(parts, ",")
}

func (f *fake) Save(_ context.Context, key string, value []byte) error {
	return f.call("save", func() {
		if value == nil {
			delete(f.journal, key)
		} else {
			f.journal[key] = slices.Clone(value)
		}
	})
}

func (f *fake) Load(context.Context) (map[string][]byte, error) { return maps.Clone(f.journal), nil }
