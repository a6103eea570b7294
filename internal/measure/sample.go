package measure

import "time"

// TopicID is Kafka's UUID of a topic. A topic that is created again under the same name has another one.
type TopicID [16]byte

// Key names a partition for good.
type Key struct {
	Topic     TopicID
	Partition int32
}

// Sample is what one round of questions to the brokers found. What was not answered is left out of it, and then what
// is known from before goes on to count until it is too old.
type Sample struct {
	At         time.Time           // when the round began
	Partitions []Partition         // all that exist, each once, in any order
	Sized      map[int32]time.Time // when each broker told the sizes of its replicas; brokers that did not are not in it
	Groups     []Group             // those that may be reading, each once, in any order
	AllGroups  bool                // every coordinator answered: a group that is not in Groups reads nothing
}

// Partition is what a round found of one partition.
type Partition struct {
	Key
	// Sparse says that its log does not hold every offset between start and end: it was compacted, or a part of it
	// lies in tiered storage. It is also for a log of which this is not known.
	Sparse  bool
	Offsets Offsets // the zero Offsets if its leader did not answer
	Sizes   []Size  // one for each replica that is on a broker of Sample.Sized and on no failed log directory
	Seed    Seed    // the zero Seed when nothing was looked up
}

// Offsets are the ends of a partition's log as its leader tells them.
type Offsets struct {
	At     time.Time // when the leader answered
	Leader int32     // the broker that answered
	Epoch  int32     // its leader epoch
	Start  int64     // the first offset that is kept
	End    int64     // the high watermark
}

// Size is the size of one replica on disk, its segments without their indexes.
type Size struct {
	Broker int32
	Bytes  int64
}

// Seed is what time stamps tell of the past of a partition: which record was the first at or after From.
type Seed struct {
	At       time.Time // when the leader answered
	From     time.Time // the time looked up
	Offset   int64     // of the first record at or after From, -1 when there is none
	First    time.Time // the time stamp of that record
	Last     time.Time // the latest time stamp in the log
	Appended bool      // brokers stamp the records, not producers: message.timestamp.type is LogAppendTime
}

// Group is what a coordinator told of one consumer group.
type Group struct {
	Name    string
	At      time.Time // when it answered
	Commits []Commit
}

// Commit is how far a group has read a partition.
type Commit struct {
	Key
	Offset int64 // of the next message that it will read
}

// Reads reports whether a group in this state, as Kafka names it, may be reading. Offsets of the others are of no
// interest: they stay for a week after the last reader has gone.
func Reads(state string) bool {
	switch state {
	case "Empty", "Dead":
		return false
	}
	return true
}
