package reassign

import "fmt"

// State says how far one move, or a whole execution, is (row EXE-04).
type State uint8

// The states. The last four are final.
const (
	Pending   State = iota // waits for capacity or for what is in its way
	Active                 // Kafka works on it, or on an earlier step of it
	Completed              // replicas and leader are as planned
	Failed                 // it cannot be done; the reason says why
	Cancelled              // stopped on request
	TimedOut               // took too long and was moved back
)

var stateNames = [...]string{"pending", "active", "completed", "failed", "cancelled", "timed_out"}

// transitions is the whole life of a move: row is the state it is in, column the state it may go to.
var transitions = [len(stateNames)][len(stateNames)]bool{
	//           pending active completed failed cancelled timed_out
	Pending:   {false, true, true, true, true, false},
	Active:    {false, false, true, true, true, true},
	Completed: {},
	Failed:    {},
	Cancelled: {},
	TimedOut:  {},
}

// CanBecome reports whether a move in state s may go to state next.
func (s State) CanBecome(next State) bool {
	return int(s) < len(stateNames) && int(next) < len(stateNames) && transitions[s][next]
}

// Ended reports whether the state is final.
func (s State) Ended() bool { return s >= Completed }

// String returns the name used in records and over REST and MCP, for example "timed_out".
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return fmt.Sprintf("state(%d)", uint8(s))
}

// MarshalText writes the name of the state.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a name written by MarshalText.
func (s *State) UnmarshalText(text []byte) error {
	for i, name := range stateNames {
		if name == string(text) {
			*s = State(i)
			return nil
		}
	}
	return fmt.Errorf("unknown state %q: use one of %v", text, stateNames)
}
