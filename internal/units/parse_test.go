package units

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseSize(t *testing.T) {
	for text, want := range map[string]float64{
		"1B": 1, "1KB": 1e3, "1kB": 1e3, "1MB": 1e6, "1GB": 1e9, "1TB": 1e12,
		"1KiB": 1024, "512MiB": 512 << 20, "2GiB": 2 << 30, "2TiB": 2 << 40,
		"1.5TB": 1.5e12, "500GiB": 500 << 30, ".5GB": 5e8, "2.GB": 2e9, "007MB": 7e6,
	} {
		got, err := ParseSize(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

func TestParseBandwidthTakesBytesAndBits(t *testing.T) {
	for text, want := range map[string]float64{
		"2MB/s": 2e6, "500KiB/s": 500 << 10, "1.25GB/s": 1.25e9, "800MiB/s": 800 << 20, "50MB/s": 5e7, "64B/s": 64,
		"10Gbit/s": 1.25e9, "25Gbps": 3.125e9, "100Mbit": 1.25e7, "16Mbit/s": 2e6, "800Kbit/s": 1e5, "800kbit": 1e5,
		"8bit/s": 1, "1Tbps": 1.25e11,
	} {
		got, err := ParseBandwidth(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

func TestParseMessageRate(t *testing.T) {
	for text, want := range map[string]float64{
		"10k/s": 1e4, "10K/s": 1e4, "10000/s": 1e4, "250msg/s": 250, "5k/s": 5e3, "1.5M/s": 1.5e6, "2kmsg/s": 2e3, "1Mmsg/s": 1e6,
	} {
		got, err := ParseMessageRate(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

func TestRefusalsSayWhatToWrite(t *testing.T) {
	cases := []struct {
		parse      func(string) (float64, error)
		text, want string
	}{
		{ParseSize, "", `the value is empty: write a size such as 2GiB or 500GB`},
		{ParseSize, "2", `"2" has no unit: write a size such as 2GiB or 500GB`},
		{ParseSize, "2 GiB", `"2 GiB" has a space in it: write the unit right after the number, a size such as 2GiB or 500GB`},
		{ParseSize, "2gib", `"2gib" has the unknown unit "gib": write a size such as 2GiB or 500GB`},
		{ParseSize, "2Gb", `"2Gb" is ambiguous, bits or bytes: write 2GB`},
		{ParseSize, "2GB/s", `"2GB/s" is a bandwidth: write a size such as 2GiB or 500GB`},
		{ParseSize, "10Gbit", `"10Gbit" is a bandwidth: write a size such as 2GiB or 500GB`},
		{ParseSize, "0GiB", `"0GiB" is not more than zero: write a size such as 2GiB or 500GB`},
		{ParseSize, "-2GiB", `"-2GiB" is not more than zero: write a size such as 2GiB or 500GB`},
		{ParseSize, "+2GiB", `"+2GiB" does not start with a number: write a size such as 2GiB or 500GB`},
		{ParseSize, ".GiB", `".GiB" does not start with a number: write a size such as 2GiB or 500GB`},
		{ParseSize, "1.2.3GiB", `"1.2.3GiB" does not start with a number: write a size such as 2GiB or 500GB`},
		{ParseSize, "1e3GiB", `"1e3GiB" has the unknown unit "e3GiB": write a size such as 2GiB or 500GB`},
		{ParseSize, "infGiB", `"infGiB" does not start with a number: write a size such as 2GiB or 500GB`},
		{ParseBandwidth, "10Gbit/s ", `"10Gbit/s " has a space in it: write the unit right after the number, a rate such as 50MB/s or 10Gbit/s`},
		{ParseBandwidth, "10Gb", `"10Gb" is ambiguous, bits or bytes: write 10Gbit/s or 10GB/s`},
		{ParseBandwidth, "10Gb/s", `"10Gb/s" is ambiguous, bits or bytes: write 10Gbit/s or 10GB/s`},
		{ParseBandwidth, "16Mb/s", `"16Mb/s" is ambiguous, bits or bytes: write 16Mbit/s or 16MB/s`},
		{ParseBandwidth, "16mb/s", `"16mb/s" is ambiguous, bits or bytes: write 16Mbit/s or 16MB/s`},
		{ParseBandwidth, "16kb", `"16kb" is ambiguous, bits or bytes: write 16Kbit/s or 16KB/s`},
		{ParseBandwidth, "1Tb", `"1Tb" is ambiguous, bits or bytes: write 1Tbit/s or 1TB/s`},
		{ParseBandwidth, "9b/s", `"9b/s" is ambiguous, bits or bytes: write 9bit/s or 9B/s`},
		{ParseBandwidth, "10GB", `"10GB" is a size: write a rate such as 50MB/s or 10Gbit/s`},
		{ParseBandwidth, "10k/s", `"10k/s" is a message rate: write a rate such as 50MB/s or 10Gbit/s`},
		{ParseMessageRate, "10k", `"10k" has the unknown unit "k": write messages per second such as 10k/s or 250msg/s`},
		{ParseMessageRate, "2MB/s", `"2MB/s" is a bandwidth: write messages per second such as 10k/s or 250msg/s`},
		{ParseMessageRate, "2Mb/s", `"2Mb/s" has the unknown unit "Mb/s": write messages per second such as 10k/s or 250msg/s`},
	}
	for _, c := range cases {
		_, err := c.parse(c.text)
		assert.EqualError(t, err, c.want)
	}
}

func TestNumbersOutsideOfFloatsAreRefused(t *testing.T) {
	long := make([]byte, 400)
	for i := range long {
		long[i] = '9'
	}
	_, err := ParseSize(string(long) + "B")
	assert.ErrorContains(t, err, "is too large")

	for i := range long {
		long[i] = '0'
	}
	_, err = ParseSize("0." + string(long) + "1B")
	assert.ErrorContains(t, err, "is not more than zero")
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"2GiB", "1.5TB", "50MB/s", "10Gbit/s", "25Gbps", "10k/s", "250msg/s", "10 GB", "Gb", "-1B", "0.0B", "9e9B", "\x00"} {
		f.Add(seed)
	}
	grammars := []struct {
		parse func(string) (float64, error)
		text  func(float64) string
	}{{ParseSize, SizeText}, {ParseBandwidth, BandwidthText}, {ParseMessageRate, MessageRateText}}
	f.Fuzz(func(t *testing.T, s string) {
		accepted := 0
		for _, g := range grammars {
			n, err := g.parse(s)
			if err != nil {
				require.NotEmpty(t, err.Error())
				continue
			}
			accepted++
			require.True(t, n > 0 && !math.IsInf(n, 0), "%q reads as %v", s, n)
			again, err := g.parse(g.text(n))
			require.NoError(t, err, "%q was written as %q", s, g.text(n))
			require.Equal(t, n, again, "%q was written as %q", s, g.text(n))
		}
		require.LessOrEqual(t, accepted, 1, "%q belongs to more than one dimension", s)
	})
}
