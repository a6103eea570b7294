package kafka

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/IBM/sarama"
)

// The settings that are read and changed here.
const (
	minISRKey       = "min.insync.replicas"
	leaderRateKey   = "leader.replication.throttled.rate"
	followerRateKey = "follower.replication.throttled.rate"
	leaderListKey   = "leader.replication.throttled.replicas"
	followerListKey = "follower.replication.throttled.replicas"
)

// configs are settings of one resource by name.
type configs map[string]*sarama.ConfigEntry

// own returns the value of a setting if it is set on the resource itself.
func (c configs) own(name string) (string, bool) {
	entry := c[name]
	if entry == nil || entry.Source != sarama.SourceTopic && entry.Source != sarama.SourceDynamicBroker {
		return "", false
	}
	return entry.Value, true
}

// int32 returns the effective value of a setting, 0 when there is none.
func (c configs) int32(name string) int32 {
	if c[name] == nil {
		return 0
	}
	n, err := strconv.ParseInt(c[name].Value, 10, 32)
	if err != nil {
		return 0
	}
	return int32(n)
}

// topicConfigs reads the settings named of the topics that exist. A topic whose settings may not be read has none.
func (x *Executor) topicConfigs(ctx context.Context, topics, keys []string) (map[string]configs, error) {
	found := map[string]configs{}
	for part := range slices.Chunk(topics, batch) {
		some, err := asked(x.client.any(ctx, control), func(b *sarama.Broker) (map[string]configs, error) {
			return askTopicConfigs(b, part, keys)
		})
		if err != nil {
			return nil, err
		}
		maps.Copy(found, some)
	}
	return found, nil
}

func askTopicConfigs(b *sarama.Broker, topics, keys []string) (map[string]configs, error) {
	answers, err := askConfigs(b, sarama.TopicResource, topics, keys)
	if err != nil {
		return nil, err
	}
	found := map[string]configs{}
	for _, r := range answers {
		switch code := sarama.KError(r.ErrorCode); code {
		case sarama.ErrNoError:
			found[r.Name] = byName(r.Configs)
		case sarama.ErrTopicAuthorizationFailed:
			found[r.Name] = configs{deniedKey: nil}
		case sarama.ErrUnknownTopicOrPartition, sarama.ErrInvalidTopic:
		default:
			return nil, refused(fmt.Sprintf("reading the settings of topic %q", r.Name), code)
		}
	}
	return found, nil
}

// deniedKey marks the settings of a topic that may not be read.
const deniedKey = ""

func (c configs) denied() bool { _, denied := c[deniedKey]; return denied }

// askConfigs reads the settings named, and only those: all settings of ten thousand topics would be tens of megabytes.
func askConfigs(b *sarama.Broker, kind sarama.ConfigResourceType, resources, keys []string) ([]*sarama.ResourceResponse, error) {
	request := &sarama.DescribeConfigsRequest{Version: 4}
	for _, name := range resources {
		request.Resources = append(request.Resources, &sarama.ConfigResource{Type: kind, Name: name, ConfigNames: keys})
	}
	answer, err := b.DescribeConfigs(request)
	if err != nil {
		return nil, err
	}
	return answer.Resources, nil
}

func byName(entries []*sarama.ConfigEntry) configs {
	c := configs{}
	for _, entry := range entries {
		c[entry.Name] = entry
	}
	return c
}
