package units

import (
	"math"
	"strconv"
	"strings"
)

// step is one unit that people read.
type step struct {
	name   string
	factor float64
}

// The steps of each dimension, from the largest down.
var (
	byteSteps    = []step{{" TiB", tebi}, {" GiB", gibi}, {" MiB", mebi}, {" KiB", kibi}, {" B", 1}}
	rateSteps    = []step{{" TB/s", tera}, {" GB/s", giga}, {" MB/s", mega}, {" KB/s", kilo}, {" B/s", 1}}
	messageSteps = []step{{"M msg/s", mega}, {"k msg/s", kilo}, {" msg/s", 1}}
)

// Bytes writes a number of bytes for people, in powers of 1024 and rounded to about three digits: "2 GiB".
func Bytes(n float64) string { return human(n, byteSteps) }

// Rate writes bytes per second for people, in powers of 1000 and rounded to about three digits: "7.24 KB/s".
func Rate(n float64) string { return human(n, rateSteps) }

// Messages writes messages per second for people, rounded to about three digits: "127 msg/s", "10k msg/s".
func Messages(n float64) string { return human(n, messageSteps) }

func human(n float64, steps []step) string {
	if n < 0 {
		return "-" + human(-n, steps)
	}
	i := 0
	for i < len(steps)-1 && !(n >= steps[i].factor) {
		i++
	}
	text := threeDigits(n / steps[i].factor)
	if rounded, _ := strconv.ParseFloat(text, 64); i > 0 && rounded*steps[i].factor >= steps[i-1].factor {
		i, text = i-1, "1" // 999.9 KB rounds up into the next unit
	}
	return text + steps[i].name
}

// threeDigits rounds to three digits, or to a whole number where that has more, and drops trailing zeros.
func threeDigits(v float64) string {
	decimals := 2
	switch {
	case v >= 99.95:
		decimals = 0
	case v >= 9.995:
		decimals = 1
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// SizeText writes bytes in the form with the shortest number that ParseSize reads back exactly: "2GiB".
func SizeText(n float64) string { return exact(size, n) }

// BandwidthText writes bytes per second in the form with the shortest number that ParseBandwidth reads back exactly: "2MB/s".
func BandwidthText(n float64) string { return exact(bandwidth, n) }

// MessageRateText writes messages per second in the form with the shortest number that ParseMessageRate reads back exactly: "10k/s".
func MessageRateText(n float64) string { return exact(messageRate, n) }

// exact tries every unit of a dimension and takes the one with the shortest number, of equally short ones the unit
// listed first. 512MiB is better than 0.5GiB.
func exact(d dimension, n float64) string {
	best, least := "", math.MaxInt
	for _, u := range units[d] {
		text := strconv.FormatFloat(n/u.factor, 'f', -1, 64)
		if v, err := strconv.ParseFloat(text, 64); err != nil || v*u.factor != n || math.IsInf(v, 0) {
			continue
		}
		length := len(text)
		if n < u.factor {
			length++
		}
		if length < least {
			best, least = text+u.name, length
		}
	}
	return best
}
