package units

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestQuantitiesForPeople(t *testing.T) {
	cases := []struct {
		got, want string
	}{
		{Bytes(0), "0 B"}, {Bytes(512), "512 B"}, {Bytes(1023.4), "1023 B"}, {Bytes(1023.6), "1 KiB"}, {Bytes(2 << 30), "2 GiB"},
		{Bytes(1.5e12), "1.36 TiB"}, {Bytes(12.345 * mebi), "12.3 MiB"}, {Bytes(5000 * tebi), "5000 TiB"}, {Bytes(-2 << 20), "-2 MiB"},
		{Rate(7240), "7.24 KB/s"}, {Rate(2e6), "2 MB/s"}, {Rate(999.4), "999 B/s"}, {Rate(999.6), "1 KB/s"}, {Rate(999_700), "1 MB/s"},
		{Rate(0.25), "0.25 B/s"}, {Rate(99.96), "100 B/s"}, {Rate(9.996), "10 B/s"}, {Rate(1.25e9), "1.25 GB/s"}, {Rate(100e6), "100 MB/s"},
		{Messages(127), "127 msg/s"}, {Messages(10_000), "10k msg/s"}, {Messages(5250), "5.25k msg/s"}, {Messages(3e6), "3M msg/s"},
		{Rate(math.Inf(1)), "+Inf TB/s"}, {Bytes(math.NaN()), "NaN B"},
	}
	for _, c := range cases {
		assert.Equal(t, c.want, c.got)
	}
}

func TestExactTexts(t *testing.T) {
	assert.Equal(t, "2GiB", SizeText(2<<30))
	assert.Equal(t, "1.5TB", SizeText(1.5e12))
	assert.Equal(t, "1B", SizeText(1))
	assert.Equal(t, "2MB/s", BandwidthText(2e6))
	assert.Equal(t, "500KiB/s", BandwidthText(500<<10))
	assert.Equal(t, "10Gbit/s", BandwidthText(1.25e9))
	assert.Equal(t, "512MiB", SizeText(512<<20))
	assert.Equal(t, "10k/s", MessageRateText(1e4))
	assert.Equal(t, "250/s", MessageRateText(250))
}

// What we write can be read again, and means the same.
func TestExactTextsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Float64Range(1e-3, 1e18).Draw(t, "n")
		for _, g := range []struct {
			text  string
			parse func(string) (float64, error)
		}{{SizeText(n), ParseSize}, {BandwidthText(n), ParseBandwidth}, {MessageRateText(n), ParseMessageRate}} {
			got, err := g.parse(g.text)
			require.NoError(t, err)
			require.Equal(t, n, got, g.text)
		}
	})
}

// Rounding for people never changes a quantity by more than half a percent.
func TestRoundingIsSmall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Float64Range(1, 9e14).Draw(t, "n")
		for _, steps := range [][]step{byteSteps, rateSteps, messageSteps} {
			text := human(n, steps)
			for _, s := range steps {
				if len(text) <= len(s.name) || text[len(text)-len(s.name):] != s.name {
					continue
				}
				v, err := parse(size, text[:len(text)-len(s.name)]+"B")
				require.NoError(t, err)
				require.InEpsilon(t, n, v*s.factor, 0.005, text)
				break
			}
		}
	})
}
