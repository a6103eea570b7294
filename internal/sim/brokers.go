package sim

import (
	"fmt"
	"slices"

	"github.com/kafka-pilot/pilot/balance"
)

// never is the due time of what will not happen.
const never = int64(1) << 62

type broker struct {
	id         int32
	host, rack string

	running bool  // the process answers and copies
	fenced  bool  // the controller has taken it out of service
	fenceAt int64 // when a broker that is down and not fenced yet will be
	readyAt int64 // when a broker that runs and is fenced will be back in service

	copyBytes int64  // bytes a second it can send, and receive, for replicas out of sync
	own       limits // its own throttle rates
}

// up reports whether the broker runs and is in service.
func (b *broker) up() bool { return b != nil && b.running && !b.fenced }

// active reports whether the controller takes it for a possible leader: it does so until the session is over.
func (b *broker) active() bool { return b != nil && !b.fenced }

// AddBroker adds a running broker without replicas. The state of b is not used. It fails when the ID is taken or
// negative.
func (c *Cluster) AddBroker(b balance.Broker) error {
	c.lock()
	defer c.mu.Unlock()
	return c.addBroker(b, true)
}

func (c *Cluster) addBroker(b balance.Broker, running bool) error {
	if b.ID < 0 {
		return fmt.Errorf("broker %d: use an ID that is not negative", b.ID)
	}
	if c.broker(b.ID) != nil {
		return fmt.Errorf("broker %d exists already: use another ID", b.ID)
	}
	i, _ := slices.BinarySearchFunc(c.brokers, b.ID, func(x *broker, id int32) int { return int(x.id) - int(id) })
	c.brokers = slices.Insert(c.brokers, i, &broker{
		id: b.ID, host: b.Host, rack: b.Rack, running: running, fenced: !running,
		fenceAt: never, readyAt: never, copyBytes: c.cfg.CopyBytes,
	})
	c.trace("broker %d joins", b.ID)
	return nil
}

// Kill ends a broker without warning, as SIGKILL or a hang does. It stays in the metadata, and leads what it led,
// until its session times out. Killing one that is down does nothing.
func (c *Cluster) Kill(id int32) error {
	return c.change(id, "killed", func(b *broker) {
		if !b.running {
			return
		}
		b.running, b.readyAt = false, never
		if !b.fenced {
			b.fenceAt = c.now + c.cfg.SessionTimeout.Milliseconds()
		}
	})
}

// Stop shuts a broker down in a controlled way: its leaders move and it is fenced at once.
func (c *Cluster) Stop(id int32) error {
	return c.change(id, "stopped", func(b *broker) {
		b.running, b.readyAt = false, never
		if !b.fenced {
			b.fenceAt = c.now
		}
	})
}

// Start starts a broker that is down. It is back in service after Config.StartTime, with the data that it had.
// Starting one that runs does nothing.
func (c *Cluster) Start(id int32) error {
	return c.change(id, "started", func(b *broker) {
		if b.running {
			return
		}
		if !b.fenced {
			b.fenceAt = c.now // a new registration ends the old session
		}
		b.running, b.readyAt = true, c.now+c.cfg.StartTime.Milliseconds()
	})
}

// SetBandwidth sets how many bytes a second a broker sends, and receives, for replicas out of sync. 0 stops its copies.
func (c *Cluster) SetBandwidth(id int32, bytes int64) error {
	return c.change(id, "gets another bandwidth", func(b *broker) { b.copyBytes = max(0, bytes) })
}

func (c *Cluster) change(id int32, what string, f func(*broker)) error {
	c.lock()
	defer c.mu.Unlock()
	b := c.broker(id)
	if b == nil {
		return fmt.Errorf("broker %d does not exist: add it first", id)
	}
	c.trace("broker %d %s", id, what)
	f(b)
	c.settle()
	return nil
}

// StopController takes the active controller away: nothing can be changed or listed, no broker is fenced and no
// in-sync replicas change until StartController. Copying goes on.
func (c *Cluster) StopController() {
	c.lock()
	defer c.mu.Unlock()
	c.trace("controller gone")
	c.controllerDown = true
}

// StartController brings the controller back. The sessions of brokers that are down begin anew.
func (c *Cluster) StartController() {
	c.lock()
	defer c.mu.Unlock()
	if !c.controllerDown {
		return
	}
	c.trace("controller back")
	c.controllerDown = false
	for _, b := range c.brokers {
		if !b.running && !b.fenced {
			b.fenceAt = c.now + c.cfg.SessionTimeout.Milliseconds()
		}
	}
	c.settle()
}
