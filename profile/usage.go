package profile

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Partition is what a placement makes of one partition, with rates as means over about 30 minutes.
type Partition struct {
	Leader       int32 // -1 is none
	Replicas     []int32
	SizeBytes    int64   // bytes of a replica, where ReplicaBytes does not say otherwise
	ReplicaBytes []int64 // bytes per replica in the order of Replicas; may be nil
	ProduceBytes float64 // bytes per second
	ConsumeBytes float64 // bytes per second
}

// Usage is how much of its capacity a broker uses, in percent; nil where the profile does not set the capacity.
type Usage struct {
	Broker  int32    `json:"broker"`
	Network *float64 `json:"capacityUtilization,omitempty"` // of the busier direction
	Disk    *float64 `json:"diskUtilization,omitempty"`
}

// Report is what a profile says of a placement.
type Report struct {
	Capacities []Capacity // sorted by broker
	Usages     []Usage    // sorted by broker
	Warnings   []Warning
}

// Warning is one thing that is probably a mistake in the profile.
type Warning struct {
	Code     string   // selector_without_broker, network_above_capacity or disk_above_capacity
	Message  string   // one sentence
	Subjects []string // the selectors or brokers concerned
}

// Inspect resolves the profile for the brokers and works out what the partitions use of it. Replicas on brokers that
// are not given are ignored. Give it the placement after the moves to see what a plan leads to.
func (p Profile) Inspect(brokers []Broker, partitions iter.Seq[Partition]) Report {
	r := Report{Capacities: p.Resolve(brokers)}
	r.Usages = usages(r.Capacities, partitions)
	r.Warnings = append(p.unmatched(brokers), above(r.Usages)...)
	return r
}

// SameWarnings reports whether o has nothing to tell that r did not: the same capacities, unmatched selectors and
// brokers above them. Percentages may differ.
func (r Report) SameWarnings(o Report) bool {
	return slices.Equal(r.Capacities, o.Capacities) && slices.EqualFunc(r.Warnings, o.Warnings, func(a, b Warning) bool {
		return a.Code == b.Code && slices.Equal(a.Subjects, b.Subjects)
	})
}

// traffic is what one broker receives, sends and stores.
type traffic struct{ in, out, stored float64 }

func usages(capacities []Capacity, partitions iter.Seq[Partition]) []Usage {
	all := make([]Usage, len(capacities))
	for i, t := range sum(capacities, partitions) {
		c := capacities[i]
		all[i] = Usage{c.Broker, percent(max(t.in, t.out), c.Network), percent(t.stored, c.Disk)}
	}
	return all
}

// sum adds up the traffic of the brokers, in their order.
func sum(capacities []Capacity, partitions iter.Seq[Partition]) []traffic {
	at := make(map[int32]int, len(capacities))
	for i, c := range capacities {
		at[c.Broker] = i
	}
	sums := make([]traffic, len(capacities))
	for p := range partitions {
		for i, id := range p.Replicas {
			n, known := at[id]
			if !known {
				continue
			}
			t := &sums[n]
			t.in += p.ProduceBytes
			if id == p.Leader {
				t.out += p.ConsumeBytes + float64(p.ProduceBytes*float64(len(p.Replicas)-1))
			}
			if i < len(p.ReplicaBytes) {
				t.stored += float64(p.ReplicaBytes[i])
			} else {
				t.stored += float64(p.SizeBytes)
			}
		}
	}
	return sums
}

func percent(used, capacity float64) *float64 {
	if capacity == 0 {
		return nil
	}
	p := used / capacity * 100
	return &p
}

// unmatched warns of the selectors that match no broker.
func (p Profile) unmatched(brokers []Broker) []Warning {
	var names []string
	for i := range p.rules {
		s := &p.rules[i].selector
		if name := s.String(); !slices.ContainsFunc(brokers, s.matches) && name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []Warning{{"selector_without_broker",
		fmt.Sprintf("The broker profile has rules that match no broker: %s.", strings.Join(names, ", ")), names}}
}

// above warns of the brokers that use more than they have.
func above(usages []Usage) []Warning {
	var all []Warning
	for _, kind := range []struct {
		code, name string
		of         func(Usage) *float64
	}{
		{"network_above_capacity", "network=", func(u Usage) *float64 { return u.Network }},
		{"disk_above_capacity", "disk=", func(u Usage) *float64 { return u.Disk }},
	} {
		var brokers, figures []string
		for _, u := range usages {
			if used := kind.of(u); used != nil && *used > 100 {
				id := strconv.Itoa(int(u.Broker))
				brokers = append(brokers, id)
				figures = append(figures, fmt.Sprintf("%s (%.1f%%)", id, *used))
			}
		}
		if len(brokers) > 0 {
			text := fmt.Sprintf("Brokers use more than the %s of their profile, usually a mistake in a unit: %s.",
				kind.name, strings.Join(figures, ", "))
			all = append(all, Warning{kind.code, text, brokers})
		}
	}
	return all
}
