package balance

import "math"

// distance is row BAL-02 for one broker and load: how far have is from fair, one partition forgiven, as a fraction
// of fair. Example: 35 of 50 with one partition 1 is 14 ÷ 50 = 0.28 below.
func distance(have, fair, unit float64) (float64, Side) {
	side := Above
	if have < fair {
		side = Below
	}
	off := math.Abs(have-fair) - unit
	if off <= 0 || fair <= 0 {
		return 0, side
	}
	return off / fair, side
}

// report says how far each active broker would be with the loads given.
func (g *ground) report(load []Load) Report {
	r := Report{Brokers: make([]BrokerReport, 0, len(g.active))}
	for _, b := range g.active {
		br := BrokerReport{Broker: g.c.Brokers[b].ID}
		for m := range br.Loads {
			d := Distance{Have: load[b][m], FairShare: g.fair[b][m], OnePartition: g.unit[m]}
			if g.live[m] && !g.below[m] {
				d.Distance, d.Side = distance(d.Have, d.FairShare, d.OnePartition)
			}
			br.Loads[m] = d
		}
		r.Brokers = append(r.Brokers, br)
	}
	for m := Metric(0); m < NumMetrics; m++ {
		if !g.live[m] {
			r.NoTraffic = append(r.NoTraffic, m)
		}
		if g.below[m] {
			r.BelowMin = append(r.BelowMin, m)
		}
		r.Imbalance[m] = g.imbalance(load, m)
	}
	return r
}

// imbalance is the mean distance from the equal share, for display alone (row BAL-08).
func (g *ground) imbalance(load []Load, m Metric) float64 {
	if len(g.active) == 0 || g.total[m] <= 0 {
		return 0
	}
	equal := g.total[m] / float64(len(g.active))
	sum := 0.0
	for _, b := range g.active {
		sum += math.Abs(load[b][m] - equal)
	}
	return sum / float64(len(g.active)) / equal
}

// floors resolves the minimum difference of each load. Messages follow the bytes at the average message size of
// their direction where the policy says so (row BAL-05).
func (g *ground) floors() Load {
	f := g.policy.Floor
	out := Load{Disk: f.Disk, ProducerBytes: f.Bytes, ConsumerBytes: f.Bytes, ProducerMessages: f.Messages, ConsumerMessages: f.Messages}
	if f.AutoMessages && f.Bytes > 0 {
		for _, dir := range [...][2]Metric{{ProducerMessages, ProducerBytes}, {ConsumerMessages, ConsumerBytes}} {
			if messages, bytes := g.total[dir[0]], g.total[dir[1]]; messages > 0 && bytes > 0 {
				out[dir[0]] = f.Bytes * messages / bytes
			}
		}
	}
	return out
}

// belowFloor finds the loads of which no broker is as far from the equal share as the minimum difference.
func (g *ground) belowFloor() [NumMetrics]bool {
	var below [NumMetrics]bool
	for m := range below {
		if !g.live[m] || g.floor[m] <= 0 {
			continue
		}
		equal := g.total[m] / float64(len(g.active))
		below[m] = true
		for _, b := range g.active {
			if math.Abs(g.load[b][m]-equal) >= g.floor[m] {
				below[m] = false
			}
		}
	}
	return below
}

// NewReport says how far every active broker of a reading is from its fair share of every load. It returns an error
// for a reading or policy that contradicts itself.
func NewReport(c *Cluster, p Policy) (Report, error) {
	if err := c.Validate(); err != nil {
		return Report{}, err
	}
	g, err := newGround(c, p)
	if err != nil {
		return Report{}, err
	}
	return g.report(g.load), nil
}
