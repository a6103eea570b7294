package kafka

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/IBM/sarama"
	"github.com/stretchr/testify/require"
	"github.com/xdg-go/scram"
)

type tokens struct{}

func (tokens) Token() (*sarama.AccessToken, error) { return &sarama.AccessToken{Token: "t"}, nil }

func TestConfigurationSaysAllThatIsWrong(t *testing.T) {
	certificate, key := selfSigned(t)
	_, otherKey := selfSigned(t)
	one := []string{"kafka:9092"}
	for name, row := range map[string]struct {
		config ClientConfig
		wants  []string
	}{
		"nothing":        {ClientConfig{}, []string{"Brokers is empty"}},
		"addresses":      {ClientConfig{Brokers: []string{"kafka", "kafka:x", ":9092", "kafka:0", "[::1]:9092"}}, []string{`Brokers has "kafka"`, `"kafka:x"`, `":9092"`, `"kafka:0"`}},
		"no mechanism":   {ClientConfig{Brokers: one, SASL: SASL{Username: "u"}}, []string{"SASL.Mechanism is empty, but there is something to log in with"}},
		"wrong one":      {ClientConfig{Brokers: one, SASL: SASL{Mechanism: "SCRAM"}}, []string{`SASL.Mechanism is "SCRAM": use one of PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER`}},
		"no user":        {ClientConfig{Brokers: one, SASL: SASL{Mechanism: PLAIN}}, []string{"SASL.Username is empty", "SASL.Password is empty"}},
		"no tokens":      {ClientConfig{Brokers: one, SASL: SASL{Mechanism: OAUTHBEARER}}, []string{"SASL.Tokens is nil"}},
		"TLS is off":     {ClientConfig{Brokers: one, TLS: TLS{ServerName: "x"}}, []string{"TLS.Enabled is false, but there are TLS settings"}},
		"CA":             {ClientConfig{Brokers: one, TLS: TLS{Enabled: true, CA: []byte("none")}}, []string{"TLS.CA holds no certificate in PEM form"}},
		"another's key":  {ClientConfig{Brokers: one, TLS: TLS{Enabled: true, Certificate: certificate, Key: otherKey}}, []string{"TLS.Certificate and TLS.Key do not belong together"}},
		"both":           {ClientConfig{Brokers: one, Sarama: sarama.NewConfig(), TLS: TLS{Enabled: true}}, []string{"Sarama is given as well as SASL or TLS"}},
		"several things": {ClientConfig{SASL: SASL{Mechanism: PLAIN}, TLS: TLS{Enabled: true, CA: []byte{}}}, []string{"Brokers is empty", "SASL.Username", "TLS.CA"}},
	} {
		t.Run(name, func(t *testing.T) {
			err := row.config.Validate()
			for _, want := range row.wants {
				require.ErrorContains(t, err, want)
			}
			_, err = row.config.build()
			require.Error(t, err)
		})
	}
	good := ClientConfig{Brokers: one, SASL: sasl("", "", ""), TLS: TLS{Enabled: true, CA: certificate, Certificate: certificate, Key: key}}
	require.NoError(t, good.Validate())
}

func sasl(mechanism, user, password string) SASL {
	return SASL{Mechanism: mechanism, Username: user, Password: Secret(password)}
}

func TestConnectionsStartFromOurSettings(t *testing.T) {
	certificate, _ := selfSigned(t)
	conf, err := ClientConfig{
		Brokers: []string{"kafka:9093"}, SASL: sasl(SCRAMSHA512, "u", "p"), TLS: TLS{Enabled: true, CA: certificate, ServerName: "kafka"},
	}.build()
	require.NoError(t, err)
	require.Equal(t, sarama.V4_0_0_0, conf.Version)
	require.Equal(t, "kafka-pilot", conf.ClientID)
	require.False(t, conf.Metadata.AllowAutoTopicCreation)
	require.Zero(t, conf.Admin.Retry.Max)
	require.Equal(t, 5*time.Second, conf.Net.DialTimeout)
	require.Equal(t, "p", conf.Net.SASL.Password)
	require.NotNil(t, conf.Net.SASL.SCRAMClientGeneratorFunc)
	require.Equal(t, "kafka", conf.Net.TLS.Config.ServerName)

	conf, err = ClientConfig{Brokers: []string{"kafka:9092"}, SASL: SASL{Mechanism: OAUTHBEARER, Tokens: tokens{}}}.build()
	require.NoError(t, err)
	require.Equal(t, tokens{}, conf.Net.SASL.TokenProvider)
}

