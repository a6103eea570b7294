//go:build kafka

package kafka

import (
	"context"
	"encoding/base64"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/IBM/sarama"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/kafka-pilot/pilot/internal/kafkatest"
)

func TestKafkaOpensEveryKindOfListener(t *testing.T) {
	c := shared.Cluster(t)
	require.NoError(t, c.CreateUser("scram", "scram secret"))
	secure := TLS{Enabled: true, CA: c.CA()}
	for name, config := range map[string]ClientConfig{
		"plain text":             {Brokers: c.Bootstrap()},
		"TLS":                    {Brokers: c.BootstrapTLS(), TLS: secure},
		"TLS by name":            {Brokers: c.BootstrapTLS(), TLS: TLS{Enabled: true, CA: c.CA(), ServerName: "localhost"}},
		"PLAIN":                  {Brokers: c.BootstrapSASL(), SASL: sasl(PLAIN, "admin", "admin secret")},
		"SCRAM-SHA-256":          {Brokers: c.BootstrapSASL(), SASL: sasl(SCRAMSHA256, "scram", "scram secret")},
		"SCRAM-SHA-512 over TLS": {Brokers: c.BootstrapSASLTLS(), TLS: secure, SASL: sasl(SCRAMSHA512, "scram", "scram secret")},
		"OAUTHBEARER":            {Brokers: c.BootstrapSASL(), SASL: SASL{Mechanism: OAUTHBEARER, Tokens: unsigned("admin")}},
		"a sarama configuration": {Brokers: c.BootstrapTLS(), Sarama: saramaTLS(c)},
		"one address is dead":    {Brokers: append([]string{"127.0.0.1:1"}, c.Bootstrap()...)},
	} {
		t.Run(name, func(t *testing.T) {
			var client *Client
			require.True(t, eventually(func() (opened bool) { // users are known to all brokers within a second
				var err error
				client, err = Open(t.Context(), config)
				return err == nil
			}))
			defer client.Close()
			brokers, err := client.describeCluster(t.Context())
			require.NoError(t, err)
			require.Len(t, brokers, 5)
		})
	}
}

// unsigned hands out a token for a user that carries no signature.
type unsigned string

func (user unsigned) Token() (*sarama.AccessToken, error) {
	encode := base64.RawURLEncoding.EncodeToString
	claims := fmt.Sprintf(`{"sub":%q,"iat":%d,"exp":%d}`, string(user), time.Now().Unix()-5, time.Now().Unix()+600)
	return &sarama.AccessToken{Token: encode([]byte(`{"alg":"none"}`)) + "." + encode([]byte(claims)) + "."}, nil
}

func saramaTLS(c *kafkatest.Cluster) *sarama.Config {
	conf := sarama.NewConfig()
	conf.Net.TLS.Enable, conf.Net.TLS.Config = true, c.TLSConfig()
	return conf
}

// Each of these is one sentence, says what to do, leaves nothing running and comes within seconds.
func TestKafkaSaysWhyItCannotConnect(t *testing.T) {
	c := shared.Cluster(t)
	strange := listen(t, "HTTP/1.1 400 Bad Request\r\n\r\n")
	silent := listen(t, "")
	other, _ := selfSigned(t)
	require.NoError(t, c.CreateUser("scram", "scram secret"))
	for name, row := range map[string]struct {
		config ClientConfig
		want   string
	}{
		"nothing listens":        {ClientConfig{Brokers: []string{"127.0.0.1:1"}}, "check the address, and that the brokers run: 127.0.0.1:1 cannot be reached (connection refused)"},
		"no such host":           {ClientConfig{Brokers: []string{"nowhere.invalid:9092"}}, "nowhere.invalid:9092 cannot be reached (no such host)"},
		"not Kafka":              {ClientConfig{Brokers: []string{strange}}, "what answers at " + strange + " is not Kafka"},
		"nothing answers":        {ClientConfig{Brokers: []string{silent}}, "check the address, and that the brokers run"},
		"wrong password PLAIN":   {ClientConfig{Brokers: c.BootstrapSASL(), SASL: sasl(PLAIN, "admin", "wrong")}, `the brokers refuse user "admin" with PLAIN: check the user name and the password`},
		"wrong password SCRAM":   {ClientConfig{Brokers: c.BootstrapSASL(), SASL: sasl(SCRAMSHA512, "scram", "wrong")}, `the brokers refuse user "scram" with SCRAM-SHA-512`},
		"unknown user":           {ClientConfig{Brokers: c.BootstrapSASL(), SASL: sasl(SCRAMSHA256, "stranger", "x")}, `the brokers refuse user "stranger"`},
		"SASL where there is no": {ClientConfig{Brokers: c.Bootstrap(), SASL: sasl(PLAIN, "admin", "admin secret")}, "this listener knows no SASL"},
		"no SASL where needed":   {ClientConfig{Brokers: c.BootstrapSASL()}, "the listener may ask for SASL or TLS"},
		"no TLS where needed":    {ClientConfig{Brokers: c.BootstrapTLS()}, "speaks TLS: enable TLS"},
		"TLS where there is no":  {ClientConfig{Brokers: c.Bootstrap(), TLS: TLS{Enabled: true}}, "the listener may not speak TLS"},
		"unknown authority":      {ClientConfig{Brokers: c.BootstrapTLS(), TLS: TLS{Enabled: true, CA: other}}, "signed by an authority that is not trusted: give its certificate as CA"},
		"another name":           {ClientConfig{Brokers: c.BootstrapTLS(), TLS: TLS{Enabled: true, CA: c.CA(), ServerName: "kafka.example"}}, "certificate is for another name"},
	} {
		t.Run(name, func(t *testing.T) {
			before := goleak.IgnoreCurrent()
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			_, err := Open(ctx, row.config)
			require.ErrorContains(t, err, row.want)
			require.NotContains(t, err.Error(), "\n")
			require.NotContains(t, err.Error(), "secret")
			t.Log(err)
			goleak.VerifyNone(t, before)
		})
	}
}

// listen answers the first bytes of every connection with a text, or never.
func listen(t *testing.T, text string) (address string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
			if text != "" {
				_, _ = conn.Read(make([]byte, 1))
				_, _ = conn.Write([]byte(text))
			}
		}
	}()
	return l.Addr().String()
}

// A user without permissions must never be told that there is nothing.
func TestKafkaUserWithoutPermissionsIsTold(t *testing.T) {
	c := shared.Cluster(t)
	client := open(t, c, ClientConfig{Brokers: c.BootstrapSASL(), SASL: sasl(PLAIN, "nobody", "nobody secret")})
	x := NewExecutor(client)
	err := x.Check(t.Context())
	require.ErrorContains(t, err, "DESCRIBE on the cluster")
	require.NotContains(t, err.Error(), "\n\n")
	t.Log(strings.ReplaceAll(err.Error(), "\n", "; "))
}
