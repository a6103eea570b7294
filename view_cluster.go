package pilot

import (
	"context"
	"fmt"
	"slices"

	"github.com/kafka-pilot/pilot/balance"
)

// Cluster returns the latest reading in short.
func (s *Service) Cluster(context.Context) (ClusterView, error) {
	r, brokers, err := s.latestReading()
	if err != nil {
		return ClusterView{}, err
	}
	v := *r.summary()
	v.Maintenance = brokers
	return v, nil
}

// Balance says how far every broker of the latest reading is from its fair share.
func (s *Service) Balance(context.Context) (BalanceView, error) {
	r, _, err := s.latestReading()
	if err != nil {
		return BalanceView{}, err
	}
	report, err := r.report()
	if err != nil {
		return BalanceView{}, fmt.Errorf("the balance cannot be told: %w", err)
	}
	summary := balance.Summarize(report, s.limits(r), s.o.Policy.Threshold)
	return BalanceView{TakenAt: r.cluster.TakenAt, Summary: summary, Report: report}, nil
}

// latestReading returns the latest reading and the brokers in maintenance.
func (s *Service) latestReading() (*reading, []int32, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkRead(); err != nil {
		return nil, nil, err
	}
	return s.latest, s.state.Brokers(), nil
}

// limits returns the loads that the current proposal found to be at their limit on the same placement.
func (s *Service) limits(r *reading) []balance.Limit {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.proposals.current; p != nil && p.placement == r.placement {
		return p.proposal.Limits
	}
	return nil
}

// summarize counts what a cluster has and what each broker carries.
func summarize(c *balance.Cluster) *ClusterView {
	v := &ClusterView{TakenAt: c.TakenAt, Partitions: len(c.Partitions), Brokers: make([]BrokerView, len(c.Brokers))}
	loads := make(map[int32]*balance.Load, len(c.Brokers))
	for i := range c.Brokers {
		loads[c.Brokers[i].ID] = &balance.Load{}
	}
	for i := range c.Partitions {
		p := &c.Partitions[i]
		v.count(p, i == 0 || c.Partitions[i-1].Topic != p.Topic)
		carry(loads, p)
	}
	for i := range c.Brokers {
		b := &c.Brokers[i]
		v.Brokers[i] = BrokerView{ID: b.ID, Host: b.Host, Rack: b.Rack, State: b.State, Load: byName(loads[b.ID])}
	}
	return v
}

// count adds one partition, the first of its topic or another.
func (v *ClusterView) count(p *balance.Partition, first bool) {
	v.Replicas += len(p.Replicas)
	for _, one := range []struct {
		count *int
		is    bool
	}{
		{&v.Topics, first}, {&v.UnderISR, outOfSync(p)}, {&v.Moving, p.Moving != nil}, {&v.Unmeasured, p.Unmeasured},
	} {
		if one.is {
			*one.count++
		}
	}
}

// outOfSync reports whether a replica is not in sync that should be: one that is being added need not be.
func outOfSync(p *balance.Partition) bool {
	return slices.ContainsFunc(p.Replicas, func(b int32) bool {
		added := p.Moving != nil && slices.Contains(p.Moving.Adding, b)
		return !added && !slices.Contains(p.ISR, b)
	})
}

// carry adds what a partition puts on its brokers.
func carry(loads map[int32]*balance.Load, p *balance.Partition) {
	for i, b := range p.Replicas {
		load := loads[b]
		load[balance.Disk] += float64(p.ReplicaSize(i))
		if b != p.Leader {
			load[balance.Followers]++
			continue
		}
		load[balance.Leaders]++
		load[balance.ProducerMessages] += p.ProduceMessages
		load[balance.ProducerBytes] += p.ProduceBytes
		load[balance.ConsumerMessages] += p.ConsumeMessages
		load[balance.ConsumerBytes] += p.ConsumeBytes
	}
}

func byName(load *balance.Load) map[string]float64 {
	named := make(map[string]float64, balance.NumMetrics)
	for m, value := range load {
		named[balance.Metric(m).String()] = value
	}
	return named
}
