package safety

import (
	"time"

	"github.com/kafka-pilot/pilot/balance"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func part(topic string, id int32) balance.TopicPartition {
	return balance.TopicPartition{Topic: topic, Partition: id}
}

// healthy is a look at four brokers with nothing wrong.
func healthy() Health {
	return Health{At: noon, Controller: ControllerHealthy, Registered: []int32{1, 2, 3, 4}, Alive: []int32{1, 2, 3, 4}}
}

// orders is a cluster of five brokers in three racks; 1 and 4 share a, 2 and 5 share b, 3 is alone in c.
func orders(partitions ...balance.Partition) *balance.Cluster {
	c := &balance.Cluster{
		Brokers: []balance.Broker{{ID: 1, Rack: "a"}, {ID: 2, Rack: "b"}, {ID: 3, Rack: "c"}, {ID: 4, Rack: "a"}, {ID: 5, Rack: "b"}},
		Topics:  []balance.Topic{{Name: "orders", MinISR: 2}},
	}
	for i, p := range partitions {
		p.Topic, p.ID = "orders", int32(i)
		if p.ISR == nil {
			p.ISR = p.Replicas
		}
		if p.Leader == 0 {
			p.Leader = p.Replicas[0]
		}
		c.Partitions = append(c.Partitions, p)
	}
	return c
}
