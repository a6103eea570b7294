package kafka

import (
	"cmp"
	"slices"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/balance"
	meter "github.com/kafka-pilot/pilot/internal/measure"
)

// cluster makes the reading of what was seen and measured.
func (seen *surroundings) cluster(of map[sarama.Uuid]settings, rates map[meter.Key]meter.Rates) *balance.Cluster {
	c := &balance.Cluster{TakenAt: seen.at, Brokers: seen.allBrokers()}
	down := map[int32]bool{}
	for _, b := range c.Brokers {
		down[b.ID] = b.State == balance.Unavailable
	}
	for _, t := range seen.topics {
		s := of[t.Uuid]
		c.Topics = append(c.Topics, balance.Topic{
			Name: t.Name, ID: t.Uuid.String(), Compacted: s.compacted, SegmentBytes: s.segmentBytes, MinISR: s.minISR, Internal: t.IsInternal,
		})
	}
	seen.each(func(tp balance.TopicPartition, key meter.Key, p *sarama.PartitionMetadata) {
		c.Partitions = append(c.Partitions, seen.partition(tp, p, rates[key], down))
	})
	c.Sort()
	return c
}

// allBrokers returns the brokers that are registered, and those that are not and still have replicas.
func (seen *surroundings) allBrokers() []balance.Broker {
	var brokers []balance.Broker
	known := map[int32]bool{}
	for _, b := range seen.brokers {
		state := balance.Active
		if b.Fenced {
			state = balance.Unavailable
		}
		known[b.ID] = true
		brokers = append(brokers, balance.Broker{ID: b.ID, Host: b.Host, Rack: b.Rack, State: state})
	}
	named := func(ids []int32) {
		for _, id := range ids {
			if !known[id] {
				known[id] = true
				brokers = append(brokers, balance.Broker{ID: id, State: balance.Unavailable})
			}
		}
	}
	seen.each(func(tp balance.TopicPartition, _ meter.Key, p *sarama.PartitionMetadata) {
		named(p.Replicas)
		if status := seen.listed[tp]; status != nil {
			named(status.Replicas)
		}
	})
	slices.SortFunc(brokers, func(a, b balance.Broker) int { return cmp.Compare(a.ID, b.ID) })
	return brokers
}

// partition puts together what was seen and measured of one partition. The controller's list wins over metadata, which
// may be older.
func (seen *surroundings) partition(tp balance.TopicPartition, p *sarama.PartitionMetadata, rates meter.Rates, down map[int32]bool) balance.Partition {
	all := p.Replicas
	r := balance.Partition{
		Topic: tp.Topic, ID: tp.Partition, Leader: p.Leader, Replicas: all,
		ProduceMessages: rates.ProduceMessages.PerSecond, ProduceBytes: rates.ProduceBytes.PerSecond,
		ConsumeMessages: rates.ConsumeMessages.PerSecond, ConsumeBytes: rates.ConsumeBytes.PerSecond,
	}
	if status := seen.listed[tp]; status != nil {
		all = status.Replicas
		r.Replicas = minus(all, status.RemovingReplicas)
		r.Moving = &balance.Change{Adding: status.AddingReplicas, Removing: status.RemovingReplicas}
	}
	r.ISR = slices.DeleteFunc(slices.Clone(p.Isr), func(b int32) bool { return !slices.Contains(all, b) })
	if !slices.Contains(all, p.Leader) {
		r.Leader = -1
	}
	bytes, known := rates.ReplicaBytes(r.Replicas, r.Leader, func(b int32) bool {
		return down[b] || r.Moving != nil && slices.Contains(r.Moving.Adding, b)
	})
	r.ReplicaBytes = bytes
	r.SizeBytes = r.LeaderSize()
	r.Unmeasured = r.Leader < 0 || !known || !rates.Known() || seen.trailing[tp]
	return r
}
