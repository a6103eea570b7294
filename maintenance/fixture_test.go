package maintenance

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/kafka-pilot/pilot/balance"
)

// cluster has brokers 1, 2, 3 … in the racks given ("-" is unknown) and partitions orders-0, orders-1 … with the
// replica sets given, all in sync and led by their first replica.
func cluster(racks string, minISR int32, sets ...[]int32) *balance.Cluster {
	c := &balance.Cluster{Topics: []balance.Topic{{Name: "orders", MinISR: minISR}}}
	for i, r := range racks {
		rack := string(r)
		if r == '-' {
			rack = ""
		}
		c.Brokers = append(c.Brokers, balance.Broker{ID: int32(i + 1), Rack: rack})
	}
	for i, set := range sets {
		c.Partitions = append(c.Partitions, balance.Partition{
			Topic: "orders", ID: int32(i), Leader: set[0], Replicas: set, ISR: set, SizeBytes: 100, ProduceBytes: 10, ConsumeBytes: 20,
		})
	}
	return c
}

// anyCluster draws a cluster in any state that Kafka can be in.
func anyCluster(t *rapid.T) *balance.Cluster {
	c := &balance.Cluster{}
	racks := []string{"", "a", "b", "c", "d"}
	for id := range int32(rapid.IntRange(2, 9).Draw(t, "brokers")) {
		b := balance.Broker{ID: id + 1, Rack: rapid.SampledFrom(racks).Draw(t, "rack")}
		if rapid.IntRange(0, 5).Draw(t, "odd") == 0 {
			b.State = balance.BrokerState(rapid.IntRange(1, 2).Draw(t, "state"))
		}
		c.Brokers = append(c.Brokers, b)
	}
	for topic := range rapid.IntRange(1, 3).Draw(t, "topics") {
		name := fmt.Sprintf("t%d", topic)
		if rapid.Bool().Draw(t, "listed") {
			c.Topics = append(c.Topics, balance.Topic{Name: name, MinISR: int32(rapid.IntRange(0, 2).Draw(t, "minISR"))})
		}
		for id := range int32(rapid.IntRange(1, 6).Draw(t, "partitions")) {
			c.Partitions = append(c.Partitions, anyPartition(t, c, name, id))
		}
	}
	return c
}

func anyPartition(t *rapid.T, c *balance.Cluster, topic string, id int32) balance.Partition {
	var ids []int32
	for _, b := range c.Brokers {
		ids = append(ids, b.ID)
	}
	p := balance.Partition{Topic: topic, ID: id, Leader: noLeader, SizeBytes: rapid.Int64Range(0, 1000).Draw(t, "size"),
		ProduceBytes: float64(rapid.IntRange(0, 100).Draw(t, "produce")), ConsumeMessages: float64(rapid.IntRange(0, 100).Draw(t, "consume"))}
	factor := rapid.IntRange(1, min(4, len(ids))).Draw(t, "factor")
	p.Replicas = rapid.Permutation(ids).Draw(t, "replicas")[:factor]
	for _, b := range p.Replicas {
		if c.Brokers[b-1].State != balance.Unavailable && rapid.IntRange(0, 4).Draw(t, "lag") > 0 {
			p.ISR = append(p.ISR, b)
		}
	}
	if len(p.ISR) > 0 {
		p.Leader = rapid.SampledFrom(p.ISR).Draw(t, "leader")
	}
	if rapid.IntRange(0, 9).Draw(t, "moving") == 0 && factor < len(ids) {
		for _, b := range ids {
			if !slices.Contains(p.Replicas, b) {
				p.Moving = &balance.Change{Adding: p.Replicas[:1], Removing: []int32{b}}
				break
			}
		}
	}
	return p
}
