package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/kafka-pilot/pilot"
)

// Options shape a Collector. The zero Options are the documented defaults.
type Options struct {
	// Threshold is that of the service's policy, a fraction; 0 means 0.05. An imbalance is material beyond twice as much.
	Threshold float64
	// Timeout is how long one scrape may take; 0 means five seconds.
	Timeout time.Duration
}

// Collector reads a service at each scrape. It implements prometheus.Collector and may be used by several goroutines.
type Collector struct {
	api     pilot.API
	actLine float64
	timeout time.Duration
}

var _ prometheus.Collector = (*Collector)(nil)

// NewCollector returns a Collector for the caller to register.
func NewCollector(api pilot.API, o Options) *Collector {
	if o.Threshold <= 0 {
		o.Threshold = 0.05
	}
	if o.Timeout <= 0 {
		o.Timeout = 5 * time.Second
	}
	return &Collector{api: api, actLine: 2 * o.Threshold, timeout: o.Timeout}
}

// Describe is part of prometheus.Collector.
func (c *Collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range descriptions {
		out <- d
	}
}

// Collect is part of prometheus.Collector.
func (c *Collector) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), c.timeout)
	defer cancel()
	s := sink(out)
	s.flag(ready, c.api.Health(ctx).Ready)
	if view, err := c.api.Cluster(ctx); err == nil {
		s.cluster(view)
	}
	if brokers, err := c.api.InMaintenance(ctx); err == nil {
		s.gauge(brokersMaintenance, float64(len(brokers)))
	}
	if view, err := c.api.Balance(ctx); err == nil {
		s.balance(view, c.actLine)
	}
	if view, err := c.api.Current(ctx); err == nil {
		s.proposal(view)
	}
	if list, err := c.api.Executions(ctx); err == nil {
		s.executions(list, time.Now())
	}
}
