package sim

import "slices"

// flow is a copy under way: from the leader of a partition to a log out of sync.
type flow struct {
	p    *partition
	log  *log
	rate int64 // bytes a second
}

// writeRate returns the bytes a second written to a partition now. Producers wait for all in-sync replicas.
func (c *Cluster) writeRate(p *partition) int64 {
	if p.rates.ProduceBytes <= 0 || p.leader < 0 || len(p.isr) < p.minISR() {
		return 0
	}
	for _, b := range p.isr {
		if !c.broker(b).running || p.log(b).stalled {
			return 0
		}
	}
	return int64(p.rates.ProduceBytes)
}

// flows returns the copies under way with their rates: equal shares, as far as the pipes that each runs through allow.
func (c *Cluster) flows() []flow {
	var flows []flow
	c.each(func(p *partition) {
		if len(p.isr) == len(p.replicas) || p.leader < 0 || !c.broker(p.leader).running {
			return
		}
		for _, b := range p.replicas {
			if l := p.log(b); !p.inSync(b) && !l.stalled && c.broker(b).up() {
				flows = append(flows, flow{p: p, log: l})
			}
		}
	})
	if len(flows) > 0 {
		share(flows, c.pipes(flows))
	}
	return flows
}

// pipe is a limit that several flows share.
type pipe struct {
	left  int64 // bytes a second not given away
	flows []int // indices of the flows that still grow
}

// pipes returns every limit that some flow is under: the bandwidth of both brokers and the throttles.
func (c *Cluster) pipes(flows []flow) []*pipe {
	var pipes []*pipe
	for _, b := range c.brokers {
		send, receive := &pipe{left: b.copyBytes}, &pipe{left: b.copyBytes}
		sendListed, receiveListed := &pipe{}, &pipe{}
		limits := c.effective(b)
		for i, f := range flows {
			if f.p.leader == b.id {
				send.flows = append(send.flows, i)
				if limits.leader != nil && f.p.topic.throttle.leader.has(f.p.id, b.id) {
					sendListed.flows = append(sendListed.flows, i)
				}
			}
			if f.log.broker == b.id {
				receive.flows = append(receive.flows, i)
				if limits.follower != nil && f.p.topic.throttle.follower.has(f.p.id, b.id) {
					receiveListed.flows = append(receiveListed.flows, i)
				}
			}
		}
		if len(sendListed.flows) > 0 {
			sendListed.left = max(0, *limits.leader-c.listedOut(b.id))
		}
		if len(receiveListed.flows) > 0 {
			receiveListed.left = max(0, *limits.follower-c.listedIn(b.id))
		}
		pipes = append(pipes, send, receive, sendListed, receiveListed)
	}
	return slices.DeleteFunc(pipes, func(p *pipe) bool { return len(p.flows) == 0 })
}

// share gives every flow the same rate until a pipe is full, then the others more, until all are held back.
func share(flows []flow, pipes []*pipe) {
	for len(pipes) > 0 {
		step := never
		for _, p := range pipes {
			step = min(step, p.left/int64(len(p.flows)))
		}
		for _, p := range pipes {
			p.left -= step * int64(len(p.flows))
		}
		growing, held := make([]bool, len(flows)), make([]bool, len(flows))
		for _, p := range pipes {
			for _, i := range p.flows {
				growing[i] = true
				held[i] = held[i] || p.left < int64(len(p.flows))
			}
		}
		for i := range flows {
			if growing[i] {
				flows[i].rate += step
			}
		}
		for _, p := range pipes {
			p.flows = slices.DeleteFunc(p.flows, func(i int) bool { return held[i] })
		}
		pipes = slices.DeleteFunc(pipes, func(p *pipe) bool { return len(p.flows) == 0 })
	}
}
