package balance

import (
	"fmt"
	"strconv"
	"strings"
)

// The bounds of a threshold in percent. Below the lower one somebody meant a fraction, or would chase noise: one
// partition is forgiven anyway. Above the upper one an empty broker, 100% below its share, would never be acted upon.
const (
	minThresholdPercent = 1
	maxThresholdPercent = 50
)

// ParseThreshold reads PILOT_BALANCE_THRESHOLD, a percentage between 1 and 50 with or without a percent sign, and
// returns the fraction for Policy.Threshold: 0.05 for "5" and "5%", DefaultThreshold for a blank value. Errors name the
// setting.
func ParseThreshold(s string) (float64, error) {
	text := strings.TrimSpace(s)
	if text == "" {
		return DefaultThreshold, nil
	}
	number := strings.TrimSuffix(text, "%")
	percent, err := strconv.ParseFloat(number, 64)
	if err != nil || strings.Trim(number, "0123456789.") != "" {
		return 0, fmt.Errorf("PILOT_BALANCE_THRESHOLD: %q is not a percentage: write for example 5", s)
	}
	if percent < minThresholdPercent || percent > maxThresholdPercent {
		return 0, fmt.Errorf("PILOT_BALANCE_THRESHOLD: %q is not between %d and %d: the value is in percent, write 5 for 5%%",
			s, minThresholdPercent, maxThresholdPercent)
	}
	return percent / 100, nil
}
