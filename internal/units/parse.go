package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ParseSize reads a size such as 2GiB, 1.5TB or 512MiB and returns bytes.
func ParseSize(s string) (float64, error) { return parse(size, s) }

// ParseBandwidth reads a byte rate such as 50MB/s or a bit rate such as 10Gbit/s, 25Gbps or 100Mbit and returns bytes
// per second.
func ParseBandwidth(s string) (float64, error) { return parse(bandwidth, s) }

// ParseMessageRate reads a message rate such as 10k/s, 10000/s or 250msg/s and returns messages per second.
func ParseMessageRate(s string) (float64, error) { return parse(messageRate, s) }

func parse(d dimension, s string) (float64, error) {
	number, unit := split(s)
	if number == "" {
		return 0, badNumber(d, s)
	}
	if unit == "" {
		return 0, fmt.Errorf("%q has no unit: write %s", s, examples[d])
	}
	if unit != strings.TrimSpace(unit) {
		return 0, fmt.Errorf("%q has a space in it: write the unit right after the number, %s", s, examples[d])
	}
	factor, ok := find(d, unit)
	if !ok {
		return 0, badUnit(d, s, number, unit)
	}
	n, err := strconv.ParseFloat(number, 64)
	n *= factor
	switch {
	case math.IsInf(n, 0):
		return 0, fmt.Errorf("%q is too large: write %s", s, examples[d])
	case err != nil:
		return 0, fmt.Errorf("%q does not start with a number: write %s", s, examples[d])
	case !(n > 0):
		return 0, fmt.Errorf("%q is not more than zero: write %s", s, examples[d])
	}
	return n, nil
}

// split cuts a quantity after its leading digits and point.
func split(s string) (number, unit string) {
	i := 0
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '.') {
		i++
	}
	return s[:i], s[i:]
}

// badNumber says what is wrong with a quantity that does not begin with a digit.
func badNumber(d dimension, s string) error {
	switch {
	case strings.TrimSpace(s) == "":
		return fmt.Errorf("the value is empty: write %s", examples[d])
	case s[0] == '-':
		return fmt.Errorf("%q is not more than zero: write %s", s, examples[d])
	}
	return fmt.Errorf("%q does not start with a number: write %s", s, examples[d])
}

// badUnit says what is wrong with a unit that the dimension does not have: ambiguous, of another dimension or unknown.
func badUnit(d dimension, s, number, unit string) error {
	if prefix, ok := ambiguous(unit); ok {
		switch d {
		case size:
			return fmt.Errorf("%q is ambiguous, bits or bytes: write %s%sB", s, number, prefix)
		case bandwidth:
			return fmt.Errorf("%q is ambiguous, bits or bytes: write %s%sbit/s or %s%sB/s", s, number, prefix, number, prefix)
		}
	}
	for other := range units {
		if _, ok := find(dimension(other), unit); ok {
			return fmt.Errorf("%q is %s: write %s", s, names[other], examples[d])
		}
	}
	return fmt.Errorf("%q has the unknown unit %q: write %s", s, unit, examples[d])
}

// ambiguous reports whether a unit is a b that may stand for bits or for bytes, as in Gb and mb/s, and returns the
// prefix in the spelling of the grammar.
func ambiguous(unit string) (prefix string, ok bool) {
	switch strings.TrimSuffix(unit, "/s") {
	case "b":
		return "", true
	case "kb", "Kb":
		return "K", true
	case "mb", "Mb":
		return "M", true
	case "gb", "Gb":
		return "G", true
	case "tb", "Tb":
		return "T", true
	}
	return "", false
}
