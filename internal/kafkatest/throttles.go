package kafkatest

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/IBM/sarama"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// The configuration keys that slow replication down.
var (
	throttleRates = []string{"leader.replication.throttled.rate", "follower.replication.throttled.rate", "replica.alter.log.dirs.io.max.bytes.per.second"}
	throttleLists = []string{"leader.replication.throttled.replicas", "follower.replication.throttled.replicas"}
)

// Throttle is one dynamic configuration entry that slows replication down.
type Throttle struct {
	Resource string // "broker 3", "every broker" for the cluster-wide default, or "topic orders"
	Name     string // the configuration key, as Kafka names it
	Value    string // bytes per second, or a list of partition:broker; an emptied list is an entry too
}

// Throttles reads every rate of the running brokers, the cluster-wide default rates, and the lists of every topic, in
// that order. A stopped broker cannot be asked for its own rates.
func (c *Cluster) Throttles() ([]Throttle, error) {
	var all []Throttle
	for _, n := range c.runningBrokers() {
		name := strconv.Itoa(int(n.id))
		found, err := throttles(n, kmsg.ConfigResourceTypeBroker, throttleRates, map[string]string{name: n.String()})
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	n, err := c.anyBroker()
	if err != nil {
		return nil, err
	}
	defaults, err := throttles(n, kmsg.ConfigResourceTypeBroker, throttleRates, map[string]string{"": "every broker"})
	if err != nil {
		return nil, err
	}
	placement, err := placementOf(n)
	if err != nil {
		return nil, err
	}
	topics := map[string]string{}
	for _, p := range placement {
		topics[p.Topic] = "topic " + p.Topic
	}
	lists, err := throttles(n, kmsg.ConfigResourceTypeTopic, throttleLists, topics)
	return slices.Concat(all, defaults, lists), err
}

// throttles asks for the named keys of several resources of one type; resources maps Kafka's names to ours.
func throttles(n *node, kind kmsg.ConfigResourceType, keys []string, resources map[string]string) ([]Throttle, error) {
	request := kmsg.NewPtrDescribeConfigsRequest()
	request.Version = 4
	for name := range resources {
		r := kmsg.NewDescribeConfigsRequestResource()
		r.ResourceType, r.ResourceName, r.ConfigNames = kind, name, keys
		request.Resources = append(request.Resources, r)
	}
	if len(request.Resources) == 0 {
		return nil, nil
	}
	answer, err := call[*kmsg.DescribeConfigsResponse](n.address(), request)
	if err != nil {
		return nil, err
	}
	var all []Throttle
	for _, r := range answer.Resources {
		if sarama.KError(r.ErrorCode) == sarama.ErrUnknownTopicOrPartition {
			continue // deleted since the metadata was read
		}
		if r.ErrorCode != 0 {
			return nil, fmt.Errorf("read the configuration of %s: %w", resources[r.ResourceName], sarama.KError(r.ErrorCode))
		}
		for _, entry := range r.Configs {
			if entry.Value != nil && ownEntry(entry.Source, r.ResourceName) {
				all = append(all, Throttle{Resource: resources[r.ResourceName], Name: entry.Name, Value: *entry.Value})
			}
		}
	}
	slices.SortFunc(all, func(a, b Throttle) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Name, b.Name))
	})
	return all, nil
}

// ownEntry says whether an entry was set on that very resource and is not inherited.
func ownEntry(source kmsg.ConfigSource, resource string) bool {
	switch source {
	case kmsg.ConfigSourceDynamicTopicConfig, kmsg.ConfigSourceDynamicBrokerConfig:
		return true
	case kmsg.ConfigSourceDynamicDefaultBrokerConfig:
		return resource == ""
	default:
		return false
	}
}
