package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	mcpserver "github.com/kafka-pilot/pilot/adapters/mcp"
	"github.com/kafka-pilot/pilot/balance"
)

// files is a disk with two files.
func files(path string) ([]byte, error) {
	switch path {
	case "token":
		return []byte("from-a-file-1234567\n"), nil
	case "empty":
		return nil, nil
	}
	return nil, errors.New("open " + path + ": no such file or directory")
}

// start runs the program to its end and returns its exit status and what it wrote.
func start(environ []string, args ...string) (code int, out, log string) {
	var o, l bytes.Buffer
	code = run(context.Background(), host{args: args, environ: environ, readFile: files, out: &o, log: &l})
	return code, o.String(), l.String()
}

// TestBadInput: one sentence for each mistake, which names it and says what to do; nothing is started.
func TestBadInput(t *testing.T) {
	for want, c := range map[string]struct {
		environ []string
		args    []string
	}{
		`flag provided but not defined: -fast: there are -sim, -bootstrap HOST:PORT and -h`: {nil, []string{"-fast"}},
		`flag needs an argument: -bootstrap: there are -sim`:                                {nil, []string{"-bootstrap"}},
		`unexpected argument "now": there are only flags, -h lists them`:                    {nil, []string{"-sim", "now"}},
		`-sim and -bootstrap exclude each other: give one of them`:                          {nil, []string{"-sim", "-bootstrap", "k:9092"}},
		`-bootstrap "k": write HOST:PORT, such as localhost:9092`:                           {nil, []string{"-bootstrap", "k"}},
		`no cluster is given: use -bootstrap HOST:PORT, KAFKA_BROKERS, or -sim`:             {nil, nil},

		`PILOT_BALANCE_TRESHOLD is not known: use one of PILOT_LISTEN, `: {[]string{"PILOT_BALANCE_TRESHOLD=5"}, []string{"-sim"}},
		`PILOT_BALANCE_THRESHOLD: "0.05" is not between 1 and 50`:        {[]string{"PILOT_BALANCE_THRESHOLD=0.05"}, []string{"-sim"}},
		`PILOT_BALANCE_FLOOR: `:                                           {[]string{"PILOT_BALANCE_FLOOR=bytes=2Mb/s"}, []string{"-sim"}},
		`PILOT_BALANCE_RACK_AWARE is "yes": write true or false`:          {[]string{"PILOT_BALANCE_RACK_AWARE=yes"}, []string{"-sim"}},
		`PILOT_MOVE_MAX_PER_BROKER is "0": write a whole number from 1`:   {[]string{"PILOT_MOVE_MAX_PER_BROKER=0"}, []string{"-sim"}},
		`PILOT_MOVE_MAX_PER_BROKER is "few": write a whole number from 1`: {[]string{"PILOT_MOVE_MAX_PER_BROKER=few"}, []string{"-sim"}},
		`PILOT_THROTTLE_MANAGED is "1": write true or false`:              {[]string{"PILOT_THROTTLE_MANAGED=1"}, []string{"-sim"}},
		`PILOT_THROTTLE: "50"`:                                            {[]string{"PILOT_THROTTLE=50"}, []string{"-sim"}},
		`PILOT_THROTTLE: throttle of 50 B/s would never finish`:           {[]string{"PILOT_THROTTLE=50B/s"}, []string{"-sim"}},
		`PILOT_THROTTLE is set, but with PILOT_THROTTLE_MANAGED=false no throttle is`: {
			[]string{"PILOT_THROTTLE=50MB/s", "PILOT_THROTTLE_MANAGED=false"}, []string{"-sim"}},
		`PILOT_BROKER_PROFILE: `:                             {[]string{"PILOT_BROKER_PROFILE=network=10Gb/s"}, []string{"-sim"}},
		`PILOT_BROKER_PROFILE_FILE: open gone: no such file`: {[]string{"PILOT_BROKER_PROFILE_FILE=gone"}, []string{"-sim"}},

		`PILOT_LISTEN is "8080": write HOST:PORT, such as 127.0.0.1:8080`:                {[]string{"PILOT_LISTEN=8080"}, []string{"-sim"}},
		`PILOT_LISTEN is "127.0.0.1:http": write HOST:PORT`:                              {[]string{"PILOT_LISTEN=127.0.0.1:http"}, []string{"-sim"}},
		`PILOT_LISTEN is :8080, which others can reach, and there is no token`:           {[]string{"PILOT_LISTEN=:8080"}, []string{"-sim"}},
		`PILOT_LISTEN is 0.0.0.0:8080, which others can reach, and there is no token`:    {[]string{"PILOT_LISTEN=0.0.0.0:8080"}, []string{"-sim"}},
		`PILOT_LISTEN is kafka-7:8080, which others can reach, and there is no token`:    {[]string{"PILOT_LISTEN=kafka-7:8080"}, []string{"-sim"}},
		`PILOT_MCP_MODE is "rw": write read_only or write`:                               {[]string{"PILOT_MCP_MODE=rw"}, []string{"-sim"}},
		`PILOT_MCP_TOKEN: use at least 16 characters without spaces`:                     {[]string{"PILOT_MCP_TOKEN=secret"}, []string{"-sim"}},
		`PILOT_MCP_TOKEN_FILE: open gone: no such file or directory`:                     {[]string{"PILOT_MCP_TOKEN_FILE=gone", "PILOT_LISTEN=:1"}, []string{"-sim"}},
		`PILOT_MCP_TOKEN_FILE: the file is empty: write the token into it`:               {[]string{"PILOT_MCP_TOKEN_FILE=empty"}, []string{"-sim"}},
		`PILOT_MCP_TOKEN and PILOT_MCP_TOKEN_FILE are both set: set one of them`:         {[]string{"PILOT_MCP_TOKEN_FILE=token", "PILOT_MCP_TOKEN=0123456789abcdef"}, []string{"-sim"}},
		`KAFKA_BROKER is not known: use one of KAFKA_BROKERS, KAFKA_BOOTSTRAP_SERVERS`:   {[]string{"KAFKA_BROKER=k:9092"}, []string{"-bootstrap", "k:9092"}},
		`KAFKA_TLS_ENABLED is "on": write true or false`:                                 {[]string{"KAFKA_TLS_ENABLED=on"}, []string{"-bootstrap", "k:9092"}},
		`the settings of Kafka: Brokers has "k": write host:port`:                        {[]string{"KAFKA_BROKERS=k"}, nil},
		`the settings of Kafka: SASL.Mechanism is "GSSAPI": use one of PLAIN, SCRAM-SHA`: {[]string{"KAFKA_SASL_MECHANISM=GSSAPI"}, []string{"-bootstrap", "k:9092"}},
	} {
		t.Run(want, func(t *testing.T) {
			code, out, log := start(c.environ, c.args...)
			require.Equal(t, 2, code, log)
			require.Empty(t, out)
			require.True(t, strings.HasPrefix(log, "server: "+want), log)
			require.Equal(t, 1, strings.Count(log, "\n"), log)
			require.NotContains(t, log, "secret")
		})
	}
}

