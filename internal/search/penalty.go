package search

import "github.com/kafka-pilot/pilot/internal/dense"

// one is the penalty of a cell of weight 1 whose excess equals its fair share. Penalties are fixed point so that they
// add up and compare as integers.
const one = 1 << 40

// straight is the excess, in fair shares, from which on the penalty grows in a straight line: a square would overflow
// the sum on a broker that carries a thousand shares.
const straight = 16

func (c *Cell) penalty(x int64) int64 { return c.square(x, c.Low, c.High, c.Weight) }

// breachWeight makes leaving a hard box inside a chain dearer than any excess of the same size.
const breachWeight = 50

// breach is what leaving the hard interval costs inside a chain.
func (c *Cell) breach(x int64) int64 { return c.square(x, c.HardLow, c.HardHigh, breachWeight) }

func (c *Cell) square(x, low, high int64, weight float64) int64 {
	var excess int64
	switch {
	case x > high:
		excess = x - high
	case x < low:
		excess = low - x
	default:
		return 0
	}
	d := float64(float64(excess) * c.Inverse)
	squared := float64(d * d)
	if d > straight {
		squared = float64(2*straight*d) - straight*straight
	}
	return int64(float64(float64(squared*weight) * one))
}

// allows reports whether a cell may go from x to y: inside the hard interval, or not farther out than it was.
func (c *Cell) allows(x, y int64) bool {
	if y > c.HardHigh && y > x {
		return false
	}
	return y >= c.HardLow || y >= x
}

// gain is by how much penalties grow through a change: negative is better. The soft part, inbound replication, only
// ranks changes that help the loads.
type gain struct{ hard, soft int64 }

func (g gain) plus(o gain) gain { return gain{g.hard + o.hard, g.soft + o.soft} }

func (g gain) rank() int64 { return g.hard + g.soft }

// change returns how the penalties of broker b change when d is added to its loads, and whether the hard box allows it.
func (s *state) change(b int32, d *dense.Vector) (gain, bool) {
	s.evaluated++
	var g gain
	base := int(b) * dense.Loads
	cells, loads, costs := s.Cells[base:base+dense.Loads], s.load[base:base+dense.Loads], s.cost[base:base+dense.Loads]
	for m := range dense.Judged {
		if d[m] == 0 {
			continue
		}
		c := &cells[m]
		x := loads[m]
		y := x + d[m]
		if s.lifted {
			g.hard += c.breach(y) - c.breach(x)
		} else if !c.allows(x, y) {
			return gain{}, false
		}
		g.hard += c.penalty(y) - costs[m]
	}
	if d[dense.Inbound] != 0 {
		g.soft = cells[dense.Inbound].penalty(loads[dense.Inbound]+d[dense.Inbound]) - costs[dense.Inbound]
	}
	return g, true
}

// shift is change for two brokers: d goes from a to b.
func (s *state) shift(a, b int32, d *dense.Vector) (gain, bool) {
	minus := negative(d)
	left, ok := s.change(a, &minus)
	if !ok {
		return gain{}, false
	}
	right, ok := s.change(b, d)
	return left.plus(right), ok
}

func negative(d *dense.Vector) dense.Vector {
	var n dense.Vector
	for m := range d {
		n[m] = -d[m]
	}
	return n
}

func difference(a, b *dense.Vector) dense.Vector {
	var n dense.Vector
	for m := range n {
		n[m] = a[m] - b[m]
	}
	return n
}
