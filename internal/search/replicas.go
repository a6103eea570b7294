package search

import "github.com/kafka-pilot/pilot/internal/dense"

// improveReplicas moves replicas between broker b and those that complement it, or else exchanges some.
func (s *state) improveReplicas(b int32) bool {
	partners := s.replicaPartners(b)
	small := s.batch(b) == 1
	made := 0
	s.pool.reset(poolMost)
	for _, c := range partners {
		if s.Receives[c] && s.surplus(b) {
			s.offerMoves(b, c, b)
		}
		if s.Receives[b] && s.lacking(b) {
			s.offerMoves(c, b, b)
		}
		if !small {
			made += s.makeMoves(poolMost)
			s.pool.reset(poolMost)
		}
		if s.broker[b] == 0 || s.spent() {
			return made > 0
		}
	}
	if small {
		made = s.makeMoves(1)
	}
	return made > 0 || s.swap(b, partners)
}

// poolMost is how many moves are weighed against each other.
const poolMost = 64

// surplus reports whether a load of broker b is above its target, lacking whether one is below.
func (s *state) surplus(b int32) bool {
	for k := int(b) * dense.Loads; k < int(b)*dense.Loads+dense.Judged; k++ {
		if s.cost[k] > 0 && s.load[k] > s.Cells[k].High {
			return true
		}
	}
	return false
}

func (s *state) lacking(b int32) bool {
	for k := int(b) * dense.Loads; k < int(b)*dense.Loads+dense.Judged; k++ {
		if s.cost[k] > 0 && s.load[k] < s.Cells[k].Low {
			return true
		}
	}
	return false
}

// sampleMost bounds the replicas of one broker that a visit looks at for each partner.
const sampleMost = 1024

// offerMoves offers the moves of replicas from broker a to broker c that help the one that is visited.
func (s *state) offerMoves(a, c, visited int32) {
	all := s.hosted[a]
	step := len(all)/sampleMost + 1
	for j := int(s.evaluated) % step; j < len(all); j += step {
		i := all[j]
		if s.Fixed[s.part[i]] {
			continue
		}
		g, ok := s.moving(i, c, visited)
		if n := s.noisy(g.rank(), i^c); ok && g.hard < 0 && s.pool.wants(n) && s.mayMove(i, c) {
			s.pool.offer(candidate{n, i, c})
		}
	}
}

// moving returns the gain of slot i going to broker c, which must help the broker that is visited.
func (s *state) moving(i, c, visited int32) (gain, bool) {
	a := s.at[i]
	out, in := s.replica(i, s.size(i, a)), s.replica(i, s.size(i, c))
	out = negative(&out)
	first, d := a, &out
	second, e := c, &in
	if visited == c {
		first, d, second, e = c, &in, a, &out
	}
	left, ok := s.change(first, d)
	if !ok || visited >= 0 && left.hard >= 0 {
		return gain{}, false
	}
	right, ok := s.change(second, e)
	return left.plus(right), ok
}

// makeMoves makes the moves in the pool, the best one first, as long as one helps, at most as many as told.
func (s *state) makeMoves(most int) int {
	list := s.pool.best()
	made := 0
	for len(list) > 0 && made < most {
		best, at := move{}, -1
		for j, c := range list {
			g, ok := s.moving(c.a, c.b, -1)
			m := move{gain: s.noisy(g.rank(), c.a^c.b), bytes: s.copied(c.a, c.b) - s.copied(c.a, s.at[c.a])}
			if ok && g.hard < 0 && m.better(&best, s.mean) {
				best, at = m, j
			}
		}
		if at < 0 {
			break
		}
		c := list[at]
		list = append(list[:at], list[at+1:]...)
		if s.mayMove(c.a, c.b) {
			s.place(c.a, c.b)
			made++
		}
	}
	return made
}

// move is what ranks changes of replicas.
type move struct {
	gain  int64 // negative is better
	bytes int64 // bytes copied, less those that no longer have to be
}

// copied returns the bytes copied for slot i on broker b.
func (s *state) copied(i, b int32) int64 {
	if s.At[i] == b {
		return 0
	}
	return s.Copy[s.part[i]]
}

// better prefers the larger gain for what is copied (row PLAN-06): what copies as much as the mean replica must gain twice
// what copies nothing gains.
func (m *move) better(o *move, mean int64) bool {
	a, b := m.worth(mean), o.worth(mean)
	if a != b {
		return a < b
	}
	return m.bytes < o.bytes
}

func (m *move) worth(mean int64) float64 {
	near := 1 + mean/8
	return float64(m.gain) * float64(near) / float64(near+max(m.bytes, -near/2))
}
