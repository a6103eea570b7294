package balance

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseFloorReadsTheDocumentedSettings(t *testing.T) {
	auto := func(bytes, disk float64) Floor {
		return Floor{Bytes: bytes, Disk: disk, Messages: 10_000, AutoMessages: true}
	}
	cases := []struct {
		text    string
		want    Floor
		written string
	}{
		{"", Floor{}, "off"},
		{" \t", Floor{}, "off"},
		{"off", Floor{}, "off"},
		{" off ", Floor{}, "off"},
		{"bytes=2MB/s disk=2GiB", auto(2e6, 2<<30), "bytes=2MB/s msgs=auto disk=2GiB"},
		{"disk=100GiB", auto(2e6, 100<<30), "bytes=2MB/s msgs=auto disk=100GiB"},
		{"bytes=16Mbit/s", auto(2e6, 2<<30), "bytes=2MB/s msgs=auto disk=2GiB"},
		{"bytes=500KiB/s,disk=1.5TB", auto(512_000, 1.5e12), "bytes=500KiB/s msgs=auto disk=1.5TB"},
		{"msgs=auto", auto(2e6, 2<<30), "bytes=2MB/s msgs=auto disk=2GiB"},
		{"bytes=2MB/s msgs=5k/s disk=2GiB", Floor{Bytes: 2e6, Disk: 2 << 30, Messages: 5000}, "bytes=2MB/s msgs=5k/s disk=2GiB"},
		{"messages=250msg/s , disk=512MiB\n", Floor{Bytes: 2e6, Disk: 512 << 20, Messages: 250}, "bytes=2MB/s msgs=250/s disk=512MiB"},
		{"msgs=10000/s", Floor{Bytes: 2e6, Disk: 2 << 30, Messages: 10_000}, "bytes=2MB/s msgs=10k/s disk=2GiB"},
	}
	for _, c := range cases {
		got, err := ParseFloor(c.text)
		require.NoError(t, err, c.text)
		assert.Equal(t, c.want, got, c.text)
		assert.Equal(t, c.written, got.String(), c.text)
	}
}

func TestParseFloorSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"bytes=2Mb/s":            `bytes=: "2Mb/s" is ambiguous, bits or bytes: write 2Mbit/s or 2MB/s`,
		"bytes=2GB":              `bytes=: "2GB" is a size: write a rate such as 50MB/s or 10Gbit/s`,
		"bytes=0MB/s":            `bytes=: "0MB/s" is not more than zero: write a rate such as 50MB/s or 10Gbit/s`,
		"bytes=auto":             `bytes=: "auto" does not start with a number: write a rate such as 50MB/s or 10Gbit/s`,
		"bytes= 2MB/s":           `bytes=: the value is empty: write a rate such as 50MB/s or 10Gbit/s`,
		"bytes=2 MB/s":           `bytes=: "2" has no unit: write a rate such as 50MB/s or 10Gbit/s`,
		"disk=-1GiB":             `disk=: "-1GiB" is not more than zero: write a size such as 2GiB or 500GB`,
		"disk=2GB/s":             `disk=: "2GB/s" is a bandwidth: write a size such as 2GiB or 500GB`,
		"msgs=5k":                `msgs=: "5k" has the unknown unit "k": write messages per second such as 10k/s or 250msg/s`,
		"messages=off":           `msgs=: "off" does not start with a number: write messages per second such as 10k/s or 250msg/s`,
		"msgs=5k/s messages=1/s": `msgs= is set twice: keep one`,
		"disk=1GiB disk=2GiB":    `disk= is set twice: keep one`,
		"off disk=2GiB":          `off stands alone: remove it, or everything else of "off disk=2GiB"`,
		"disk=2GiB,off":          `off stands alone: remove it, or everything else of "disk=2GiB,off"`,
		"off off":                `off stands alone: remove it, or everything else of "off off"`,
		"OFF":                    `"OFF" is not a setting: write bytes=, msgs= or disk= with a value and no spaces around it`,
		"2MB/s":                  `"2MB/s" is not a setting: write bytes=, msgs= or disk= with a value and no spaces around it`,
		"network=1GB/s":          `network= is not a setting: use bytes=, msgs= or disk=`,
		"=1GB/s":                 `= is not a setting: use bytes=, msgs= or disk=`,
		",":                      `"," has no setting: write for example "bytes=2MB/s disk=2GiB", or off`,
	} {
		_, err := ParseFloor(text)
		assert.EqualError(t, err, "PILOT_BALANCE_FLOOR: "+want, text)
	}
}

func TestFloorMadeByACallerCanBeWritten(t *testing.T) {
	assert.Equal(t, "bytes=off msgs=off disk=2GiB", Floor{Disk: 2 << 30}.String())
}

func FuzzParseFloor(f *testing.F) {
	for _, seed := range []string{"off", "bytes=2MB/s disk=2GiB", "msgs=5k/s,disk=1.5TB", "messages=auto", "disk=", "=", "bytes=2Mb/s"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		floor, err := ParseFloor(s)
		if err != nil {
			require.Equal(t, Floor{}, floor)
			require.Contains(t, err.Error(), "PILOT_BALANCE_FLOOR")
			return
		}
		again, err := ParseFloor(floor.String())
		require.NoError(t, err, "%q was written as %q", s, floor)
		require.Equal(t, floor, again)
	})
}
