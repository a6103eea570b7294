package reassign

import (
	"context"
	"errors"
	"time"

	"github.com/kafka-pilot/pilot/balance"
)

// Executor is what an execution needs of a cluster. The Kafka adapter and the simulator implement it; both pass the
// same conformance suite.
//
// One Run calls it from one goroutine at a time. Every call may be repeated: a call whose answer was lost is sent
// again unchanged, so each must be idempotent. A returned error means that the outcome of the whole call is unknown;
// what was refused for one partition is in that partition's Outcome. All numbers are bytes or bytes per second.
type Executor interface {
	// Look reads the partitions of q afresh, never from a cache, and names what else is being reassigned. Without any
	// partition it still tells which brokers are alive.
	Look(ctx context.Context, q Query) (View, error)
	// Submit starts the reassignments given. Partitions that are not named are not touched. Submitting a target that
	// is already under way or reached changes nothing and is OK. A target may also be what a partition in flight started
	// from, which takes it back.
	Submit(ctx context.Context, targets []Target) ([]Outcome, error)
	// Elect makes the first replica of each partition its leader where that replica is in sync. A partition whose
	// first replica leads already is OK.
	Elect(ctx context.Context, partitions []balance.TopicPartition) ([]Outcome, error)
	// Cancel ends the reassignments of the partitions given, which drops adding replicas. Kafka does not restore the
	// order of the replicas: the caller does. CodeNothingInFlight when there is none.
	Cancel(ctx context.Context, partitions []balance.TopicPartition) ([]Outcome, error)
	// Throttles reads the replication throttles of the brokers and topics given, as set on these resources
	// themselves: static and default values are not reported.
	Throttles(ctx context.Context, brokers []int32, topics []string) (Throttles, error)
	// SetThrottles makes the changes given. Changes of different resources are independent of each other; the
	// outcomes are in the order of the changes. There is one change at most for each resource. Adding an entry that is
	// there and dropping one that is not changes nothing and is OK; editing a list that is "*" is CodeInvalid.
	SetThrottles(ctx context.Context, changes []ThrottleChange) ([]ThrottleOutcome, error)
}

// Query says what Look reads.
type Query struct {
	Partitions []balance.TopicPartition // sorted
	Sizes      bool                     // also the bytes of every replica, which costs a request per broker
}

// View is one look at the cluster.
type View struct {
	At         time.Time
	Partitions []Live                   // those asked about that exist, sorted
	Missing    []balance.TopicPartition // those asked about that do not exist, sorted
	Foreign    []balance.TopicPartition // reassignments in flight that were not asked about, sorted
	Alive      []int32                  // brokers that are registered and not fenced, sorted
}

// Live is a partition as the cluster has it now.
type Live struct {
	balance.TopicPartition
	TopicID  string  // Kafka's topic UUID, "" when unknown
	Leader   int32   // -1 is none
	Replicas []int32 // in flight: the target in order, then those being removed
	Adding   []int32
	Removing []int32
	ISR      []int32
	MinISR   int32         // effective min.insync.replicas, 0 when unknown
	Sizes    []ReplicaSize // with Query.Sizes: what is known, sorted by broker
}

// InFlight reports whether a reassignment of the partition is under way.
func (l *Live) InFlight() bool { return len(l.Adding) > 0 || len(l.Removing) > 0 }

// ReplicaSize is the bytes that one broker holds of a partition.
type ReplicaSize struct {
	Broker int32
	Bytes  int64
}

// Target is where a partition shall be.
type Target struct {
	balance.TopicPartition
	Replicas []int32 // whole list, in order; never empty
}

// Code is the outcome of a call for one partition or resource.
type Code uint8

const (
	// CodeOK means done or, for a reassignment, accepted.
	CodeOK Code = iota
	// CodeUnknown means that the cluster did not say: look, then repeat.
	CodeUnknown
	// CodeMissing means that the topic or partition does not exist.
	CodeMissing
	// CodeInvalid means that the cluster refused the request as wrong, for example an unregistered broker.
	CodeInvalid
	// CodeNothingInFlight is Cancel's answer for a partition that is not being reassigned.
	CodeNothingInFlight
	// CodeNotInSync is Elect's answer for a first replica that is down or out of the ISR.
	CodeNotInSync
	// CodeDenied means that the user lacks a permission.
	CodeDenied
	// CodeUnreachable means that the broker that would have to answer is down.
	CodeUnreachable
)

// Outcome is what a call did to one partition.
type Outcome struct {
	balance.TopicPartition
	Code    Code
	Message string // one line, for people; "" when there is nothing to add
}

// ThrottleEntry is one element of a topic's list of throttled replicas.
type ThrottleEntry struct {
	Partition int32
	Broker    int32
}

// Throttles are the replication throttles found. A nil rate or list is not set.
type Throttles struct {
	Brokers []BrokerThrottle // those asked about that answered, sorted
	Topics  []TopicThrottle  // those asked about that exist, sorted
}

// BrokerThrottle holds the two dynamic rates of a broker in bytes per second; nil is not set.
type BrokerThrottle struct {
	Broker   int32
	Leader   *int64
	Follower *int64
}

// TopicThrottle holds the two lists of a topic.
type TopicThrottle struct {
	Topic    string
	Leader   ThrottleList
	Follower ThrottleList
}

// ThrottleList is one list of throttled replicas.
type ThrottleList struct {
	Set     bool // the config is set, be it empty
	All     bool // it is "*": every replica. Never ours, never edited
	Entries []ThrottleEntry
}

// ThrottleChange changes the throttles of one resource: of Broker when Topic is "", else of the topic.
type ThrottleChange struct {
	Broker int32
	Topic  string

	// Rates of a broker: nil leaves a rate as it is, a negative value removes it.
	LeaderRate   *int64
	FollowerRate *int64

	// Lists of a topic: entries to add and to take away. A list that becomes empty is removed whole.
	AddLeader, DropLeader     []ThrottleEntry
	AddFollower, DropFollower []ThrottleEntry
}

// ThrottleOutcome is what SetThrottles did for one change.
type ThrottleOutcome struct {
	Code    Code
	Message string
}

// Journal keeps the record of an execution where a crash cannot lose it. Kafka's state topic and a map implement it.
// It is called by one Run at a time.
type Journal interface {
	// Save stores value under key; nil deletes. When it returns nil the value survives a crash. ErrFenced means that
	// another instance has taken over: stop, and change nothing more.
	Save(ctx context.Context, key string, value []byte) error
	// Load returns every value stored, by key.
	Load(ctx context.Context) (map[string][]byte, error)
}

// ErrFenced is what a Journal answers once another instance has taken it over.
var ErrFenced = errors.New("another instance has taken over this cluster's journal: stop here")