func TestOwnSaramaConfigurationGivesTheNetworkAlone(t *testing.T) {
	own := sarama.NewConfig()
	own.Version, own.Net.SASL.Enable, own.Net.SASL.User, own.Net.SASL.Password = sarama.V2_0_0_0, true, "u", "p"
	own.Net.ReadTimeout = time.Second
	conf, err := ClientConfig{Brokers: []string{"kafka:9092"}, Sarama: own}.build()
	require.NoError(t, err)
	require.Equal(t, "u", conf.Net.SASL.User)
	require.Equal(t, sarama.V4_0_0_0, conf.Version)
	require.Equal(t, readTimeout, conf.Net.ReadTimeout)
	require.Equal(t, "kafka-pilot", conf.ClientID)
	require.Equal(t, time.Second, own.Net.ReadTimeout, "it is copied")
	own.ClientID = "billing"
	conf, err = ClientConfig{Brokers: []string{"kafka:9092"}, Sarama: own}.build()
	require.NoError(t, err)
	require.Equal(t, "billing", conf.ClientID)
	own.Net.SASL.User = ""
	_, err = ClientConfig{Brokers: []string{"kafka:9092"}, Sarama: own}.build()
	require.ErrorContains(t, err, "the client's configuration: ")
}

func TestPasswordsAreNeverPrinted(t *testing.T) {
	config := ClientConfig{Brokers: []string{"kafka:9092"}, SASL: sasl(PLAIN, "admin", "correct horse")}
	text, err := json.Marshal(struct{ Password Secret }{config.SASL.Password})
	require.NoError(t, err)
	for _, printed := range []string{fmt.Sprint(config), fmt.Sprintf("%+v", config), fmt.Sprintf("%#v", config), fmt.Sprintf("%q", config.SASL.Password), string(text)} {
		require.NotContains(t, printed, "horse")
		require.Contains(t, printed, "(hidden)")
	}
	require.Empty(t, Secret("").String())
}

// Both sides of a log-in, the broker's from the other half of the library.
func TestScramProvesThePassword(t *testing.T) {
	for mechanism, hash := range map[string]scram.HashGeneratorFcn{SCRAMSHA256: scram.SHA256, SCRAMSHA512: scram.SHA512} {
		credentials, err := hash.NewClient("u", "secret", "")
		require.NoError(t, err)
		kept, err := credentials.GetStoredCredentialsWithError(scram.KeyFactors{Salt: "salt", Iters: 4096})
		require.NoError(t, err)
		server, err := hash.NewServer(func(string) (scram.StoredCredentials, error) { return kept, nil })
		require.NoError(t, err)
		require.NoError(t, logIn(scramGenerator(mechanism)(), server, "secret"))
		require.Error(t, logIn(scramGenerator(mechanism)(), server, "wrong"))
	}
	require.Nil(t, scramGenerator(PLAIN))
	require.Error(t, (&scramClient{hash: scram.SHA256}).Begin("u", "\x07", ""), "a control character cannot be in a password")
}

func logIn(client sarama.SCRAMClient, server *scram.Server, password string) error {
	if err := client.Begin("u", password, ""); err != nil {
		return err
	}
	conversation := server.NewConversation()
	challenge := ""
	for !client.Done() {
		said, err := client.Step(challenge)
		if err != nil || client.Done() {
			return err
		}
		if challenge, err = conversation.Step(said); err != nil {
			return err
		}
	}
	if !conversation.Valid() {
		return errors.New("the server is not convinced")
	}
	return nil
}
