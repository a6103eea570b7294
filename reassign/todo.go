package reassign

import (
	"time"

	"github.com/kafka-pilot/pilot/balance"
)

// Todo is what the host of an Execution does next: save, then wait, then make the one call that is set, if any, and
// report its answer to the next Step. Run is such a host.
//
// Save comes first because it holds the intent of the call: whoever finds the record after a crash knows what may
// have been changed. When saving fails, the call is not made.
type Todo struct {
	Save []Entry       // in this order
	Wait time.Duration // may be cut short, by Execution.Cancel for example

	Look         *Query
	Throttles    *ThrottleQuery
	SetThrottles []ThrottleChange
	Submit       []Target
	Elect        []balance.TopicPartition
	Cancel       []balance.TopicPartition

	Done bool // nothing is left to do after Save

	purpose purpose // of SetThrottles
}

// Entry is one value for the Journal; a nil Value deletes the key.
type Entry struct {
	Key   string
	Value []byte
}

// ThrottleQuery names the resources whose throttles are read, both sorted.
type ThrottleQuery struct {
	Brokers []int32
	Topics  []string

	purpose purpose
}

// Seen is what the host learnt from the latest Todo. The zero Seen means that nothing of it was done: the next Todo
// asks again.
type Seen struct {
	Saved     bool              // everything in Save is stored
	View      *View             // answer to Look
	Throttles *Throttles        // answer to Throttles
	Changes   []ThrottleOutcome // answer to SetThrottles
	Outcomes  []Outcome         // answer to Submit, Elect or Cancel
	Err       error             // the call was made and failed: what it did is unknown
}

// changes reports whether the Todo holds a call that changes the cluster.
func (t *Todo) changes() bool {
	return len(t.SetThrottles)+len(t.Submit)+len(t.Elect)+len(t.Cancel) > 0
}
