package kafkatest

import (
	"errors"
	"fmt"
	"time"

	"github.com/IBM/sarama"
)

// client is the configuration of the harness's own sarama clients, on the plain listener.
func client() *sarama.Config {
	config := sarama.NewConfig()
	config.ClientID = clientID
	config.Version = sarama.V3_6_0_0
	config.Metadata.Retry.Max = 60
	config.Metadata.Retry.Backoff = 250 * time.Millisecond
	config.Metadata.RefreshFrequency = 30 * time.Second
	return config
}

func (c *Cluster) admin(do func(sarama.ClusterAdmin) error) error {
	a, err := sarama.NewClusterAdmin(c.runningBootstrap(), client())
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	return errors.Join(do(a), a.Close())
}

// CreateTopic makes a topic whose partition i has the replicas assignments[i], the preferred leader first, with topic
// configuration or nil, and returns when every running broker shows all leaders.
func (c *Cluster) CreateTopic(name string, assignments [][]int32, config map[string]string) error {
	detail := &sarama.TopicDetail{NumPartitions: -1, ReplicationFactor: -1, ReplicaAssignment: map[int32][]int32{}, ConfigEntries: map[string]*string{}}
	for p, replicas := range assignments {
		detail.ReplicaAssignment[int32(p)] = replicas
	}
	for key, value := range config {
		detail.ConfigEntries[key] = &value
	}
	err := c.admin(func(a sarama.ClusterAdmin) error { return a.CreateTopic(name, detail, false) })
	if err != nil {
		return fmt.Errorf("create topic %s: %w", name, err)
	}
	return c.awaitTopic(name, len(assignments))
}

// DeleteTopic deletes a topic and returns when no running broker shows it any more.
func (c *Cluster) DeleteTopic(name string) error {
	if err := c.admin(func(a sarama.ClusterAdmin) error { return a.DeleteTopic(name) }); err != nil {
		return fmt.Errorf("delete topic %s: %w", name, err)
	}
	return c.awaitTopic(name, 0)
}

// awaitTopic waits until every running broker shows a leader for that many partitions of the topic, and no more partitions.
func (c *Cluster) awaitTopic(name string, partitions int) error {
	return c.await(fmt.Sprintf("topic %s has %d partitions everywhere", name, partitions), func() error {
		for _, n := range c.runningBrokers() {
			all, err := placementOf(n)
			if err != nil {
				return err
			}
			found, led := 0, 0
			for _, p := range all {
				if p.Topic == name {
					found++
					if p.Leader >= 0 {
						led++
					}
				}
			}
			if found != partitions || led != partitions {
				return fmt.Errorf("%v shows %d partitions, %d of them with a leader", n, found, led)
			}
		}
		return nil
	})
}