// TestAllMistakesAtOnce saves a round for each.
func TestAllMistakesAtOnce(t *testing.T) {
	code, _, log := start([]string{"PILOT_X=1", "PILOT_MCP_MODE=rw", "PILOT_BALANCE_THRESHOLD=0", "PILOT_THROTTLE=1"}, "-sim")
	require.Equal(t, 2, code)
	for _, name := range []string{"PILOT_X", "PILOT_MCP_MODE", "PILOT_BALANCE_THRESHOLD", "PILOT_THROTTLE"} {
		require.Regexp(t, regexp.MustCompile("(?m)^server: "+name), log)
	}
}

func TestGoodInput(t *testing.T) {
	s, err := readSettings(host{args: []string{"-sim"}, readFile: files})
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1:8080", s.listen)
	require.Equal(t, mcpserver.ReadOnly, s.mcp)
	require.Equal(t, 0.05, s.policy.Threshold)
	require.Equal(t, balance.Floor{}, s.policy.Floor)
	require.False(t, s.policy.RackAware)
	require.Equal(t, 20, s.limits.MaxPerBroker)
	require.True(t, s.limits.Managed)
	require.Zero(t, s.limits.Throttle)
	require.True(t, s.profile.IsZero())

	s, err = readSettings(host{readFile: files, args: []string{"-bootstrap", "a:1,b:2"}, environ: []string{
		"PILOT_LISTEN=[::1]:9", "PILOT_MCP_MODE=write", "PILOT_MCP_TOKEN_FILE=token", "PILOT_BALANCE_THRESHOLD=10%",
		"PILOT_BALANCE_FLOOR=disk=2GiB", "PILOT_BALANCE_RACK_AWARE=true", "PILOT_MOVE_MAX_PER_BROKER=5",
		"PILOT_THROTTLE=50MB/s", "PILOT_BROKER_PROFILE=disk=1TiB", "KAFKA_BROKERS=other:1", "KAFKA_CLIENT_ID=me",
		"PILOT_SERVICE_HOST=10.0.0.1", "PILOT_PORT=tcp://10.0.0.1:80", "PILOT_THROTTLE_MANAGED=", "HOME=/root",
	}})
	require.NoError(t, err)
	require.Equal(t, []string{"a:1", "b:2"}, s.kafka.Brokers, "the flag goes before the variable")
	require.Equal(t, "me", s.kafka.ClientID)
	require.Equal(t, mcpserver.Write, s.mcp)
	require.Equal(t, "from-a-file-1234567", s.token)
	require.Equal(t, 0.1, s.policy.Threshold)
	require.True(t, s.policy.RackAware)
	require.EqualValues(t, 2<<30, s.policy.Floor.Disk)
	require.Equal(t, 5, s.limits.MaxPerBroker)
	require.EqualValues(t, 50_000_000, s.limits.Throttle)
	require.Equal(t, "disk=1TiB", s.profile.String())

	s, err = readSettings(host{args: []string{"-sim"}, readFile: files, environ: []string{"PILOT_LISTEN=:80", "PILOT_MCP_TOKEN=0123456789abcdef"}})
	require.NoError(t, err, "with a token others may reach it")
	require.Equal(t, "0123456789abcdef", s.token)
}

