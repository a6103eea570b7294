package sim

// random is the splitmix64 generator: small, and the same on every machine and in every release of Go.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number in [0, n). n must be positive.
func (r *random) below(n int) int { return int(r.next() % uint64(n)) }

// between returns a number in [low, high].
func (r *random) between(low, high int64) int64 {
	return low + int64(r.next()%uint64(high-low+1))
}
