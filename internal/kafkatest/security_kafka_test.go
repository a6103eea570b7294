//go:build kafka

package kafkatest

import (
	"crypto/tls"
	"fmt"
	"testing"

	"github.com/IBM/sarama"
	"github.com/stretchr/testify/require"
	"github.com/xdg-go/scram"
)

// topicsSeen lists topics as a client with the settings given sees them.
func topicsSeen(bootstrap []string, set func(*sarama.Config)) (int, error) {
	config := sarama.NewConfig()
	config.Version = sarama.V3_6_0_0
	config.Metadata.Retry.Max = 0
	set(config)
	a, err := sarama.NewClusterAdmin(bootstrap, config)
	if err != nil {
		return 0, err
	}
	defer a.Close()
	topics, err := a.ListTopics()
	return len(topics), err
}

func as(mechanism sarama.SASLMechanism, user, password string) func(*sarama.Config) {
	return func(config *sarama.Config) {
		config.Net.SASL.Enable = true
		config.Net.SASL.Mechanism = mechanism
		config.Net.SASL.User, config.Net.SASL.Password = user, password
		hash := scram.SHA256
		if mechanism == sarama.SASLTypeSCRAMSHA512 {
			hash = scram.SHA512
		}
		config.Net.SASL.SCRAMClientGeneratorFunc = func() sarama.SCRAMClient { return &scramClient{hash: hash} }
	}
}

type scramClient struct {
	hash scram.HashGeneratorFcn
	*scram.ClientConversation
}

func (s *scramClient) Begin(user, password, authorization string) error {
	client, err := s.hash.NewClient(user, password, authorization)
	if err == nil {
		s.ClientConversation = client.NewConversation()
	}
	return err
}

func TestKafkaEveryListenerLetsTheRightClientsIn(t *testing.T) {
	c := shared.Cluster(t)
	require.NoError(t, c.CreateTopic("guarded", [][]int32{{1}}, nil))
	require.NoError(t, c.CreateUser("admin", "admin secret"))
	overTLS := func(set func(*sarama.Config)) func(*sarama.Config) {
		return func(config *sarama.Config) {
			config.Net.TLS.Enable, config.Net.TLS.Config = true, c.TLSConfig()
			set(config)
		}
	}
	nobody := func(*sarama.Config) {}
	for name, row := range map[string]struct {
		bootstrap []string
		set       func(*sarama.Config)
	}{
		"plain text":             {c.Bootstrap(), nobody},
		"TLS":                    {c.BootstrapTLS(), overTLS(nobody)},
		"SASL PLAIN":             {c.BootstrapSASL(), as(sarama.SASLTypePlaintext, "admin", "admin secret")},
		"SCRAM-SHA-256":          {c.BootstrapSASL(), as(sarama.SASLTypeSCRAMSHA256, "admin", "admin secret")},
		"SCRAM-SHA-512 over TLS": {c.BootstrapSASLTLS(), overTLS(as(sarama.SASLTypeSCRAMSHA512, "admin", "admin secret"))},
		"PLAIN over TLS":         {c.BootstrapSASLTLS(), overTLS(as(sarama.SASLTypePlaintext, "admin", "admin secret"))},
	} {
		require.NoError(t, c.await(name+" works", func() error {
			seen, err := topicsSeen(row.bootstrap, row.set)
			if err == nil && seen == 0 {
				err = fmt.Errorf("no topic is shown")
			}
			return err
		}))
	}

	_, err := topicsSeen(c.BootstrapSASL(), as(sarama.SASLTypePlaintext, "admin", "wrong"))
	require.ErrorContains(t, err, "Authentication failed")
	_, err = topicsSeen(c.BootstrapTLS(), func(config *sarama.Config) {
		config.Net.TLS.Enable, config.Net.TLS.Config = true, &tls.Config{}
	})
	require.ErrorContains(t, err, "certificate signed by unknown authority")
	require.NoError(t, c.DeleteTopic("guarded"))
}

func TestKafkaACLsDecideWhatAUserSees(t *testing.T) {
	c := shared.Cluster(t)
	require.NoError(t, c.CreateTopic("secret", [][]int32{{1}}, nil))
	bob := as(sarama.SASLTypePlaintext, "bob", shared.Config.PlainUsers["bob"])
	seen, err := topicsSeen(c.BootstrapSASL(), bob)
	require.NoError(t, err)
	require.Zero(t, seen)
	require.NoError(t, c.CreateACL("bob", sarama.AclResourceTopic, "secret", sarama.AclOperationDescribe, sarama.AclOperationDescribeConfigs))
	require.NoError(t, c.await("bob sees the topic", func() error {
		seen, err := topicsSeen(c.BootstrapSASL(), bob)
		if err == nil && seen != 1 {
			err = fmt.Errorf("bob sees %d topics", seen)
		}
		return err
	}))
	require.NoError(t, c.DeleteTopic("secret"))
}
