package profile

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kafka-pilot/pilot/internal/units"
)

// Profile is a list of rules as written. The zero Profile has none and resolves nothing. It is read-only.
type Profile struct {
	rules []rule
}

// rule is one line of a profile; a setting that is zero is not set.
type rule struct {
	selector selector
	network  float64 // bytes per second
	disk     float64 // bytes
}

// Broker is what rules select by.
type Broker struct {
	ID   int32
	Host string // the advertised host, without the port
	Rack string // broker.rack; "" is unknown
}

// Capacity is what the rules say of one broker; zero is not set.
type Capacity struct {
	Broker  int32   `json:"broker"`
	Network float64 `json:"network,omitempty"` // bytes per second, in each direction
	Disk    float64 `json:"disk,omitempty"`    // bytes
}

// Resolve returns the capacity of each broker, sorted by ID.
func (p Profile) Resolve(brokers []Broker) []Capacity {
	all := make([]Capacity, 0, len(brokers))
	for _, b := range brokers {
		c := Capacity{Broker: b.ID}
		var network, disk kind
		for i := range p.rules {
			r := &p.rules[i]
			if !r.selector.matches(b) {
				continue
			}
			// Later rules of the same kind win, so an equal kind replaces.
			if r.network > 0 && r.selector.kind >= network {
				c.Network, network = r.network, r.selector.kind
			}
			if r.disk > 0 && r.selector.kind >= disk {
				c.Disk, disk = r.disk, r.selector.kind
			}
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b Capacity) int { return cmp.Compare(a.Broker, b.Broker) })
	return all
}

// SetsNetwork reports whether the profile says anything of the network, in which case settling after moves goes by
// evidence instead of a timer.
func (p Profile) SetsNetwork() bool {
	return slices.ContainsFunc(p.rules, func(r rule) bool { return r.network > 0 })
}

// IsZero reports whether the profile has no rules.
func (p Profile) IsZero() bool { return len(p.rules) == 0 }

// String writes the rules as PILOT_BROKER_PROFILE has them, for the log.
func (p Profile) String() string {
	var rules []string
	for i := range p.rules {
		rules = append(rules, p.rules[i].String())
	}
	return strings.Join(rules, "; ")
}

// String writes one rule.
func (r *rule) String() string {
	var words []string
	if s := r.selector.String(); s != "" {
		words = append(words, s+":")
	}
	if r.network > 0 {
		words = append(words, "network="+units.BandwidthText(r.network))
	}
	if r.disk > 0 {
		words = append(words, "disk="+units.SizeText(r.disk))
	}
	return strings.Join(words, " ")
}
