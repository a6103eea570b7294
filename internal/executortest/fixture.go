package executortest

import (
	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

// Fixture is a cluster to test on and the ways to prepare it. The first five fields are needed; the others open
// further cases. Functions that prepare are called from the test's goroutine and return what went wrong.
type Fixture struct {
	Executor reassign.Executor
	// Brokers are all brokers of the cluster, sorted. All are up, and there are at least four.
	Brokers []int32
	// CreateTopic creates a topic with one list of replicas for each partition, all of one length. It need not wait.
	CreateTopic func(name string, assignment [][]int32) error
	// Fill writes about as many bytes into a partition and waits until all replicas have them.
	Fill func(tp balance.TopicPartition, bytes int64) error
	// Wait lets time pass until done is true, and reports whether it became so within the patience of the fixture.
	Wait func(done func() bool) bool

	// DeleteTopic deletes a topic. With it every case deletes its topics in the end.
	DeleteTopic func(name string) error
	// Hold keeps moves of a topic that holds a few megabytes from completing until release is called, without a
	// change of what Throttles reports of other topics. release may be called twice.
	Hold func(topic string) (release func(), err error)
	// Kill ends a broker without warning and Start starts it again; neither needs to wait.
	Kill, Start func(broker int32) error
	// Reassign submits a reassignment as another tool.
	Reassign func(tp balance.TopicPartition, replicas []int32) error
	// SetLists sets both lists of throttled replicas of a topic as another tool: "*" or "0:1,0:2".
	SetLists func(topic, leader, follower string) error
}

// Case is one promise of the contract.
type Case struct {
	Name  string
	Needs func(Fixture) bool // nil: nothing beyond the required fields
	Run   func(T, Fixture)
}

func holds(f Fixture) bool   { return f.Hold != nil }
func kills(f Fixture) bool   { return f.Kill != nil && f.Start != nil }
func foreign(f Fixture) bool { return f.Hold != nil && f.Reassign != nil }
func deletes(f Fixture) bool { return f.Hold != nil && f.DeleteTopic != nil }
func lists(f Fixture) bool   { return f.SetLists != nil }

// Cases returns all cases, in the order in which Run takes them.
func Cases() []Case {
	return []Case{
		{"look shows a partition as it is", nil, lookShows},
		{"look names what does not exist", nil, lookMisses},
		{"look measures every replica", nil, lookMeasures},
		{"look shows a move under way", holds, lookMoving},
		{"a move completes by itself", nil, moveCompletes},
		{"submitting again changes nothing", holds, submitRepeats},
		{"submitting touches what it names alone", holds, submitSpares},
		{"each refusal is of its own partition", nil, submitRefuses},
		{"many partitions in one call", nil, submitMany},
		{"a reorder needs an election to lead", nil, reorderElects},
		{"electing needs a partition", nil, electMisses},
		{"a cancel drops the adding replicas", holds, cancelDrops},
		{"a cancel without a move says so", nil, cancelNothing},
		{"the originals roll back in their order", holds, originalsRollBack},
		{"moves of others are foreign", foreign, foreignListed},
		{"a deleted topic is missing and a new one is another", deletes, deletedMissing},
		{"rates are set one by one and removed", nil, ratesKept},
		{"lists are edited entry by entry", nil, listsEdited},
		{"throttle changes are independent", nil, changesIndependent},
		{"another tool's entries survive ours", lists, listsRestored},
		{"a list of everything is never edited", lists, wildcardKept},
		{"empty calls do nothing", nil, emptyCalls},
		{"an ended context is an error", nil, endedContext},
		{"a dead broker is not alive and answers nothing", kills, deadBroker},
	}
}
