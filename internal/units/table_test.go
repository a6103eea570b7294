package units

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Each unit is read by its own dimension alone; the others say what it is.
func TestEveryUnitBelongsToOneDimension(t *testing.T) {
	for d := range units {
		for _, u := range units[d] {
			got, err := parse(dimension(d), "3"+u.name)
			require.NoError(t, err, u.name)
			assert.Equal(t, 3*u.factor, got, u.name)
			for other := range units {
				if other == d {
					continue
				}
				_, err := parse(dimension(other), "3"+u.name)
				assert.ErrorContains(t, err, "is "+names[d]+": write "+examples[other], u.name)
			}
		}
	}
}

// A space anywhere makes a quantity one that is refused.
func TestSpacesAreRefused(t *testing.T) {
	for d := range units {
		for _, u := range units[d] {
			for _, text := range []string{"3 " + u.name, " 3" + u.name, "3" + u.name + " ", "3\t" + u.name} {
				_, err := parse(dimension(d), text)
				assert.Error(t, err, "%q", text)
			}
		}
	}
}

// An ambiguous unit is never accepted, whatever its case, and the answer offers only what would be read.
func TestAmbiguousUnitsAreRefusedWithWhatToWrite(t *testing.T) {
	for _, prefix := range []string{"", "k", "K", "m", "M", "g", "G", "t", "T"} {
		for _, suffix := range []string{"b", "b/s"} {
			text := "5" + prefix + suffix
			for d, parse := range []func(string) (float64, error){ParseSize, ParseBandwidth} {
				_, err := parse(text)
				require.ErrorContains(t, err, "is ambiguous", text)
				_, advice, found := strings.Cut(err.Error(), "write ")
				require.True(t, found)
				for _, better := range strings.Split(advice, " or ") {
					_, err := parse(better)
					assert.NoError(t, err, "%q for %q in dimension %d", better, text, d)
				}
			}
		}
	}
}

// A quantity twice as large reads twice as large, and leading zeros change nothing.
func TestReadingIsLinear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(0, len(units)-1).Draw(t, "dimension")
		u := rapid.SampledFrom(units[d]).Draw(t, "unit")
		n := rapid.IntRange(1, 1_000_000).Draw(t, "n")
		once, err := parse(dimension(d), strings.Repeat("0", n%3)+strconv.Itoa(n)+u.name)
		require.NoError(t, err)
		twice, err := parse(dimension(d), strconv.Itoa(2*n)+u.name)
		require.NoError(t, err)
		require.Equal(t, 2*once, twice)
	})
}