// TestUsage names every variable that there is.
func TestUsage(t *testing.T) {
	code, out, log := start(nil, "-h")
	require.Zero(t, code)
	require.Empty(t, log)
	require.Equal(t, usage, out)
	source, err := os.ReadFile("settings.go")
	require.NoError(t, err)
	for _, found := range regexp.MustCompile(`env:"(PILOT_\w+)"`).FindAllStringSubmatch(string(source), -1) {
		require.Contains(t, usage, found[1])
	}
}

// TestClusterThatCannotBeUsed: one sentence and 1.
func TestClusterThatCannotBeUsed(t *testing.T) {
	code, out, log := start([]string{"PILOT_LISTEN=127.0.0.1:0"}, "-bootstrap", "127.0.0.1:1")
	require.Equal(t, 1, code)
	require.Empty(t, out)
	require.Contains(t, log, "server: cannot connect to Kafka: ")
	require.Contains(t, log, "127.0.0.1:1 cannot be reached")
	require.Equal(t, 1, strings.Count(log, "\n"), log)
}

func FuzzSettings(f *testing.F) {
	f.Add("PILOT_THROTTLE", "50MB/s")
	f.Add("PILOT_LISTEN", "[::1]:80")
	f.Add("PILOT_MCP_TOKEN", "secret")
	f.Add("PILOT_BALANCE_FLOOR", "off")
	f.Add("KAFKA_BROKERS", "a:1,b")
	f.Fuzz(func(t *testing.T, name, value string) {
		for _, args := range [][]string{{"-sim"}, {"-bootstrap", value}} {
			s, err := readSettings(host{args: args, environ: []string{name + "=" + value}, readFile: files})
			if err != nil {
				require.NotEmpty(t, err.Error())
				continue
			}
			require.NoError(t, s.limits.Validate())
			local, err := isLoopback(s.listen)
			require.NoError(t, err)
			require.True(t, local || s.token != "")
		}
	})
}
