package scenario

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/kafka-pilot/pilot/balance"
)

// model is a cluster as other planners write it down: racks by broker, and for each partition its replicas, the leader
// first, with the bytes that it has and that are written to it each second.
type model struct {
	Racks      map[string]string `json:"racks"`
	Partitions []struct {
		Topic     string  `json:"topic"`
		Partition int32   `json:"partition"`
		Replicas  []int32 `json:"replicas"`
		Size      float64 `json:"size_bytes"`
		Written   float64 `json:"bytes_in"`
	} `json:"partitions"`
}

// ReadModel reads such a cluster. Errors name the broker that is no number.
func ReadModel(r io.Reader) (*balance.Cluster, error) {
	var m model
	if err := json.NewDecoder(r).Decode(&m); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	c := &balance.Cluster{}
	for name, rack := range m.Racks {
		id, err := strconv.ParseInt(name, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("model: broker %q is not a number", name)
		}
		c.Brokers = append(c.Brokers, balance.Broker{ID: int32(id), Rack: rack})
	}
	for i := range m.Partitions {
		p := &m.Partitions[i]
		if len(p.Replicas) == 0 {
			return nil, fmt.Errorf("model: partition %s-%d has no replicas", p.Topic, p.Partition)
		}
		c.Partitions = append(c.Partitions, balance.Partition{Topic: p.Topic, ID: p.Partition, Leader: p.Replicas[0], Replicas: p.Replicas,
			ISR: slices.Clone(p.Replicas), SizeBytes: int64(p.Size), ProduceBytes: p.Written})
	}
	c.Sort()
	return c, c.Validate()
}
