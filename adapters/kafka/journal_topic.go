package kafka

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/IBM/sarama"
)

// errUnsuitable says that there is a topic of the journal's name that cannot be used.
var errUnsuitable = errors.New("the topic cannot be used")

// journalReplicas is the replication factor of a journal, on clusters with enough brokers.
const journalReplicas = 3

// ensureJournalTopic creates the topic unless it exists, and checks it if it does.
func (c *Client) ensureJournalTopic(ctx context.Context, topic string) error {
	_, err := c.leaderOf(ctx, topic)
	var code sarama.KError
	if errors.As(err, &code) && code == sarama.ErrUnknownTopicOrPartition {
		return c.createJournalTopic(ctx, topic)
	}
	if err != nil && !passes(err) {
		return err
	}
	return c.checkJournalTopic(ctx, topic)
}

// createJournalTopic makes small segments: the cleaner leaves the last one alone, and all of it is read at a start.
func (c *Client) createJournalTopic(ctx context.Context, topic string) error {
	brokers, err := c.describeCluster(ctx)
	if err != nil {
		return err
	}
	replicas := min(journalReplicas, len(alive(brokers)))
	text := func(s string) *string { return &s }
	detail := &sarama.TopicDetail{
		NumPartitions: 1, ReplicationFactor: int16(replicas),
		ConfigEntries: map[string]*string{
			"cleanup.policy":            text("compact"),
			"min.insync.replicas":       text(strconv.Itoa(max(1, replicas-1))),
			"segment.bytes":             text("8388608"),
			"min.cleanable.dirty.ratio": text("0.1"),
			"compression.type":          text("producer"),
		},
	}
	return c.onAny(ctx, control, func(b *sarama.Broker) error {
		request := sarama.NewCreateTopicsRequest(sarama.V4_0_0_0, map[string]*sarama.TopicDetail{topic: detail}, serverTimeout, false)
		answer, err := b.CreateTopics(request)
		if err != nil {
			return err
		}
		result := answer.TopicErrors[topic]
		switch {
		case result == nil || result.Err == sarama.ErrNoError || result.Err == sarama.ErrTopicAlreadyExists:
			return nil
		case result.Err == sarama.ErrTopicAuthorizationFailed || result.Err == sarama.ErrClusterAuthorizationFailed:
			return denied("CREATE on topic "+topic, result.Err)
		}
		return fmt.Errorf("%w (%s)", refused("creating topic "+topic, result.Err), oneLine(deref(result.ErrMsg)))
	})
}

// checkJournalTopic refuses a topic that would lose values.
func (c *Client) checkJournalTopic(ctx context.Context, topic string) error {
	found, err := asked(c.any(ctx, control), func(b *sarama.Broker) (found configs, err error) {
		resources, err := askConfigs(b, sarama.TopicResource, []string{topic}, []string{"cleanup.policy"})
		if err != nil {
			return nil, err
		}
		for _, r := range resources {
			switch code := sarama.KError(r.ErrorCode); code {
			case sarama.ErrNoError:
				found = byName(r.Configs)
			case sarama.ErrTopicAuthorizationFailed:
				return nil, denied("DESCRIBE_CONFIGS on topic "+topic, code)
			default:
				return nil, refused("reading the settings of topic "+topic, code)
			}
		}
		return found, nil
	})
	if err != nil {
		return err
	}
	if policy := found["cleanup.policy"]; policy == nil || strings.TrimSpace(policy.Value) != "compact" {
		return fmt.Errorf("%w: the cleanup.policy of topic %s must be compact alone", errUnsuitable, topic)
	}
	return nil
}
