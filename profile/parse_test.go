package profile

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const mixedFleet = `network=10Gbit/s disk=2TiB           # default for every broker

rack=eu-west-1c: network=25Gbit/s    # newer instance type in one zone
host=kafka-big-*: network=25Gbit/s   # advertised host from cluster metadata
broker=7-9,12: disk=8TiB             # larger log volumes
`

func TestProfilesAreWrittenAsTheyWereRead(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "",
		" ; ":                           "",
		"network=10Gbit/s disk=2TiB":    "network=10Gbit/s disk=2TiB",
		"disk=500GiB;network=1.25GB/s;": "disk=500GiB; network=10Gbit/s",
		"disk=2TiB; broker=9,7-8,12,11-11 : disk=8TiB":                       "disk=2TiB; broker=7-9,11-12: disk=8TiB",
		"disk=1TiB; rack=eu:west:1: disk=4TiB":                               "disk=1TiB; rack=eu:west:1: disk=4TiB",
		"disk=1TiB; host=fe80::7: disk=4TiB":                                 "disk=1TiB; host=fe80::7: disk=4TiB",
		"disk=1TiB; rack=a: disk=2TiB; rack=a: network=1GB/s; network=2GB/s": "disk=1TiB; rack=a: disk=2TiB; rack=a: network=1GB/s; network=2GB/s",
		"disk=1TiB; broker=2147483647,0-2147483646: disk=2TiB":               "disk=1TiB; broker=0-2147483647: disk=2TiB",
	} {
		p, err := Parse(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, p.String(), text)
		assert.Equal(t, want == "", p.IsZero(), text)
	}
	p, err := ParseFile(strings.ReplaceAll(mixedFleet, "\n", "\r\n"))
	require.NoError(t, err)
	assert.Equal(t, "network=10Gbit/s disk=2TiB; rack=eu-west-1c: network=25Gbit/s; host=kafka-big-*: network=25Gbit/s; broker=7-9,12: disk=8TiB", p.String())
}

func TestParseNamesTheRuleAndWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"network=10 Gbit/s":                 `rule 1 (network=10 Gbit/s): network=: "10" has no unit: write a rate such as 50MB/s or 10Gbit/s`,
		"network=10Gb/s":                    `rule 1 (network=10Gb/s): network=: "10Gb/s" is ambiguous, bits or bytes: write 10Gbit/s or 10GB/s`,
		"network=10Gb":                      `rule 1 (network=10Gb): network=: "10Gb" is ambiguous, bits or bytes: write 10Gbit/s or 10GB/s`,
		"network=2TiB":                      `rule 1 (network=2TiB): network=: "2TiB" is a size: write a rate such as 50MB/s or 10Gbit/s`,
		"disk=2TiB/s":                       `rule 1 (disk=2TiB/s): disk=: "2TiB/s" is a bandwidth: write a size such as 2GiB or 500GB`,
		"disk=0TiB":                         `rule 1 (disk=0TiB): disk=: "0TiB" is not more than zero: write a size such as 2GiB or 500GB`,
		"disk=1TiB;;disk=2TiB":              `rule 3 (disk=2TiB): disk= is set before for the default: keep one`,
		"disk=1TiB disk=2TiB":               `rule 1 (disk=1TiB disk=2TiB): disk= is set twice: keep one`,
		"disk=1TiB; disk":                   `rule 2 (disk): "disk" is not a setting: write network= or disk= with a value and no spaces around it`,
		"cpu=8":                             `rule 1 (cpu=8): cpu= is not a setting: use network= or disk=`,
		"rack=a network=1GB/s":              `rule 1 (rack=a network=1GB/s): rack= is a selector: write it first and end it with a colon`,
		"zone=a: network=1GB/s":             `rule 1 (zone=a: network=1GB/s): "zone=a" is not a selector: use rack=, host= or broker= before the colon`,
		"disk=1TiB: network=1GB/s":          `rule 1 (disk=1TiB: network=1GB/s): "disk=1TiB" is not a selector: use rack=, host= or broker= before the colon`,
		"rack: network=1GB/s":               `rule 1 (rack: network=1GB/s): "rack" is not a selector: use rack=, host= or broker= before the colon`,
		": network=1GB/s":                   `rule 1 (: network=1GB/s): there is no selector before the colon: write rack=, host= or broker=, or leave the colon out`,
		"rack=: disk=1TiB":                  `rule 1 (rack=: disk=1TiB): rack= selects nothing: write what it is about, for example rack=eu-west-1c`,
		"rack=a:":                           `rule 1 (rack=a:): the rule sets nothing: add network= or disk=`,
		"rack=a host=b: disk=1TiB":          `rule 1 (rack=a host=b: disk=1TiB): the selector "rack=a host=b" has a space in it: use one selector a rule, and ? for a space in a name`,
		"rack=[a: disk=1TiB":                `rule 1 (rack=[a: disk=1TiB): rack=[a: the pattern has a [ without its ]: write \[ for the character itself`,
		"broker=7-x: disk=1TiB":             `rule 1 (broker=7-x: disk=1TiB): broker=7-x: "7-x" is not an ID or a range: write for example broker=7-9,12`,
		"broker=-1: disk=1TiB":              `rule 1 (broker=-1: disk=1TiB): broker=-1: "-1" is not an ID or a range: write for example broker=7-9,12`,
		"broker=1,: disk=1TiB":              `rule 1 (broker=1,: disk=1TiB): broker=1,: "" is not an ID or a range: write for example broker=7-9,12`,
		"broker=9-7: disk=1TiB":             `rule 1 (broker=9-7: disk=1TiB): broker=9-7: the range "9-7" runs backwards: write 7-9`,
		"broker=2147483648: disk=1TiB":      `rule 1 (broker=2147483648: disk=1TiB): broker=2147483648: "2147483648" is not an ID or a range: write for example broker=7-9,12`,
		"rack=a: disk=1TiB; network=1GB/s":  `rule 1 (rack=a: disk=1TiB): disk= has no default: add a rule without a selector that sets it`,
		"disk=1TiB;; rack=a: network=1GB/s": `rule 3 (rack=a: network=1GB/s): network= has no default: add a rule without a selector that sets it`,
		"disk=1TiB; broker=1-3: disk=2TiB; broker=1,2,3: disk=3TiB":   `rule 3 (broker=1,2,3: disk=3TiB): disk= is set before for broker=1-3: keep one`,
		"network=1GB/s; rack=a: network=2GB/s; rack=a: network=2GB/s": `rule 3 (rack=a: network=2GB/s): network= is set before for rack=a: keep one`,
		"disk=1TiB # default": `rule 1 (disk=1TiB # default): "#" is not a setting: write network= or disk= with a value and no spaces around it`,
	} {
		_, err := Parse(text)
		assert.EqualError(t, err, "PILOT_BROKER_PROFILE: "+want)
	}
}

func TestParseFileNamesTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"# hardware\n\ndisk=2":                         `line 3: disk=: "2" has no unit: write a size such as 2GiB or 500GB`,
		"disk=1TiB\n# zone c\nrack=c: network=1GB/s\n": `line 3: network= has no default: add a rule without a selector that sets it`,
		"disk=1TiB; network=1GB/s":                     `line 1: disk=: "1TiB;" has the unknown unit "TiB;": write a size such as 2GiB or 500GB`,
	} {
		_, err := ParseFile(text)
		assert.EqualError(t, err, "PILOT_BROKER_PROFILE_FILE: "+want)
	}
}

func TestLoadTakesOneOfTheTwoSettings(t *testing.T) {
	read := func(path string) ([]byte, error) {
		if path != "/etc/profile" {
			return nil, errors.New("open " + path + ": " + os.ErrNotExist.Error())
		}
		return []byte(mixedFleet), nil
	}
	p, err := Load(" ", "", read)
	require.NoError(t, err)
	assert.True(t, p.IsZero())

	p, err = Load("disk=2TiB", " ", read)
	require.NoError(t, err)
	assert.Equal(t, "disk=2TiB", p.String())
	assert.False(t, p.SetsNetwork())

	p, err = Load("", "/etc/profile", read)
	require.NoError(t, err)
	assert.True(t, p.SetsNetwork())

	_, err = Load("disk=2TiB", "/etc/profile", read)
	assert.EqualError(t, err, "PILOT_BROKER_PROFILE and PILOT_BROKER_PROFILE_FILE are both set: keep one")
	_, err = Load("", "/nowhere", read)
	assert.EqualError(t, err, "PILOT_BROKER_PROFILE_FILE: open /nowhere: file does not exist")
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"network=10Gbit/s disk=2TiB", "disk=1TiB; rack=eu:west:1: disk=4TiB", "disk=1TiB;broker=7-9,12:disk=8TiB", "disk=1TiB;host=[a-c]*\\?: disk=2B", ";;", ":", "rack=[", mixedFleet} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := ParseFile(text)
		require.True(t, err == nil || strings.Contains(err.Error(), "PILOT_BROKER_PROFILE_FILE: line "))
		p, err := Parse(text)
		if err != nil {
			require.Contains(t, err.Error(), "PILOT_BROKER_PROFILE: rule ")
			return
		}
		again, err := Parse(p.String())
		require.NoError(t, err, "%q was written as %q", text, p)
		require.Equal(t, p, again, "%q was written as %q", text, p)
		p.Resolve([]Broker{{ID: 7, Host: "kafka-7", Rack: "eu:west/1"}, {}})
	})
}
