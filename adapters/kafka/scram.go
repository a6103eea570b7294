package kafka

import (
	"github.com/IBM/sarama"
	"github.com/xdg-go/scram"
)

// scramClient is one log-in by SCRAM, in the form that sarama asks for.
type scramClient struct {
	hash         scram.HashGeneratorFcn
	conversation *scram.ClientConversation
}

// scramGenerator returns nil for mechanisms other than SCRAM.
func scramGenerator(mechanism string) func() sarama.SCRAMClient {
	switch mechanism {
	case SCRAMSHA256:
		return func() sarama.SCRAMClient { return &scramClient{hash: scram.SHA256} }
	case SCRAMSHA512:
		return func() sarama.SCRAMClient { return &scramClient{hash: scram.SHA512} }
	}
	return nil
}

// Begin starts a conversation.
func (s *scramClient) Begin(user, password, authorization string) error {
	client, err := s.hash.NewClient(user, password, authorization)
	if err != nil {
		return err
	}
	s.conversation = client.NewConversation()
	return nil
}

// Step answers the broker's challenge.
func (s *scramClient) Step(challenge string) (string, error) { return s.conversation.Step(challenge) }

// Done reports whether both sides have proved that they know the password.
func (s *scramClient) Done() bool { return s.conversation.Done() }
