package kafka

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// files are those that a test's process can read.
func files(name string) ([]byte, error) {
	content, exists := map[string]string{"/pw": "from file\n", "/user": "filed", "/ca.pem": "CA", "/c.pem": "C", "/k.pem": "K"}[name]
	if !exists {
		return nil, errors.New("open " + name + ": no such file")
	}
	return []byte(content), nil
}

func TestEnvironment(t *testing.T) {
	for name, row := range map[string]struct {
		environ string
		want    ClientConfig
	}{
		"nothing":           {"HOME=/root PATH=/bin", ClientConfig{}},
		"brokers":           {"KAFKA_BROKERS=a:9092,b:9092,", ClientConfig{Brokers: []string{"a:9092", "b:9092"}}},
		"bootstrap servers": {"KAFKA_BOOTSTRAP_SERVERS=a:9092", ClientConfig{Brokers: []string{"a:9092"}}},
		"both, the same":    {"KAFKA_BROKERS=a:9092 KAFKA_BOOTSTRAP_SERVERS=a:9092", ClientConfig{Brokers: []string{"a:9092"}}},
		"log-in": {"KAFKA_BROKERS=a:1 KAFKA_SASL_MECHANISM=scram-sha-512 KAFKA_SASL_USERNAME=u KAFKA_SASL_PASSWORD=p=q KAFKA_CLIENT_ID=me",
			ClientConfig{Brokers: []string{"a:1"}, ClientID: "me", SASL: sasl(SCRAMSHA512, "u", "p=q")}},
		"log-in from files": {"KAFKA_SASL_MECHANISM=PLAIN KAFKA_SASL_USERNAME_FILE=/user KAFKA_SASL_PASSWORD_FILE=/pw", ClientConfig{SASL: sasl(PLAIN, "filed", "from file")}},
		"TLS": {"KAFKA_TLS_ENABLED=true KAFKA_TLS_CAFILEPATH=/ca.pem KAFKA_TLS_CERTFILEPATH=/c.pem KAFKA_TLS_KEYFILEPATH=/k.pem KAFKA_TLS_SERVER_NAME=kafka",
			ClientConfig{TLS: TLS{Enabled: true, CA: []byte("CA"), Certificate: []byte("C"), Key: []byte("K"), ServerName: "kafka"}}},
		"set to nothing": {"KAFKA_BROKERS= KAFKA_UNHEARD_OF= KAFKA_TLS_ENABLED=", ClientConfig{}},
		"in Kubernetes":  {"KAFKA_SERVICE_HOST=10.0.0.1 KAFKA_SERVICE_PORT=9092 KAFKA_PORT=tcp://10.0.0.1:9092 KAFKA_PORT_9092_TCP=tcp://10.0.0.1:9092", ClientConfig{}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ClientConfigFromEnv(strings.Fields(row.environ), files)
			require.NoError(t, err)
			require.Equal(t, row.want, got)
		})
	}
}

func TestEnvironmentRefusals(t *testing.T) {
	for environ, want := range map[string]string{
		"KAFKA_BROKER=a:9092":                                   "KAFKA_BROKER is not known: use one of KAFKA_BROKERS, KAFKA_BOOTSTRAP_SERVERS",
		"KAFKA_BROKERS=a:1 KAFKA_BOOTSTRAP_SERVERS=b:1":         "KAFKA_BROKERS and KAFKA_BOOTSTRAP_SERVERS differ",
		"KAFKA_TLS_ENABLED=on":                                  `KAFKA_TLS_ENABLED is "on": write true or false`,
		"KAFKA_TLS_CAFILEPATH=/nowhere":                         "KAFKA_TLS_CAFILEPATH: open /nowhere: no such file",
		"KAFKA_SASL_PASSWORD=x KAFKA_SASL_PASSWORD_FILE=/pw":    "KAFKA_SASL_PASSWORD and KAFKA_SASL_PASSWORD_FILE are both set",
		"KAFKA_SASL_USERNAME_FILE=/nobody KAFKA_SASL_MECHANISM": "KAFKA_SASL_USERNAME_FILE: open /nobody",
	} {
		config, err := ClientConfigFromEnv(strings.Fields(environ), files)
		require.ErrorContains(t, err, want)
		require.Zero(t, config)
	}
	_, err := ClientConfigFromEnv([]string{"KAFKA_ONE=1", "KAFKA_TWO=2"}, files)
	require.ErrorContains(t, err, "KAFKA_ONE")
	require.ErrorContains(t, err, "KAFKA_TWO", "all at once")
}

func FuzzEnvironment(f *testing.F) {
	f.Add("KAFKA_BROKERS=a:1\nKAFKA_TLS_ENABLED=maybe")
	f.Add("KAFKA_SASL_PASSWORD_FILE=/pw\nnothing\n=")
	f.Fuzz(func(t *testing.T, environ string) {
		config, err := ClientConfigFromEnv(strings.Split(environ, "\n"), files)
		if err == nil {
			_ = config.Validate()
		}
	})
}
