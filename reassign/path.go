package reassign

import "slices"

// terrain is what the way from one placement to another depends on.
type terrain struct {
	leader int32
	alive  func(broker int32) bool
	racks  map[int32]string // broker to rack; a missing one is unknown
}

// nextReplicas returns the list to submit next on the way from the replicas now to the replicas to. Each step adds one
// copy at most, so that a partition never has more than one beyond its factor, and takes one away, so that it never
// has fewer. Replicas on dead brokers are no copies and are in the way of every step that keeps them, since Kafka
// completes a step only when its whole list is in sync: they are all replaced at once.
//
// The last step is to itself. Lists on the way keep the leader and the order where they can, and the racks: a step
// never leaves fewer racks than both ends have.
func nextReplicas(now, to []int32, t terrain) []int32 {
	add, drop := without(to, now), without(now, to)
	dead := slices.DeleteFunc(slices.Clone(drop), t.alive)
	n := max(1, len(dead))
	if n >= len(add) {
		return slices.Clone(to)
	}
	list := slices.Clone(now)
	for range n {
		if len(dead) > 0 {
			drop = dead
		}
		a, r := t.bestPair(list, add, drop)
		if r < 0 {
			list = append(list, a)
		} else {
			list[slices.Index(list, r)] = a
		}
		add, drop, dead = without(add, []int32{a}), without(drop, []int32{r}), without(dead, []int32{r})
	}
	return t.leaderFirst(list, now)
}

// bestPair chooses what to add to the list and what to take away, -1 for nothing: most racks first, then the leader
// and the preferred leader last, then the order of the lists.
func (t terrain) bestPair(list, add, drop []int32) (a, r int32) {
	candidates := drop
	if len(drop) == 0 {
		candidates = []int32{-1}
	}
	best := -1
	for _, x := range add {
		for _, y := range candidates {
			score := 4 * t.countRacks(append(without(list, []int32{y}), x))
			if y != t.leader {
				score += 2
			}
			if y != list[0] {
				score++
			}
			if score > best {
				best, a, r = score, x, y
			}
		}
	}
	return a, r
}

// countRacks counts the known racks of a list.
func (t terrain) countRacks(list []int32) int {
	n := 0
	for i, b := range list {
		rack := t.racks[b]
		if rack != "" && !slices.ContainsFunc(list[:i], func(o int32) bool { return t.racks[o] == rack }) {
			n++
		}
	}
	return n
}

// leaderFirst keeps leadership where it is: when the first replica is a new one, the leader takes its place.
func (t terrain) leaderFirst(list, before []int32) []int32 {
	if slices.Contains(before, list[0]) || !slices.Contains(list, t.leader) {
		return list
	}
	return append([]int32{t.leader}, without(list, []int32{t.leader})...)
}

// without returns the elements of a that are not in b, in a's order. The result shares nothing with a.
func without(a, b []int32) []int32 {
	var rest []int32
	for _, x := range a {
		if !slices.Contains(b, x) {
			rest = append(rest, x)
		}
	}
	return rest
}

// sameSet reports whether two lists without duplicates hold the same brokers.
func sameSet(a, b []int32) bool { return len(a) == len(b) && len(without(a, b)) == 0 }

// union returns a followed by what b has beyond it.
func union(a, b []int32) []int32 { return append(slices.Clone(a), without(b, a)...) }
