package safety

import (
	"cmp"
	"slices"

	"github.com/kafka-pilot/pilot/balance"
)

// Substitution is a plan made safe for the brokers as they are when it is submitted.
type Substitution struct {
	Moves   []balance.Move // those that may be submitted, in the order of the plan
	Skipped []Skipped      // those left out, in the order of the plan
	// Altered says that an optional move was changed or left out, so that what the plan promised no longer holds
	// (row SAFE-07). Pass it on in Request.
	Altered bool
}

// Skipped is a partition that was left out of a plan, with the reason as a sentence.
type Skipped struct {
	balance.TopicPartition
	Reason string `json:"reason"`
}

// Substitute makes moves safe for the brokers that are alive (sorted) and active in c (row SAFE-06):
//
//   - A broker of a move's target that is not alive, not active or not in the cluster is dropped and replaced, first
//     by a healthy replica that the partition has already, else by the eligible broker that hosts the fewest replicas.
//     One in maintenance that is alive may keep a replica that it has.
//   - The factor that the move planned is kept, and the replicas span at least as many racks as the partition has now,
//     whether all brokers without a rack count as one rack or as none. When no replacement can do that, the partition
//     is skipped, never submitted with fewer replicas.
//   - When the planned leader is replaced, leadership stays where it is or goes to the first replica that is in sync.
//   - A move of leadership alone copies nothing and completes whatever its followers do: it is skipped when the new
//     leader is unhealthy, and stays as it is otherwise.
//
// Neither c nor moves are changed.
func Substitute(c *balance.Cluster, alive []int32, moves []balance.Move) Substitution {
	s := newSubstituter(c, alive)
	for i := range moves {
		s.take(moves[i])
	}
	return s.out
}

// substituter holds what Substitute looks up again and again.
type substituter struct {
	c        *balance.Cluster
	alive    []int32 // sorted
	rack     map[int32]string
	eligible []int32       // sorted
	hosted   map[int32]int // replicas per broker, substitutes included
	out      Substitution
}

func newSubstituter(c *balance.Cluster, alive []int32) *substituter {
	s := &substituter{c: c, alive: alive, rack: map[int32]string{}, hosted: map[int32]int{}}
	for i := range c.Brokers {
		b := &c.Brokers[i]
		s.rack[b.ID] = b.Rack
		if _, up := slices.BinarySearch(alive, b.ID); up && b.State == balance.Active {
			s.eligible = append(s.eligible, b.ID)
		}
	}
	for i := range c.Partitions {
		for _, b := range c.Partitions[i].Replicas {
			s.hosted[b]++
		}
	}
	return s
}

// healthy reports whether a broker may receive and lead.
func (s *substituter) healthy(broker int32) bool {
	_, ok := slices.BinarySearch(s.eligible, broker)
	return ok
}

// usable reports whether a broker may be in the target of a move.
func (s *substituter) usable(m *balance.Move, broker int32) bool {
	if s.healthy(broker) {
		return true
	}
	_, up := slices.BinarySearch(s.alive, broker)
	b := findBroker(s.c, broker)
	return up && b != nil && b.State == balance.Maintenance && slices.Contains(m.From, broker)
}

// take decides on one move.
func (s *substituter) take(m balance.Move) {
	var dead []int32
	for _, b := range m.To {
		if !s.usable(&m, b) {
			dead = append(dead, b)
		}
	}
	switch {
	case len(dead) == 0:
		s.out.Moves = append(s.out.Moves, m)
	case sameSet(m.From, m.To):
		s.takeReorder(m)
	default:
		s.takeReplaced(m, dead)
	}
}

// takeReorder decides on a move whose replicas stay where they are.
func (s *substituter) takeReorder(m balance.Move) {
	if !s.healthy(m.ToLeader) {
		s.skip(m, leaderUnavailable(m.ToLeader))
		return
	}
	s.out.Moves = append(s.out.Moves, m)
}

