package reassign

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kafka-pilot/pilot/balance"
)

// Execution carries a list of moves out. It is a machine without I/O and without a clock: Step takes what was learnt
// and returns what to do next. Everything that must survive a crash is in the record that it asks to save; Restore
// makes an Execution of such records. It is not safe for use from several goroutines; Run owns it while it runs.
type Execution struct {
	id        string
	limits    Limits
	tasks     []task // in the order of the plan
	racks     []balance.Broker
	startedAt time.Time
	endedAt   time.Time
	cancelled bool
	settling  bool
	hollow    bool       // restored from a record that was not complete
	rates     []heldRate // sorted by broker

	finals int // moves that have ended
	index  map[balance.TopicPartition]int
	rackOf map[int32]string
	unsaved
	saving  unsaved // what the latest Todo saves
	wave    wave
	queue   queue
	cluster cluster
	upkeep  upkeep
	meter   meter
	last    Todo
}

// cluster is what the latest looks say beyond single partitions.
type cluster struct {
	seen     bool // there was a look
	fresh    bool // nothing has changed and no time has passed since the latest one
	view     *View
	failures int // looks that failed since the latest one
	alive    []int32
	foreign  []balance.TopicPartition
	pause    string // why no optional move is submitted now
	sizesAt  time.Time
}

// New makes an execution of a plan. The ID names its record: letters, digits, points, dashes and underlines. The
// reading that the plan was made from may be nil; with it, topics that were created again since are noticed and
// steps keep to the racks. An error names the move and what is wrong with it; nothing has been changed then.
func New(id string, moves []balance.Move, base *balance.Cluster, limits Limits) (*Execution, error) {
	if err := checkID(id); err != nil {
		return nil, err
	}
	if err := limits.Validate(); err != nil {
		return nil, fmt.Errorf("limits of execution %s: %w", id, err)
	}
	if err := checkMoves(moves); err != nil {
		return nil, fmt.Errorf("execution %s: %w", id, err)
	}
	e := &Execution{id: id, limits: limits.orDefaults(), tasks: make([]task, len(moves))}
	for i := range moves {
		e.tasks[i].move = moves[i]
		e.tasks[i].move.From = slices.Clone(moves[i].From)
		e.tasks[i].move.To = slices.Clone(moves[i].To)
	}
	if base != nil {
		e.takeBase(base)
	}
	e.ready()
	e.unsaved.all(len(e.tasks))
	return e, nil
}

func checkID(id string) error {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"
	if id == "" || len(id) > 100 || strings.ContainsFunc(id, func(r rune) bool { return !strings.ContainsRune(allowed, r) }) {
		return fmt.Errorf("execution ID %q: use 1 to 100 letters, digits, points, dashes and underlines", id)
	}
	return nil
}

// takeBase keeps what the reading knows and the moves do not say.
func (e *Execution) takeBase(base *balance.Cluster) {
	ids := make(map[string]string, len(base.Topics))
	for i := range base.Topics {
		ids[base.Topics[i].Name] = base.Topics[i].ID
	}
	for i := range e.tasks {
		e.tasks[i].topicID = ids[e.tasks[i].move.Topic]
	}
	for _, b := range base.Brokers {
		if b.Rack != "" {
			e.racks = append(e.racks, balance.Broker{ID: b.ID, Rack: b.Rack})
		}
	}
}

// ready fills what is derived from the recorded fields.
func (e *Execution) ready() {
	e.index = make(map[balance.TopicPartition]int, len(e.tasks))
	for i := range e.tasks {
		t := &e.tasks[i]
		t.adds, t.drops = without(t.move.To, t.move.From), without(t.move.From, t.move.To)
		e.index[t.move.Name()] = i
	}
	e.rackOf = make(map[int32]string, len(e.racks))
	for _, b := range e.racks {
		e.rackOf[b.ID] = b.Rack
	}
}

// ID returns the name given to New.
func (e *Execution) ID() string { return e.id }

// Cancel stops the execution: what is not submitted is dropped, what is in flight is moved back, what is completed
// stays. It takes effect at the next Step; calling it again or after the end changes nothing. While Run runs, close
// RunOptions.Cancel instead.
func (e *Execution) Cancel() {
	if e.cancelled || !e.endedAt.IsZero() {
		return
	}
	e.cancelled = true
	e.stop("cancelled before it was submitted")
}

