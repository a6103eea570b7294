package maintenance

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/safety"
)

// A drain is refused for exactly those partitions for which trying every set of brokers finds none: never a "no
// placement" where there is one.
func TestRefusalsAreTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCluster(t)
		broker := rapid.SampledFrom(c.Brokers).Draw(t, "drained").ID
		if activeBut(c, broker) == 0 {
			return
		}
		_, err := Plan(c, broker, Options{Policy: balance.Policy{RackAware: rapid.Bool().Draw(t, "rackAware")}})
		var want []balance.TopicPartition
		for i := range c.Partitions {
			p := &c.Partitions[i]
			if p.Moving == nil && slices.Contains(p.Replicas, broker) && !placeable(c, p, broker) {
				want = append(want, p.Name())
			}
		}
		var got []balance.TopicPartition
		if err != nil {
			var refused *Refused
			require.True(t, errors.As(err, &refused))
			require.Contains(t, []string{string(safety.FactorNotPreservable), BelowMinISR}, refused.Code)
			for _, b := range refused.Partitions {
				got = append(got, b.TopicPartition)
			}
		}
		require.Equal(t, want, got)
	})
}

// placeable tries every set of the right size.
func placeable(c *balance.Cluster, p *balance.Partition, drained int32) bool {
	source := false
	for _, b := range p.ISR {
		source = source || c.Brokers[b-1].State != balance.Unavailable
	}
	if !source {
		return false
	}
	for bits := range 1 << len(c.Brokers) {
		var set []int32
		for i := range c.Brokers {
			if bits>>i&1 == 1 {
				set = append(set, c.Brokers[i].ID)
			}
		}
		if len(set) == len(p.Replicas) && allowed(c, p, set, drained) {
			return true
		}
	}
	return false
}

// allowed reports whether a set keeps what can stay, takes only brokers that may receive, and loses no rack.
func allowed(c *balance.Cluster, p *balance.Partition, set []int32, drained int32) bool {
	stays := func(b int32) bool {
		s := c.Brokers[b-1].State
		return b != drained && slices.Contains(p.Replicas, b) &&
			(s == balance.Active || s == balance.Maintenance && slices.Contains(p.ISR, b))
	}
	for _, b := range p.Replicas {
		if stays(b) && !slices.Contains(set, b) {
			return false
		}
	}
	for _, b := range set {
		if !stays(b) && (b == drained || c.Brokers[b-1].State != balance.Active) {
			return false
		}
	}
	return racksOf(c, set, "") >= racksOf(c, p.Replicas, "") && racksOf(c, set, "?") >= racksOf(c, p.Replicas, "?")
}

// Rack-aware, a new replica never joins a rack while another rack could take it that has fewer.
func TestRackAwareDrainsSpreadEvenly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCluster(t)
		for i := range c.Brokers {
			c.Brokers[i].Rack = rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "known rack")
		}
		broker := rapid.SampledFrom(c.Brokers).Draw(t, "drained").ID
		d, err := Plan(c, broker, Options{Policy: balance.Policy{RackAware: true}, Force: true})
		if err != nil {
			return
		}
		for _, m := range d.Moves {
			for _, b := range m.To {
				if slices.Contains(m.From, b) {
					continue
				}
				others := slices.DeleteFunc(slices.Clone(m.To), func(o int32) bool { return o == b })
				for _, o := range c.Brokers {
					if o.ID != broker && o.State == balance.Active && !slices.Contains(m.To, o.ID) {
						require.LessOrEqual(t, inRack(c, others, c.Brokers[b-1].Rack), inRack(c, others, o.Rack))
					}
				}
			}
		}
	})
}

func inRack(c *balance.Cluster, set []int32, rack string) (n int) {
	for _, b := range set {
		if c.Brokers[b-1].Rack == rack {
			n++
		}
	}
	return n
}
