package kafka

import (
	"cmp"
	"slices"
	"time"
)

// candidates returns the brokers in the order in which onAny tries them.
func (c *Client) candidates() []*node {
	c.mu.Lock()
	defer c.mu.Unlock()
	var nodes []*node
	for _, n := range c.nodes {
		if !n.fenced {
			nodes = append(nodes, n)
		}
	}
	now := time.Now()
	rank := func(n *node) int {
		switch {
		case n.id < 0:
			return 2
		case now.Sub(n.failedAt) < lately:
			return 1
		}
		return 0
	}
	slices.SortFunc(nodes, func(a, b *node) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(max(a.id, -a.id), max(b.id, -b.id)))
	})
	return nodes
}

// rotate puts the first n brokers behind the others. Bootstrap addresses stay last.
func rotate(nodes []*node, n int) []*node {
	brokers := slices.IndexFunc(nodes, func(n *node) bool { return n.id < 0 })
	if brokers < 1 {
		return nodes
	}
	n %= brokers
	return slices.Concat(nodes[n:brokers], nodes[:n], nodes[brokers:])
}

// learn takes in what the cluster says of its brokers. Those that it does not name are gone.
func (c *Client) learn(brokers []brokerInfo) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.nodes == nil {
		return
	}
	for _, n := range c.replaceNodes(brokers) {
		c.calls.Go(n.close) // a call under way goes on to its end
	}
}

func (c *Client) replaceNodes(brokers []brokerInfo) (gone []*node) {
	named := map[int32]bool{}
	for _, b := range brokers {
		named[b.ID] = true
		n := c.nodes[b.ID]
		if n != nil && n.address == b.address() {
			n.fenced = b.Fenced
			continue
		}
		if n != nil {
			gone = append(gone, n)
		}
		c.nodes[b.ID] = c.newNode(b.ID, b.address(), b.Fenced)
	}
	for id, n := range c.nodes {
		if id >= 0 && !named[id] {
			gone = append(gone, n)
			delete(c.nodes, id)
		}
	}
	return gone
}
