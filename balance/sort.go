package balance

import "sort"

// Sort brings a hand-made cluster into the order that every function here expects: brokers by ID, topics by name,
// partitions by topic and ID. It changes the order of the slices in place and is for whoever builds the Cluster.
func (c *Cluster) Sort() {
	sort.SliceStable(c.Brokers, func(i, j int) bool { return c.Brokers[i].ID < c.Brokers[j].ID })
	sort.SliceStable(c.Topics, func(i, j int) bool { return c.Topics[i].Name < c.Topics[j].Name })
	less := func(i, j int) bool {
		a, b := &c.Partitions[i], &c.Partitions[j]
		return a.Topic < b.Topic || a.Topic == b.Topic && a.ID < b.ID
	}
	if !sort.SliceIsSorted(c.Partitions, less) {
		sort.SliceStable(c.Partitions, less)
	}
}
