package kafkatest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

const (
	readyTime = 90 * time.Second
	pollTime  = 50 * time.Millisecond
)

// Partition is where one partition was, by one broker's metadata, which trails the controller by some milliseconds.
type Partition struct {
	Topic     string
	Partition int32
	Leader    int32   // -1 while there is none
	Replicas  []int32 // in order; the first is the preferred leader. A move in progress shows old and new ones together.
	ISR       []int32 // in no particular order
	Offline   []int32 // replicas on brokers that are down or on failed log directories
}

// UnderReplicated says whether a replica is missing from the in-sync set.
func (p Partition) UnderReplicated() bool { return len(p.ISR) < len(p.Replicas) }

// Placement reads all partitions, those of internal topics included, sorted by topic and partition, from the first
// broker that runs.
func (c *Cluster) Placement() ([]Partition, error) {
	n, err := c.anyBroker()
	if err != nil {
		return nil, err
	}
	return placementOf(n)
}

// PlacementOf is Placement of one topic; a topic that does not exist has no partitions.
func (c *Cluster) PlacementOf(topic string) ([]Partition, error) {
	all, err := c.Placement()
	return slices.DeleteFunc(all, func(p Partition) bool { return p.Topic != topic }), err
}

func placementOf(n *node) ([]Partition, error) {
	answer, err := metadata(n)
	if err != nil {
		return nil, err
	}
	var all []Partition
	for _, t := range answer.Topics {
		for _, p := range t.Partitions {
			all = append(all, Partition{Topic: *t.Topic, Partition: p.Partition, Leader: p.Leader,
				Replicas: p.Replicas, ISR: p.ISR, Offline: p.OfflineReplicas})
		}
	}
	slices.SortFunc(all, func(a, b Partition) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
	})
	return all, nil
}

func metadata(n *node) (*kmsg.MetadataResponse, error) {
	request := kmsg.NewPtrMetadataRequest()
	request.Version = 12
	return call[*kmsg.MetadataResponse](n.address(), request)
}

func (c *Cluster) anyBroker() (*node, error) {
	for _, n := range c.brokers() {
		if n.running() {
			return n, nil
		}
	}
	return nil, errors.New("no broker is running")
}

// runningBrokers leaves stopped, killed and paused ones out.
func (c *Cluster) runningBrokers() []*node {
	return slices.DeleteFunc(c.brokers(), func(n *node) bool { return !n.running() })
}

// WaitReady returns when every running broker shows exactly the running brokers as live.
func (c *Cluster) WaitReady() error {
	return c.await("the brokers agree on who is live", func() error {
		running := c.runningBrokers()
		if len(running) == 0 {
			return errors.New("no broker is running")
		}
		var want []int32
		for _, n := range running {
			want = append(want, n.id)
		}
		for _, n := range running {
			if err := shows(n, want); err != nil {
				return err
			}
		}
		return nil
	})
}

func shows(n *node, want []int32) error {
	answer, err := metadata(n)
	if err != nil {
		return err
	}
	var live []int32
	for _, b := range answer.Brokers {
		live = append(live, b.NodeID)
	}
	slices.Sort(live)
	if !slices.Equal(live, want) {
		return fmt.Errorf("%v shows the live brokers %v instead of %v", n, live, want)
	}
	return nil
}

// WaitInSync returns when every partition has a leader and its whole replica set in sync, by every running broker's metadata.
func (c *Cluster) WaitInSync() error {
	return c.await("all replicas are in sync", func() error {
		for _, n := range c.runningBrokers() {
			all, err := placementOf(n)
			if err != nil {
				return err
			}
			for _, p := range all {
				if p.Leader < 0 || p.UnderReplicated() {
					return fmt.Errorf("%v shows %s-%d with leader %d, replicas %v, in sync %v", n, p.Topic, p.Partition, p.Leader, p.Replicas, p.ISR)
				}
			}
		}
		return nil
	})
}

// await polls until the check passes; its error is the last one of the check.
func (c *Cluster) await(what string, check func() error) error {
	ctx, cancel := context.WithTimeout(context.Background(), readyTime)
	defer cancel()
	for {
		err := check()
		if err == nil {
			return nil
		}
		if pause(ctx, pollTime) != nil {
			return fmt.Errorf("waited %v until %s: %w", readyTime, what, err)
		}
	}
}
