package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/reassign"
)

var (
	rateKeys = []string{leaderRateKey, followerRateKey}
	listKeys = []string{leaderListKey, followerListKey}
)

// Throttles implements reassign.Executor. A broker answers for its own rates alone, so those that are down are left
// out.
func (x *Executor) Throttles(ctx context.Context, brokers []int32, topics []string) (reassign.Throttles, error) {
	if ctx.Err() != nil {
		return reassign.Throttles{}, context.Cause(ctx)
	}
	var found reassign.Throttles
	var err error
	if found.Topics, err = x.lists(ctx, sortedSet(topics)); err != nil {
		return reassign.Throttles{}, fmt.Errorf("reading the lists of throttled replicas: %w", err)
	}
	if len(brokers) == 0 {
		return found, nil
	}
	registered, err := x.brokers(ctx)
	if err != nil {
		return reassign.Throttles{}, err
	}
	up := slices.DeleteFunc(sortedSet(brokers), func(b int32) bool { return !slices.Contains(alive(registered), b) })
	for _, a := range askEach(ctx, x.client, up, control, brokerPatience, askRates) {
		var lacks *DeniedError
		switch {
		case a.err == nil:
			found.Brokers = append(found.Brokers, a.value)
		case errors.As(a.err, &lacks), ctx.Err() != nil:
			return reassign.Throttles{}, fmt.Errorf("reading the throttles of broker %d: %w", a.broker, a.err)
		}
	}
	return found, nil
}

// brokers asks for the registered brokers on the control connection.
func (x *Executor) brokers(ctx context.Context) ([]brokerInfo, error) {
	brokers, err := asked(x.client.any(ctx, control), askCluster)
	if err == nil {
		x.client.learn(brokers)
	}
	return brokers, err
}

// lists reads the lists of the topics that exist.
func (x *Executor) lists(ctx context.Context, topics []string) ([]reassign.TopicThrottle, error) {
	found, err := x.topicConfigs(ctx, topics, listKeys)
	if err != nil {
		return nil, err
	}
	var lists []reassign.TopicThrottle
	for _, name := range topics {
		c, exists := found[name]
		if !exists {
			continue
		}
		if c.denied() {
			return nil, denied(fmt.Sprintf("DESCRIBE_CONFIGS on topic %q", name), sarama.ErrTopicAuthorizationFailed)
		}
		t := reassign.TopicThrottle{Topic: name}
		t.Leader, err = parseList(c.own(leaderListKey))
		if err == nil {
			t.Follower, err = parseList(c.own(followerListKey))
		}
		if err != nil {
			return nil, fmt.Errorf("topic %q: %w", name, err)
		}
		lists = append(lists, t)
	}
	return lists, nil
}

// askRates reads a broker's two rates from that broker.
func askRates(b *sarama.Broker, id int32) (reassign.BrokerThrottle, error) {
	found := reassign.BrokerThrottle{Broker: id}
	resources, err := askConfigs(b, sarama.BrokerResource, []string{strconv.Itoa(int(id))}, rateKeys)
	if err != nil {
		return found, err
	}
	if len(resources) != 1 {
		return found, fmt.Errorf("broker %d describes %d resources instead of one", id, len(resources))
	}
	r := resources[0]
	switch code := sarama.KError(r.ErrorCode); code {
	case sarama.ErrNoError:
	case sarama.ErrClusterAuthorizationFailed:
		return found, denied("DESCRIBE_CONFIGS on the cluster", code)
	default:
		return found, refused(fmt.Sprintf("reading the settings of broker %d", id), code)
	}
	c := byName(r.Configs)
	if found.Leader, err = rateOf(c.own(leaderRateKey)); err == nil {
		found.Follower, err = rateOf(c.own(followerRateKey))
	}
	return found, err
}

func rateOf(text string, set bool) (*int64, error) {
	if !set {
		return nil, nil
	}
	rate, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%q is no rate", oneLine(text))
	}
	return &rate, nil
}

func sortedSet[T string | int32](items []T) []T {
	return slices.Compact(slices.Sorted(slices.Values(items)))
}
