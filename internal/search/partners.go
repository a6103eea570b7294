package search

import "github.com/kafka-pilot/pilot/internal/dense"

// partnerMost bounds the brokers that one visit deals with.
const partnerMost = 12

// partners lists the brokers whose loads complement those of b best, the best first.
func (s *state) partners(b int32) []int32 {
	var best ranking
	s.rank(b, func(c int32, fit float64) { best.add(c, fit) })
	return best.brokers(nil)
}

// replicaPartners is partners with as many of b's own rack first: only there most replicas may go.
func (s *state) replicaPartners(b int32) []int32 {
	if s.Racks == 1 {
		return s.partners(b)
	}
	var own, others ranking
	s.rank(b, func(c int32, fit float64) {
		if s.Rack[c] == s.Rack[b] {
			own.add(c, fit)
		} else {
			others.add(c, fit)
		}
	})
	return others.brokers(own.brokers(nil))
}

// rank goes through the other brokers with how well their loads complement those of b.
func (s *state) rank(b int32, each func(c int32, fit float64)) {
	own := s.offs(b)
	for c := range int32(s.Brokers) {
		if c == b {
			continue
		}
		off := s.offs(c)
		fit := 0.0
		for m := range own {
			fit -= float64(own[m] * off[m])
		}
		each(c, fit)
	}
}

// ranking keeps the brokers that fit best.
type ranking struct {
	broker [partnerMost]int32
	fit    [partnerMost]float64
	n      int
}

func (r *ranking) add(b int32, fit float64) {
	k := r.n
	if k < partnerMost {
		r.n++
	} else if k--; r.fit[k] >= fit {
		return
	}
	for ; k > 0 && r.fit[k-1] < fit; k-- {
		r.broker[k], r.fit[k] = r.broker[k-1], r.fit[k-1]
	}
	r.broker[k], r.fit[k] = b, fit
}

func (r *ranking) brokers(list []int32) []int32 { return append(list, r.broker[:r.n]...) }

// offs are how far broker b is from the middle of each of its boxes, in fair shares.
func (s *state) offs(b int32) [dense.Judged]float64 {
	var off [dense.Judged]float64
	for m := range off {
		k := int(b)*dense.Loads + m
		if c := &s.Cells[k]; c.Weight > 0 {
			off[m] = float64(float64(s.load[k]-c.Low/2-c.High/2) * c.Inverse)
		}
	}
	return off
}
