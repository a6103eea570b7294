package profile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// kind orders selectors: of two that match a broker the higher kind wins.
type kind uint8

const (
	everyBroker kind = iota
	byRack
	byHost
	byBroker
)

// selector says which brokers a rule is about.
type selector struct {
	kind   kind
	glob   glob    // byRack and byHost
	ranges []idSet // byBroker; sorted, disjoint and not adjacent
}

// idSet is a range of broker IDs, both ends included.
type idSet struct{ first, last int32 }

// parseSelector reads a selector without its colon; "" selects every broker.
func parseSelector(s string) (selector, error) {
	name, value, found := strings.Cut(s, "=")
	switch {
	case s == "":
		return selector{}, nil
	case strings.ContainsFunc(s, unicode.IsSpace):
		return selector{}, fmt.Errorf("the selector %q has a space in it: use one selector a rule, and ? for a space in a name", s)
	case !found || name != "rack" && name != "host" && name != "broker":
		return selector{}, fmt.Errorf("%q is not a selector: use rack=, host= or broker= before the colon", s)
	case value == "":
		return selector{}, fmt.Errorf("%s= selects nothing: write what it is about, for example %s", name, selectorExamples[name])
	case name == "broker":
		ranges, err := parseRanges(value)
		return selector{kind: byBroker, ranges: ranges}, err
	}
	g, err := parseGlob(value)
	if err != nil {
		return selector{}, fmt.Errorf("%s=%s: %w", name, value, err)
	}
	if name == "rack" {
		return selector{kind: byRack, glob: g}, nil
	}
	return selector{kind: byHost, glob: g}, nil
}

var selectorExamples = map[string]string{"rack": "rack=eu-west-1c", "host": "host=kafka-big-*", "broker": "broker=7-9,12"}

// parseRanges reads IDs and ranges such as 7-9,12 and joins those that touch.
func parseRanges(s string) ([]idSet, error) {
	var all []idSet
	for _, part := range strings.Split(s, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		r, err := parseRange(first, last)
		if err != nil {
			return nil, fmt.Errorf("broker=%s: %q is not an ID or a range: write for example %s", s, part, selectorExamples["broker"])
		}
		if r.first > r.last {
			return nil, fmt.Errorf("broker=%s: the range %q runs backwards: write %d-%d", s, part, r.last, r.first)
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b idSet) int { return cmp.Compare(a.first, b.first) })
	joined := all[:1]
	for _, r := range all[1:] {
		end := &joined[len(joined)-1]
		if end.last == math.MaxInt32 || r.first <= end.last+1 {
			end.last = max(end.last, r.last)
			continue
		}
		joined = append(joined, r)
	}
	return joined, nil
}

func parseRange(first, last string) (idSet, error) {
	a, err := parseID(first)
	if err != nil {
		return idSet{}, err
	}
	b, err := parseID(last)
	return idSet{a, b}, err
}

// parseID takes digits alone: no sign, which would read as a range.
func parseID(s string) (int32, error) {
	n, err := strconv.ParseUint(s, 10, 31)
	return int32(n), err
}

// matches reports whether a broker is selected. A pattern for racks never matches a broker without one.
func (s *selector) matches(b Broker) bool {
	switch s.kind {
	case byRack:
		return b.Rack != "" && s.glob.match(b.Rack)
	case byHost:
		return s.glob.match(b.Host)
	case byBroker:
		return slices.ContainsFunc(s.ranges, func(r idSet) bool { return r.first <= b.ID && b.ID <= r.last })
	}
	return true
}

// String writes the selector without its colon; equal texts select alike.
func (s *selector) String() string {
	switch s.kind {
	case byRack:
		return "rack=" + s.glob.text
	case byHost:
		return "host=" + s.glob.text
	case byBroker:
		var parts []string
		for _, r := range s.ranges {
			part := strconv.Itoa(int(r.first))
			if r.last > r.first {
				part += "-" + strconv.Itoa(int(r.last))
			}
			parts = append(parts, part)
		}
		return "broker=" + strings.Join(parts, ",")
	}
	return ""
}
