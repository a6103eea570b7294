package balance

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/kafka-pilot/pilot/internal/units"
)

// What a minimum difference uses for a setting that is left out.
const (
	defaultFloorBytes    = 2e6     // bytes per second
	defaultFloorDisk     = 2 << 30 // bytes
	defaultFloorMessages = 10_000  // messages per second, for traffic whose message size is not known
)

// ParseFloor reads a minimum difference as PILOT_BALANCE_FLOOR has it (row BAL-05):
//
//	bytes=2MB/s disk=2GiB               settings are separated by spaces or commas, each at most once
//	disk=100GiB                         bytes= left out is 2 MB/s, disk= left out is 2 GiB
//	bytes=16Mbit/s msgs=5k/s            msgs= (or messages=) left out or auto follows bytes= at the mean message size
//	off                                 no minimum difference, as is a blank value; alone
//
// bytes= takes a byte or bit rate, msgs= messages per second, disk= a size, each more than zero and with its unit
// right after the number. Every error names the setting and says what to write.
func ParseFloor(s string) (Floor, error) {
	f, err := parseFloor(s)
	if err != nil {
		return Floor{}, fmt.Errorf("PILOT_BALANCE_FLOOR: %w", err)
	}
	return f, nil
}

func parseFloor(s string) (Floor, error) {
	if strings.TrimSpace(s) == "" {
		return Floor{}, nil
	}
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	if len(words) == 0 {
		return Floor{}, fmt.Errorf(`%q has no setting: write for example "bytes=2MB/s disk=2GiB", or off`, s)
	}
	if len(words) == 1 && words[0] == "off" {
		return Floor{}, nil
	}
	f := Floor{Bytes: defaultFloorBytes, Disk: defaultFloorDisk, Messages: defaultFloorMessages, AutoMessages: true}
	seen := map[string]bool{}
	for _, word := range words {
		if word == "off" {
			return Floor{}, fmt.Errorf("off stands alone: remove it, or everything else of %q", s)
		}
		name, value, found := strings.Cut(word, "=")
		if !found {
			return Floor{}, fmt.Errorf("%q is not a setting: write bytes=, msgs= or disk= with a value and no spaces around it", word)
		}
		if name == "messages" {
			name = "msgs"
		}
		if seen[name] {
			return Floor{}, fmt.Errorf("%s= is set twice: keep one", name)
		}
		seen[name] = true
		if err := f.set(name, value); err != nil {
			return Floor{}, err
		}
	}
	return f, nil
}

// set takes over one setting.
func (f *Floor) set(name, value string) (err error) {
	switch name {
	case "bytes":
		f.Bytes, err = units.ParseBandwidth(value)
	case "disk":
		f.Disk, err = units.ParseSize(value)
	case "msgs":
		if value == "auto" {
			return nil
		}
		f.AutoMessages = false
		f.Messages, err = units.ParseMessageRate(value)
	default:
		return fmt.Errorf("%s= is not a setting: use bytes=, msgs= or disk=", name)
	}
	if err != nil {
		return fmt.Errorf("%s=: %w", name, err)
	}
	return nil
}

// String writes the minimum difference in the form that ParseFloor reads, "off" for the zero Floor. A part that a
// caller left at zero, which no setting can say, is written as off too.
func (f Floor) String() string {
	if f == (Floor{}) {
		return "off"
	}
	part := func(name string, n float64, text func(float64) string) string {
		if n == 0 {
			return name + "=off"
		}
		return name + "=" + text(n)
	}
	messages := "msgs=auto"
	if !f.AutoMessages {
		messages = part("msgs", f.Messages, units.MessageRateText)
	}
	return part("bytes", f.Bytes, units.BandwidthText) + " " + messages + " " + part("disk", f.Disk, units.SizeText)
}
