package sim

import "time"

// longestStep keeps byte and time arithmetic far from overflow.
const longestStep = int64(time.Hour / time.Millisecond)

// follower ties virtual time to a clock.
type follower struct {
	now   func() time.Time
	last  time.Time
	speed int
}

// Advance lets virtual time pass: logs grow, replicas copy, sessions time out, reassignments complete. What d holds
// beyond whole milliseconds counts with the next call.
func (c *Cluster) Advance(d time.Duration) {
	c.lock()
	defer c.mu.Unlock()
	c.advance(d)
}

// Follow ties virtual time to a clock from now on: each call first lets the time pass that the clock has run since
// the last one, speed times as fast. Readings, views and health then carry the clock's time, so that somebody who
// compares them with the clock is not misled. A speed below 1 is 1.
func (c *Cluster) Follow(now func() time.Time, speed int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.follow = &follower{now: now, last: now(), speed: max(1, speed)}
}

func (c *Cluster) catchUp() {
	if c.follow == nil {
		return
	}
	now := c.follow.now()
	if passed := now.Sub(c.follow.last); passed > 0 {
		c.follow.last = now
		c.advance(passed * time.Duration(c.follow.speed))
	}
}

// stamp returns the time that answers carry.
func (c *Cluster) stamp() time.Time {
	if c.follow != nil {
		return c.follow.last
	}
	return c.virtual()
}

func (c *Cluster) advance(d time.Duration) {
	if d <= 0 {
		return
	}
	c.rest += d
	target := c.now + c.rest.Milliseconds()
	c.rest %= time.Millisecond
	for c.now < target {
		flows := c.flows()
		next := min(target, c.now+longestStep, c.nextDue(), c.nextArrival(flows))
		c.pass(max(next, c.now+1)-c.now, flows)
		c.settle()
	}
}

// pass moves bytes for a span in which no rate changes.
func (c *Cluster) pass(millis int64, flows []flow) {
	c.now += millis
	c.each(func(p *partition) {
		if rate := c.writeRate(p); rate > 0 {
			p.grow(amount(rate, millis, &p.carry))
		}
	})
	for _, f := range flows {
		f.log.end = min(f.p.end, f.log.end+amount(f.rate, millis, &f.log.carry))
	}
	c.each(func(p *partition) { p.follow() })
}

// amount returns the whole bytes of a rate over a span and keeps the thousandths for the next span.
func amount(rate, millis int64, carry *int64) int64 {
	n := rate*millis + *carry
	*carry = n % 1000
	return n / 1000
}

// grow appends to a log; retention cuts its head.
func (p *partition) grow(bytes int64) {
	p.end += bytes
	if p.retention > 0 {
		p.start = max(p.start, p.end-p.retention)
	}
}

// follow brings the logs up to what the partition is now: in-sync ones to its end, others at least to its start.
func (p *partition) follow() {
	for _, l := range p.logs {
		if p.inSync(l.broker) {
			l.end = p.end
		} else {
			l.end = max(l.end, p.start)
		}
	}
}

// nextDue returns when the next thing happens that is bound to a time.
func (c *Cluster) nextDue() int64 {
	if c.controllerDown {
		return never
	}
	due := never
	for _, b := range c.brokers {
		due = min(due, b.fenceAt, b.readyAt)
	}
	c.each(func(p *partition) {
		for _, l := range p.logs {
			due = min(due, l.shrink)
		}
	})
	if c.cfg.AutoLeader > 0 {
		due = min(due, c.autoLeaderAt)
	}
	return due
}

// nextArrival returns when the first copy may catch up, never later than it does.
func (c *Cluster) nextArrival(flows []flow) int64 {
	arrival := never
	for _, f := range flows {
		behind, gain := f.p.end-f.log.end, f.rate-c.writeRate(f.p)
		if behind > 0 && gain > 0 {
			arrival = min(arrival, c.now+behind*1000/gain)
		}
	}
	return arrival
}
