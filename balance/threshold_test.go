package balance

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseThreshold(t *testing.T) {
	for text, want := range map[string]float64{
		"": 0.05, "  ": 0.05, "5": 0.05, "5%": 0.05, " 10 ": 0.1, "7.5": 0.075, "1": 0.01, "50%": 0.5, "012": 0.12,
	} {
		got, err := ParseThreshold(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

func TestParseThresholdSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"0.05": `"0.05" is not between 1 and 50: the value is in percent, write 5 for 5%`,
		"0":    `"0" is not between 1 and 50: the value is in percent, write 5 for 5%`,
		"50.1": `"50.1" is not between 1 and 50: the value is in percent, write 5 for 5%`,
		"-5":   `"-5" is not a percentage: write for example 5`,
		"nan":  `"nan" is not a percentage: write for example 5`,
		"inf":  `"inf" is not a percentage: write for example 5`,
		"0x5":  `"0x5" is not a percentage: write for example 5`,
		"5 %":  `"5 %" is not a percentage: write for example 5`,
		"five": `"five" is not a percentage: write for example 5`,
		"%":    `"%" is not a percentage: write for example 5`,
		".":    `"." is not a percentage: write for example 5`,
	} {
		_, err := ParseThreshold(text)
		assert.EqualError(t, err, "PILOT_BALANCE_THRESHOLD: "+want, text)
	}
}

func FuzzParseThreshold(f *testing.F) {
	for _, seed := range []string{"5", "7.5%", "", "1e9", "nan", "-0", "50"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := ParseThreshold(s)
		if err != nil {
			require.Contains(t, err.Error(), "PILOT_BALANCE_THRESHOLD")
			return
		}
		require.GreaterOrEqual(t, got, 0.01)
		require.LessOrEqual(t, got, 0.5)
	})
}
