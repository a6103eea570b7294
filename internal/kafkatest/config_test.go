package kafkatest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheZeroConfigIsThreeBrokersInThreeRacks(t *testing.T) {
	t.Setenv(VersionVariable, "")
	c, err := Config{}.complete()
	require.NoError(t, err)
	require.Equal(t, Config{
		Brokers: 3, Controllers: 1, LogDirs: 1, Racks: []string{"r1", "r2", "r3"}, SessionTimeout: 6 * time.Second, Version: DefaultVersion,
	}, c)
	require.Equal(t, "r1", c.rackOf(1))
	require.Equal(t, "r3", c.rackOf(3))
	require.Equal(t, "r1", c.rackOf(4))
}

func TestTheVariableChoosesTheReleaseUnlessTheTestDoes(t *testing.T) {
	t.Setenv(VersionVariable, "4.0.2")
	c, err := Config{}.complete()
	require.NoError(t, err)
	require.Equal(t, "4.0.2", c.Version)
	c, err = Config{Version: "3.9.1"}.complete()
	require.NoError(t, err)
	require.Equal(t, "3.9.1", c.Version)
}

func TestImpossibleConfigurationsAreRefused(t *testing.T) {
	for sentence, config := range map[string]Config{
		"Config.Brokers is -1":           {Brokers: -1},
		"Config.Brokers is 1001":         {Brokers: 1001},
		"Config.Controllers is 2":        {Controllers: 2},
		"Config.LogDirs is -1":           {LogDirs: -1},
		"Config.SessionTimeout is 100ms": {SessionTimeout: 100 * time.Millisecond},
		"Config.Racks is empty":          {Racks: []string{}},
	} {
		_, err := config.complete()
		saysWhatToDo(t, err, sentence, "give")
	}
}

func TestPropertiesAreSortedAndEscaped(t *testing.T) {
	p := properties{"b": `x "y" \z`, "a": "1"}
	p.add(map[string]string{"a": "2", "c": "two\nlines"})
	require.Equal(t, "a=2\nb=x \"y\" \\\\z\nc=two\\nlines\n", p.String())
}

func TestListenersOnDemand(t *testing.T) {
	for _, row := range []struct {
		config Config
		want   []string
	}{
		{Config{}, []string{"PLAINTEXT"}},
		{Config{SASL: true}, []string{"PLAINTEXT", "SASL"}},
		{Config{TLS: true}, []string{"PLAINTEXT", "TLS"}},
		{Config{SASL: true, TLS: true}, []string{"PLAINTEXT", "SASL", "TLS", "SASLTLS"}},
	} {
		require.Equal(t, row.want, row.config.clientListeners())
	}
}

func TestPasswordsMayHoldQuotes(t *testing.T) {
	c := Config{PlainUsers: map[string]string{"b": `say "x"`, "a": `back\slash`}}
	require.Equal(t, plainModule+` required user_a="back\\slash" user_b="say \"x\"";`, c.login("PLAIN"))
	require.Equal(t, scramModule+` required;`, c.login("SCRAM-SHA-256"), "SCRAM users are in the cluster's metadata")
}
