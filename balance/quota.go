package balance

import "math"

// quotas returns the fewest and the most replicas that each rack may hold of a partition with factor k, when racks
// have n active brokers each: spread as evenly as possible, never more than n in a rack. Factor 4 on racks of 3, 3
// and 2 is one or two in each; factor 3 on racks of 1 and 3 is one and two.
func quotas(k int, n []int) (low, high []int32) {
	low, high = make([]int32, len(n)), make([]int32, len(n))
	full := make([]bool, len(n))
	open := 0
	for r := range n {
		full[r] = n[r] == 0
		if !full[r] {
			open++
		}
	}
	left := k
	for open > 0 {
		small := -1
		for r := range n {
			if !full[r] && n[r] <= left/open {
				small = r
				break
			}
		}
		if small < 0 {
			for r := range n {
				if !full[r] {
					low[r], high[r] = int32(left/open), int32((left+open-1)/open)
				}
			}
			return low, high
		}
		low[small], high[small] = int32(n[small]), int32(n[small])
		full[small] = true
		left -= n[small]
		open--
	}
	return low, high
}

// fill spreads total over racks in proportion to their brokers n, each clamped to its low and high: the level m with
// Σ clamp(m·n, low, high) = total, found by halving.
func fill(total float64, n []int, low, high []float64) []float64 {
	top := 0.0
	for r := range n {
		if n[r] > 0 {
			top = math.Max(top, high[r]/float64(n[r]))
		}
	}
	at := func(m float64) ([]float64, float64) {
		share, sum := make([]float64, len(n)), 0.0
		for r := range n {
			share[r] = math.Min(math.Max(float64(m*float64(n[r])), low[r]), high[r])
			sum += share[r]
		}
		return share, sum
	}
	a, b := 0.0, top
	for range 200 {
		m := (a + b) / 2
		if _, sum := at(m); sum < total {
			a = m
		} else {
			b = m
		}
	}
	share, _ := at(b)
	return share
}
