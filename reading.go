package pilot

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"sync"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/maintenance"
)

// reading is one reading of the cluster, as it came and with the brokers in maintenance marked. It is a value: nothing
// changes it once it is made.
type reading struct {
	measured *balance.Cluster
	replicas string           // fingerprint of the replicas of all partitions
	cluster  *balance.Cluster // measured, with the brokers in maintenance marked
	// placement is the same for the same replicas, preferred leaders and states of brokers. Leaders that Kafka changes
	// for a while, sizes and rates are not in it.
	placement string
	// Both are worked out once, when somebody asks.
	report  func() (balance.Report, error) // how far brokers are from their fair shares
	summary func() *ClusterView
}

// newReading takes a valid reading in.
func newReading(measured *balance.Cluster, state maintenance.State, policy balance.Policy) *reading {
	return (&reading{measured: measured, replicas: fingerprint(measured)}).under(state, policy)
}

// under returns the same reading under another state of maintenance.
func (r *reading) under(state maintenance.State, policy balance.Policy) *reading {
	c := maintenance.Overlay(r.measured, state)
	brokers := make([]byte, 0, 4*len(c.Brokers))
	for i := range c.Brokers {
		brokers = binary.AppendVarint(brokers, int64(c.Brokers[i].ID))
		brokers = append(brokers, byte(c.Brokers[i].State))
	}
	return &reading{
		measured: r.measured, replicas: r.replicas, cluster: c, placement: r.replicas + hex.EncodeToString(brokers),
		report:  sync.OnceValues(func() (balance.Report, error) { return balance.NewReport(c, policy) }),
		summary: sync.OnceValue(func() *ClusterView { return summarize(c) }),
	}
}

func fingerprint(c *balance.Cluster) string {
	h := sha256.New()
	var line []byte
	for i := range c.Partitions {
		p := &c.Partitions[i]
		line = append(append(line[:0], p.Topic...), 0)
		line = binary.AppendVarint(line, int64(p.ID))
		line = binary.AppendVarint(line, int64(len(p.Replicas)))
		for _, b := range p.Replicas {
			line = binary.AppendVarint(line, int64(b))
		}
		h.Write(line)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// find returns a partition of the reading, nil when it is not there.
func (r *reading) find(name balance.TopicPartition) *balance.Partition {
	all := r.cluster.Partitions
	i, found := slices.BinarySearchFunc(all, name, func(p balance.Partition, n balance.TopicPartition) int { return p.Name().Compare(n) })
	if !found {
		return nil
	}
	return &all[i]
}

// knows reports whether the cluster has a broker.
func (r *reading) knows(broker int32) bool {
	return slices.ContainsFunc(r.cluster.Brokers, func(b balance.Broker) bool { return b.ID == broker })
}
