package measure

import (
	"slices"
	"time"
)

// Rates is what is known of one partition.
type Rates struct {
	ProduceMessages Rate
	ProduceBytes    Rate
	ConsumeMessages Rate // by all groups together
	ConsumeBytes    Rate
	Sizes           []Size    // of the replicas that are known, sorted by broker; read-only
	At              time.Time // when its leader answered last
}

// Known reports whether all four rates are.
func (r *Rates) Known() bool {
	return r.ProduceMessages.Known() && r.ProduceBytes.Known() && r.ConsumeMessages.Known() && r.ConsumeBytes.Known()
}

// ReplicaBytes returns the size of each replica, in their order. Replicas for which assumed is true count at the size
// of the leader's, whatever they have: those that are still being copied, and those whose broker is down and cannot be
// asked. known is false when a size is missing; the number in its place is then the leader's, or the largest there is.
func (r *Rates) ReplicaBytes(replicas []int32, leader int32, assumed func(broker int32) bool) (bytes []int64, known bool) {
	full, known := sizeOn(r.Sizes, leader)
	if !known {
		for _, s := range r.Sizes {
			full = max(full, s.Bytes)
		}
	}
	bytes = make([]int64, len(replicas))
	for i, b := range replicas {
		bytes[i] = full
		if assumed(b) {
			continue
		}
		if own, found := sizeOn(r.Sizes, b); found {
			bytes[i] = own
		} else {
			known = false
		}
	}
	return bytes, known
}

// Rates returns what is known now of every partition that the samples named in the window.
func (h *History) Rates(now time.Time) map[Key]Rates {
	medians := h.medians()
	all := make(map[Key]Rates, len(h.partitions))
	for key, p := range h.partitions {
		r := Rates{At: p.offsets.At, ProduceMessages: h.produced(p, now), Sizes: h.freshSizes(p, now)}
		r.ConsumeMessages = h.read(p, r.ProduceMessages, now)
		size, basis := p.bytesPerOffset()
		if basis == Unknown {
			size, basis = medians[key.Topic], TopicMedian
		}
		if size == 0 {
			basis = Unknown
		}
		r.ProduceBytes = r.ProduceMessages.times(size, basis)
		r.ConsumeBytes = r.ConsumeMessages.times(size, basis)
		all[key] = r
	}
	return all
}

// produced returns how fast messages are written to a partition.
func (h *History) produced(p *partition, now time.Time) Rate {
	if now.Sub(p.offsets.At) > h.config.Fresh {
		return Rate{}
	}
	if count, span := p.produced.sum(h.piece(now)); span >= h.config.Enough {
		return Rate{perSecond(count, span), Measured, span}
	}
	if now.Sub(p.seed.at) <= h.config.Window {
		return p.seed.rate
	}
	return Rate{}
}

// read returns how fast messages are read from a partition by all groups together: unknown if that of one of them is.
func (h *History) read(p *partition, produced Rate, now time.Time) Rate {
	if h.grouped.IsZero() || !produced.Known() {
		return Rate{}
	}
	sum := Rate{Basis: Measured, Span: produced.Span}
	for i := range p.readers {
		r := h.consumed(&p.readers[i], p.offsets, produced, now)
		if !r.Known() {
			return Rate{}
		}
		sum = Rate{sum.PerSecond + r.PerSecond, min(sum.Basis, r.Basis), min(sum.Span, r.Span)}
	}
	return sum
}

// freshSizes returns the sizes that brokers told a short while ago.
func (h *History) freshSizes(p *partition, now time.Time) []Size {
	stale := func(s Size) bool { return now.Sub(h.sized[s.Broker]) > h.config.FreshSizes }
	if !slices.ContainsFunc(p.sizes, stale) {
		return p.sizes
	}
	return slices.DeleteFunc(slices.Clone(p.sizes), stale)
}

// medians returns the median of the bytes per offset of each topic's partitions that know their own.
func (h *History) medians() map[TopicID]float64 {
	values := map[TopicID][]float64{}
	for key, p := range h.partitions {
		if v, basis := p.bytesPerOffset(); basis != Unknown {
			values[key.Topic] = append(values[key.Topic], v)
		}
	}
	medians := make(map[TopicID]float64, len(values))
	for topic, v := range values {
		slices.Sort(v)
		n := len(v)
		medians[topic] = (v[(n-1)/2] + v[n/2]) / 2
	}
	return medians
}

// Coverage says how far the measuring has come.
type Coverage struct {
	Partitions int
	Known      int // of which all four rates are known
	Measured   int // of which the messages produced were counted, and not looked up by time stamps
}

// Coverage counts what Rates would return.
func (h *History) Coverage(now time.Time) Coverage {
	c := Coverage{Partitions: len(h.partitions)}
	for _, r := range h.Rates(now) {
		if r.Known() {
			c.Known++
		}
		if r.ProduceMessages.Basis == Measured {
			c.Measured++
		}
	}
	return c
}
