package maintenance

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/kafka-pilot/pilot/balance"
)

// Phase says how far a broker's maintenance is. A broker without a phase is Online.
type Phase string

const (
	// Online is the phase of every broker that is not in maintenance.
	Online Phase = "online"
	// Draining means that replicas are being moved off the broker.
	Draining Phase = "draining"
	// InMaintenance means that the broker was empty when its drain ended, and can be stopped.
	InMaintenance Phase = "maintenance"
)

// State is which brokers are in maintenance, draining ones included. It is a value: its methods return a new State and
// change none. Its JSON is the record that survives restarts; the zero State has no broker.
type State struct {
	entries []entry // sorted by broker
}

// entry is one broker that is not online.
type entry struct {
	Broker int32     `json:"broker"`
	Phase  Phase     `json:"phase"`
	Since  time.Time `json:"since"` // when the phase began
}

// event is what changes a broker's phase.
type event uint8

const (
	enter event = iota
	drained
	exit
)

// transitions has, for each phase and event, the phase that follows; a pair that is missing is refused. Entering again
// drains again, since a broker in maintenance gets replicas of topics that are created meanwhile.
var transitions = map[Phase]map[event]Phase{
	Online:        {enter: Draining},
	Draining:      {enter: Draining, drained: InMaintenance, exit: Online},
	InMaintenance: {enter: Draining, drained: InMaintenance, exit: Online},
}

// Enter marks a broker as draining from at on. A broker that drains already stays as it is.
func (s State) Enter(broker int32, at time.Time) State {
	next, _ := s.apply(broker, enter, at) // every phase allows it
	return next
}

// Drained marks a draining broker as empty since at. A broker that is online is refused with a *Refused.
func (s State) Drained(broker int32, at time.Time) (State, error) {
	return s.apply(broker, drained, at)
}

// Exit marks a broker as online again. One that is online is refused with a *Refused. No partition moves by that.
func (s State) Exit(broker int32) (State, error) { return s.apply(broker, exit, time.Time{}) }

func (s State) apply(broker int32, e event, at time.Time) (State, error) {
	phase := s.Phase(broker)
	to, allowed := transitions[phase][e]
	switch {
	case !allowed:
		return s, &Refused{Code: NotInMaintenance, Message: notInMaintenance(broker)}
	case to == phase:
		return s, nil
	}
	i, found := s.find(broker)
	next := State{slices.Clone(s.entries)}
	if found {
		next.entries = slices.Delete(next.entries, i, i+1)
	}
	if to != Online {
		next.entries = slices.Insert(next.entries, i, entry{broker, to, at.UTC()})
	}
	return next, nil
}

func (s State) find(broker int32) (int, bool) {
	return slices.BinarySearchFunc(s.entries, broker, func(e entry, id int32) int { return cmp.Compare(e.Broker, id) })
}

// Phase returns the phase of a broker.
func (s State) Phase(broker int32) Phase {
	if i, found := s.find(broker); found {
		return s.entries[i].Phase
	}
	return Online
}

// Brokers returns the brokers that are in maintenance or draining, sorted.
func (s State) Brokers() []int32 {
	ids := []int32{}
	for _, e := range s.entries {
		ids = append(ids, e.Broker)
	}
	return ids
}

// Overlay returns c with the brokers of the state put into maintenance, also those that are down: a broker that is
// drained on purpose does not pause balancing. Brokers that c does not have are ignored. c is not changed; the result
// shares its topics and partitions.
func Overlay(c *balance.Cluster, s State) *balance.Cluster {
	out := *c
	out.Brokers = slices.Clone(c.Brokers)
	for i := range out.Brokers {
		if s.Phase(out.Brokers[i].ID) != Online {
			out.Brokers[i].State = balance.Maintenance
		}
	}
	return &out
}

// recordVersion is the version of the record that this package writes and the only one that it reads.
const recordVersion = 1

type record struct {
	Version int     `json:"version"`
	Brokers []entry `json:"brokers"`
}

// MarshalJSON writes the record.
func (s State) MarshalJSON() ([]byte, error) {
	return json.Marshal(record{recordVersion, append([]entry{}, s.entries...)})
}

// UnmarshalJSON reads a record. It refuses one of another version, and one that no State writes, rather than to forget
// a broker that was taken out of service.
func (s *State) UnmarshalJSON(data []byte) error {
	var head struct{ Version int }
	if err := json.Unmarshal(data, &head); err != nil {
		return fmt.Errorf("maintenance record: %w", err)
	}
	if head.Version != recordVersion {
		return fmt.Errorf("maintenance record: version %d is not known, only %d: start the program that wrote it", head.Version, recordVersion)
	}
	var r record
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return fmt.Errorf("maintenance record: %w", err)
	}
	slices.SortFunc(r.Brokers, func(a, b entry) int { return cmp.Compare(a.Broker, b.Broker) })
	for i, e := range r.Brokers {
		switch {
		case e.Broker < 0:
			return fmt.Errorf("maintenance record: broker %d: IDs are not negative", e.Broker)
		case i > 0 && r.Brokers[i-1].Broker == e.Broker:
			return fmt.Errorf("maintenance record: broker %d is listed twice", e.Broker)
		case e.Phase != Draining && e.Phase != InMaintenance:
			return fmt.Errorf("maintenance record: broker %d has the unknown phase %q: use draining or maintenance", e.Broker, e.Phase)
		}
	}
	s.entries = r.Brokers
	return nil
}
