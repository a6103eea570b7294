package sim

import (
	"errors"
	"time"
)

// Op names a call of a Client.
type Op string

// The calls that faults can meet.
const (
	OpLook         Op = "look"
	OpSubmit       Op = "submit"
	OpElect        Op = "elect"
	OpCancel       Op = "cancel"
	OpThrottles    Op = "throttles"
	OpSetThrottles Op = "set throttles"
	OpRead         Op = "read"
	OpHealth       Op = "health"
	OpSave         Op = "save"
	OpLoad         Op = "load"
)

// Call is one call of a Client, as Faults sees it just before it is sent.
type Call struct {
	Number int // 0 for the first call of any client of the cluster; with the seed it names a place in a schedule
	Client int // which client, from 0 in the order in which they were made
	Op     Op
	Items  int // partitions, targets or changes that the call names
	Key    string
	At     time.Time // virtual
}

// Effect is what happens to one call. The zero Effect is a call that works.
//
// In order: Delay passes; the call is done, unless Drop or Deny keeps it away, and a second time with Repeat; Linger
// passes; the answer arrives, unless Drop or Lose withholds it or Crash ends the client.
type Effect struct {
	Delay  time.Duration // virtual time before the call arrives
	Drop   bool          // it never arrives: ErrLost, nothing is done
	Deny   bool          // it arrives and the user lacks the permission: nothing is done
	Repeat bool          // it arrives twice, as when a broker forwards it again
	Linger time.Duration // virtual time before the answer
	Lose   bool          // it is done and the answer never arrives: ErrLost
	Crash  bool          // the client is gone: this call and all later ones answer ErrCrashed and the latter do nothing

	// Skip picks items of the call that are not done, Blur items that are; both come back as CodeUnknown.
	Skip, Blur func(item int) bool
}

// Faults decides what happens to a call. It is called without any lock, in the order of the calls, and may call any
// method of the Cluster: kill a broker, delete a topic, let time pass, act as another tool. nil is no faults.
type Faults func(Call) Effect

// Errors of a Client. Each means that the outcome of the call is not known.
var (
	// ErrLost is a request or an answer that did not arrive.
	ErrLost = errors.New("no answer: the connection was lost")
	// ErrCrashed is the end of a client. The next incarnation of the program is a new Client.
	ErrCrashed = errors.New("this client has crashed: make a new one")
	// ErrNoController is a cluster without an active controller.
	ErrNoController = errors.New("no active controller answers: start it or wait")
	// ErrNoBroker is a cluster without a broker that answers.
	ErrNoBroker = errors.New("no broker answers: start one or wait")
	// ErrDenied is a call that a permission is missing for.
	ErrDenied = errors.New("the user may not do this: grant the permission")
)
