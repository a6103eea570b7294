package maintenance

import "fmt"

// Refused says why a broker cannot be drained, or a change of its maintenance state not be made.
type Refused struct {
	Code        string    `json:"code"` // stable, for programs
	Message     string    `json:"message"`
	Overridable bool      `json:"overridable"`          // Force would pass it
	Partitions  []Blocked `json:"partitions,omitempty"` // those in the way, sorted
}

// Codes of a Refused. They never change their meaning.
const (
	UnknownBroker    = "unknown_broker"
	LastBroker       = "last_broker"
	BelowMinISR      = "below_min_insync_replicas"
	NotInMaintenance = "not_in_maintenance"
)

// Error returns the code and the sentence.
func (r *Refused) Error() string { return fmt.Sprintf("%s: %s", r.Code, r.Message) }
