package sim

import "slices"

// settle does all that is due now and that a change made possible, until nothing more follows from it.
func (c *Cluster) settle() {
	for again := !c.controllerDown; again; {
		again = c.settleBrokers()
		c.each(func(p *partition) {
			if c.settlePartition(p) {
				again = true
			}
		})
	}
	c.autoLeader()
}

// settleBrokers fences brokers whose session is over and takes started ones back into service.
func (c *Cluster) settleBrokers() bool {
	changed := false
	for _, b := range c.brokers {
		if b.fenceAt <= c.now {
			b.fenceAt, b.fenced, changed = never, true, true
			c.trace("broker %d is fenced", b.id)
			c.leaveISR(b.id)
		}
		if b.running && b.fenced && b.readyAt <= c.now {
			b.readyAt, b.fenced, changed = never, false, true
			c.trace("broker %d is in service", b.id)
			c.leadAgain()
		}
	}
	return changed
}

func (c *Cluster) leaveISR(broker int32) {
	c.each(func(p *partition) {
		if p.inSync(broker) {
			c.dropFromISR(p, broker)
		}
	})
}

// leadAgain looks for leaders for partitions without one.
func (c *Cluster) leadAgain() {
	c.each(func(p *partition) {
		if p.leader < 0 {
			c.commit(p, p.change())
		}
	})
}

// settlePartition lets stalled replicas leave the ISR and those that caught up join it.
func (c *Cluster) settlePartition(p *partition) bool {
	changed := false
	for _, b := range p.replicas {
		l := p.log(b)
		if l == nil {
			continue // a change above completed a reassignment that removes it
		}
		if l.shrink <= c.now {
			l.shrink = never
			if p.inSync(b) {
				c.dropFromISR(p, b)
				changed = true
			}
		}
		if c.mayJoin(p, l) {
			ch := p.change()
			ch.isr = append(slices.Clone(p.isr), b)
			c.trace("%v has %d in sync", p.name(), b)
			c.commit(p, ch)
			changed = true
		}
	}
	return changed
}

func (c *Cluster) mayJoin(p *partition, l *log) bool {
	return !p.inSync(l.broker) && !l.stalled && l.end == p.end &&
		c.broker(l.broker).up() && p.leader >= 0 && c.broker(p.leader).running
}

func (p *partition) inSync(broker int32) bool { return slices.Contains(p.isr, broker) }

// autoLeader elects preferred leaders when it is time for that, as auto.leader.rebalance.enable does.
func (c *Cluster) autoLeader() {
	if c.cfg.AutoLeader <= 0 || c.controllerDown || c.now < c.autoLeaderAt {
		return
	}
	c.autoLeaderAt = c.now + c.cfg.AutoLeader.Milliseconds()
	c.each(func(p *partition) { c.preferred(p) })
}