// takeReplaced decides on a move that copies data and names unhealthy brokers.
func (s *substituter) takeReplaced(m balance.Move, dead []int32) {
	to, ok := s.replace(m)
	if !ok {
		s.skip(m, noSubstitute(dead, len(m.To)))
		return
	}
	leader := s.leader(m, to)
	if slices.Equal(to, m.From) && leader == m.FromLeader {
		s.skip(m, nothingLeft(dead))
		return
	}
	for _, b := range to {
		if !slices.Contains(m.From, b) {
			s.hosted[b]++
		}
	}
	m.To, m.ToLeader, m.Reason = to, leader, substitutedReason(m.Reason, dead)
	m.CopyBytes = s.copyBytes(m)
	s.out.Moves = append(s.out.Moves, m)
	s.out.Altered = s.out.Altered || optional(m.Kind)
}

func (s *substituter) skip(m balance.Move, reason string) {
	s.out.Skipped = append(s.out.Skipped, Skipped{m.Name(), reason})
	s.out.Altered = s.out.Altered || optional(m.Kind)
}

// replace returns the target with every unhealthy broker replaced, or false when the factor and the racks cannot both
// be kept. The target's order is kept but for the leader, which leader puts first.
func (s *substituter) replace(m balance.Move) ([]int32, bool) {
	var to []int32
	for _, b := range m.To {
		if s.usable(&m, b) {
			to = append(to, b)
		}
	}
	for len(to) < len(m.To) {
		b, ok := s.best(m.From, to)
		if !ok {
			return nil, false
		}
		to = append(to, b)
	}
	now, then := s.racks(m.From), s.racks(to)
	return to, then.known >= now.known && then.all >= now.all
}

// best returns the eligible broker that completes a target best: a rack that the target does not have yet, then no
// copy, then the fewest replicas hosted, then the lowest ID.
func (s *substituter) best(from, to []int32) (int32, bool) {
	racks := s.racks(to)
	type rank struct{ known, all, copied, hosted int }
	var best int32
	var least rank
	found := false
	for _, b := range s.eligible {
		if slices.Contains(to, b) {
			continue
		}
		with := s.racks(append(slices.Clone(to), b))
		r := rank{racks.known - with.known, racks.all - with.all, 1, s.hosted[b]}
		if slices.Contains(from, b) {
			r.copied = 0
		}
		better := cmp.Or(cmp.Compare(r.known, least.known), cmp.Compare(r.all, least.all),
			cmp.Compare(r.copied, least.copied), cmp.Compare(r.hosted, least.hosted)) < 0
		if !found || better {
			best, least, found = b, r, true
		}
	}
	return best, found
}

// rackCount is how many racks a replica set spans: the known ones, and those with all unknown ones as one more.
type rackCount struct{ known, all int }

// racks counts what a replica set spans.
func (s *substituter) racks(set []int32) (n rackCount) {
	for i, b := range set {
		rack := s.rack[b]
		if slices.ContainsFunc(set[:i], func(o int32) bool { return s.rack[o] == rack }) {
			continue
		}
		n.all++
		if rack != "" {
			n.known++
		}
	}
	return n
}

// leader puts the leader of a changed target first and returns it: the planned one if it is still there, else the
// present one, else the first that is in sync now, else the first.
func (s *substituter) leader(m balance.Move, to []int32) int32 {
	at := slices.Index(to, m.ToLeader)
	if at < 0 {
		at = slices.Index(to, m.FromLeader)
	}
	if p := findPartition(s.c, m.Name()); at < 0 && p != nil {
		at = slices.IndexFunc(to, func(b int32) bool { return slices.Contains(p.ISR, b) })
	}
	if at > 0 {
		leader := to[at]
		copy(to[1:at+1], to[:at])
		to[0] = leader
	}
	return to[0]
}

// copyBytes is what a move copies: the leader's bytes for every new replica.
func (s *substituter) copyBytes(m balance.Move) int64 {
	p := findPartition(s.c, m.Name())
	if p == nil {
		return m.CopyBytes
	}
	var n int64
	for _, b := range m.To {
		if !slices.Contains(m.From, b) {
			n += p.LeaderSize()
		}
	}
	return n
}

// optional reports whether a move only evens loads.
func optional(k balance.MoveKind) bool { return k == balance.MoveBalance || k == balance.MoveLeader }

func sameSet(a, b []int32) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}
