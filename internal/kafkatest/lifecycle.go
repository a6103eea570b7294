package kafkatest

import (
	"context"
	"os"
)

// Stop shuts a broker or controller down in good order, as SIGTERM does: a broker's leaders move away first.
// It returns when the process has ended; stopping a stopped node is no error.
func (c *Cluster) Stop(id int32) error { return c.on(id, (*node).stop) }

// Kill ends a broker or controller with SIGKILL, as a power cut would. The controller fences a killed broker only after
// Config.SessionTimeout.
func (c *Cluster) Kill(id int32) error { return c.on(id, (*node).kill) }

// Pause stops a node's process with SIGSTOP: its connections stay open and nothing answers, as on a hung machine.
func (c *Cluster) Pause(id int32) error {
	return c.on(id, func(n *node) error { return n.setPaused(true) })
}

// Resume continues a paused node.
func (c *Cluster) Resume(id int32) error {
	return c.on(id, func(n *node) error { return n.setPaused(false) })
}

// StartBroker starts a stopped or killed node again, on the same ports and the same data, and returns when the controller
// has unfenced it. Directly after Stop or Kill that takes up to Config.SessionTimeout, because the controller refuses a
// new registration while the old session lives. It starts a controller as well.
func (c *Cluster) StartBroker(id int32) error {
	return c.on(id, func(n *node) error { return n.start(context.Background(), c) })
}

// Restart is Stop and then StartBroker.
func (c *Cluster) Restart(id int32) error {
	if err := c.Stop(id); err != nil {
		return err
	}
	return c.StartBroker(id)
}

// AddBroker starts an empty broker with the next free id in a rack; "" is no rack.
func (c *Cluster) AddBroker(rack string) (id int32, err error) {
	c.adding.Lock()
	defer c.adding.Unlock()
	brokers := c.brokers()
	n, err := c.newBroker(brokers[len(brokers)-1].id+1, rack)
	if err != nil {
		return 0, err
	}
	return n.id, n.start(context.Background(), c)
}

// Log is all a node has logged, over all its starts.
func (c *Cluster) Log(id int32) (string, error) {
	n, err := c.node(id)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(n.logFile())
	if err != nil {
		return "", err
	}
	return string(text), nil
}

func (c *Cluster) on(id int32, do func(*node) error) error {
	n, err := c.node(id)
	if err != nil {
		return err
	}
	return do(n)
}
