package search

import "github.com/kafka-pilot/pilot/internal/dense"

// one is the penalty of a cell of weight 1 whose excess equals its fair share. Penalties are fixed point so that they
// add up and compare as integers.
const one = 1 << 40

// straight is the excess, in fair shares, from which on the penalty grows in a straight line: a square would overflow
// the sum on a broker that carries a thousand shares.
const straight = 16

func (c *Cell) penalty(x int64) int64 {
	var excess int64
	switch {
	case x > c.High:
		excess = x - c.High
	case x < c.Low:
		excess = c.Low - x
	default:
		return 0
	}
	d := float64(float64(excess) * c.Inverse)
	squared := float64(d * d)
	if d > straight {
		squared = float64(2*straight*d) - straight*straight
	}
	return int64(float64(float64(squared*c.Weight) * one))
}

// allows reports whether a cell may go from x to y: inside the hard interval, or not farther out than it was.
func (c *Cell) allows(x, y int64) bool {
	if y > c.HardHigh && y > x {
		return false
	}
	return y >= c.HardLow || y >= x
}

// change returns by how much the penalties of broker b grow when d is added to its loads, and whether the hard box
// allows it.
func (s *state) change(b int32, d *dense.Vector) (int64, bool) {
	s.evaluated++
	var sum int64
	base := int(b) * dense.Loads
	for m := range d {
		if d[m] == 0 {
			continue
		}
		c := &s.Cells[base+m]
		x := s.load[base+m]
		y := x + d[m]
		if !c.allows(x, y) {
			return 0, false
		}
		sum += c.penalty(y) - s.cost[base+m]
	}
	return sum, true
}

// shift is change for two brokers: d goes from a to b.
func (s *state) shift(a, b int32, d *dense.Vector) (int64, bool) {
	minus := negative(d)
	left, ok := s.change(a, &minus)
	if !ok {
		return 0, false
	}
	right, ok := s.change(b, d)
	return left + right, ok
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
