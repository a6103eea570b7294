package main

import (
	"context"
	"iter"
	"log/slog"
	"sync"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/profile"
)

// profiled is a source that warns of what does not fit the broker profile, once for each change.
type profiled struct {
	pilot.Source
	profile profile.Profile
	log     *slog.Logger

	mu   sync.Mutex
	last profile.Report
}

// Read implements pilot.Source.
func (p *profiled) Read(ctx context.Context) (*balance.Cluster, error) {
	c, err := p.Source.Read(ctx)
	if err == nil {
		p.inspect(c)
	}
	return c, err
}

func (p *profiled) inspect(c *balance.Cluster) {
	var brokers []profile.Broker
	for _, b := range c.Brokers {
		brokers = append(brokers, profile.Broker{ID: b.ID, Host: b.Host, Rack: b.Rack})
	}
	report := p.profile.Inspect(brokers, partitions(c))
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last.SameWarnings(report) {
		return
	}
	p.last = report
	for _, w := range report.Warnings {
		p.log.Warn("broker profile", "warning", w.Message)
	}
}

func partitions(c *balance.Cluster) iter.Seq[profile.Partition] {
	return func(yield func(profile.Partition) bool) {
		for i := range c.Partitions {
			p := &c.Partitions[i]
			if !yield(profile.Partition{
				Leader: p.Leader, Replicas: p.Replicas, SizeBytes: p.SizeBytes, ReplicaBytes: p.ReplicaBytes,
				ProduceBytes: p.ProduceBytes, ConsumeBytes: p.ConsumeBytes,
			}) {
				return
			}
		}
	}
}