// Settle ends a restored execution early: moves in flight are waited for, the others end as cancelled. It is for
// programs that do not take an execution up again after a restart.
func (e *Execution) Settle() {
	if e.settling || e.cancelled || !e.endedAt.IsZero() {
		return
	}
	e.settling = true
	e.stop(notStarted)
}

const notStarted = "not started before the program ended"

// stop ends what is not in flight.
func (e *Execution) stop(reason string) {
	e.head = true
	e.wave = wave{}
	for i := range e.tasks {
		t := &e.tasks[i]
		switch {
		case t.state == Pending:
			e.end(i, Cancelled, reason)
		case t.state == Active && t.phase == resting:
			e.end(i, Cancelled, "stopped after a step of several: the replicas are "+listText(t.want))
		case t.phase == moving:
			t.need = needNothing // the next look tells whether it was submitted
		}
	}
}

// Step takes what the host learnt from the latest Todo and returns the next one. Times must not go backwards.
func (e *Execution) Step(now time.Time, seen Seen) Todo {
	if e.startedAt.IsZero() {
		e.startedAt = now
		e.upkeep.checkAt = now.Add(checkEvery)
	}
	e.absorb(now, seen)
	todo := e.next(now)
	if todo.changes() || todo.Done || todo.Wait > 0 {
		todo.Save = e.entries(todo.Done)
	}
	if todo.Wait > 0 {
		e.cluster.fresh = false
	}
	e.last = todo
	return todo
}

// next finds the first thing to do, in the order that keeps the cluster safe: throttles before the moves they are
// for, moves before what waits for them, tidying before new work.
func (e *Execution) next(now time.Time) Todo {
	for _, find := range []func(time.Time) (Todo, bool){
		e.ended, e.firstLook, e.readThrottles, e.setThrottles, e.submit, e.elect, e.cancelMoves,
		e.dropThrottles, e.restoreRates, e.nextWave, e.finish,
	} {
		if todo, ok := find(now); ok {
			return todo
		}
	}
	return e.poll(now)
}

func (e *Execution) ended(time.Time) (Todo, bool) { return Todo{Done: true}, !e.endedAt.IsZero() }

// firstLook reads every unfinished partition once: what is gone or known is found before anything is changed.
func (e *Execution) firstLook(now time.Time) (Todo, bool) {
	if e.cluster.seen {
		return Todo{}, false
	}
	return e.look(now, 0, func(i int) bool { return !e.tasks[i].state.Ended() }), true
}

// poll looks at what is in flight, after a while.
func (e *Execution) poll(now time.Time) Todo {
	return e.look(now, e.limits.PollEvery, func(i int) bool { return e.tasks[i].state == Active })
}

func (e *Execution) look(now time.Time, wait time.Duration, wanted func(i int) bool) Todo {
	q := &Query{}
	for i := range e.tasks {
		if wanted(i) {
			q.Partitions = append(q.Partitions, e.tasks[i].move.Name())
			q.Sizes = q.Sizes || e.tasks[i].needsThrottle() && e.tasks[i].copyBytes() > 0
		}
	}
	slices.SortFunc(q.Partitions, balance.TopicPartition.Compare)
	q.Sizes = q.Sizes && now.Sub(e.cluster.sizesAt) >= e.limits.SizesEvery
	return Todo{Wait: wait, Look: q}
}

// finish ends the execution once every move has ended and the throttles are put back, or cannot be.
func (e *Execution) finish(now time.Time) (Todo, bool) {
	if e.finals < len(e.tasks) || e.tidying() {
		return Todo{}, false
	}
	e.endedAt = now
	e.head = true
	return Todo{Done: true}, true
}

// end brings a move into a final state. It never changes one that has ended.
func (e *Execution) end(i int, s State, reason string) {
	t := &e.tasks[i]
	if !t.state.CanBecome(s) {
		return
	}
	e.finals++
	t.state, t.reason = s, reason
	t.phase, t.need = resting, needNothing
	if s == Completed {
		t.copied = t.move.CopyBytes
	} else {
		t.copied = 0
	}
	e.unsaved.move(i)
}

// isAlive reports whether a broker runs, as far as is known.
func (e *Execution) isAlive(broker int32) bool {
	_, found := slices.BinarySearch(e.cluster.alive, broker)
	return found || len(e.cluster.alive) == 0
}

func (e *Execution) firstDead(brokers []int32) (int32, bool) {
	for _, b := range brokers {
		if !e.isAlive(b) {
			return b, true
		}
	}
	return 0, false
}
