package sim

import (
	"cmp"
	"fmt"
	"slices"
)

// place makes replica lists for n new partitions: racks in turn, brokers of a rack in turn, each list beginning one
// broker further than the one before.
func (c *Cluster) place(n, factor, offset int) ([][]int32, error) {
	order := c.rackOrder()
	if n < 1 || factor < 1 {
		return nil, fmt.Errorf("%d partitions of %d replicas: use at least 1 of each", n, factor)
	}
	if factor > len(order) {
		return nil, fmt.Errorf("%d replicas need as many brokers, and %d are up: start more or use fewer replicas", factor, len(order))
	}
	lists := make([][]int32, n)
	for i := range lists {
		for k := range factor {
			lists[i] = append(lists[i], order[(offset+i+k)%len(order)])
		}
	}
	return lists, nil
}

// rackOrder returns the brokers that are up: the first of every rack, then the second of every rack, and so on.
func (c *Cluster) rackOrder() []int32 {
	type slot struct {
		id   int32
		rack string
		rank int // place within the rack
	}
	seen := map[string]int{} // for look-up only
	var slots []slot
	for _, b := range c.brokers {
		if b.up() {
			slots = append(slots, slot{b.id, b.rack, seen[b.rack]})
			seen[b.rack]++
		}
	}
	slices.SortStableFunc(slots, func(a, b slot) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.rack, b.rack))
	})
	order := make([]int32, len(slots))
	for i, s := range slots {
		order[i] = s.id
	}
	return order
}
