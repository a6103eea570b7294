package sim

import (
	"slices"

	"github.com/kafka-pilot/pilot/balance"
)

// change is what the controller is about to record for a partition.
type change struct {
	replicas, adding, removing, isr []int32
	preferred                       bool // elect the first replica, though another leads
}

func (p *partition) change() change {
	return change{replicas: p.replicas, adding: p.adding, removing: p.removing, isr: p.isr}
}

// complete ends the reassignment if the in-sync replicas that stay hold the whole target.
func (ch *change) complete() bool {
	if len(ch.adding) == 0 && len(ch.removing) == 0 {
		return false
	}
	target, isr := without(ch.replicas, ch.removing), without(ch.isr, ch.removing)
	if len(target) == 0 || len(isr) == 0 || !containsAll(isr, target) {
		return false
	}
	ch.replicas, ch.isr, ch.adding, ch.removing = target, isr, nil, nil
	return true
}

// commit records a change: it completes a reassignment that is ready for it, keeps or finds a leader, and lets the
// logs follow.
func (c *Cluster) commit(p *partition, ch change) {
	completed := ch.complete()
	eligible := p.nextEligible(ch)
	leader := c.elect(p, ch, eligible)
	if leader >= 0 && len(ch.isr) == 0 {
		ch.isr, eligible = []int32{leader}, without(eligible, []int32{leader})
	}
	c.remember(p)
	before := p.leader
	p.leader, p.eligible = leader, eligible
	p.replicas, p.adding, p.removing, p.isr = ch.replicas, ch.adding, ch.removing, ch.isr
	p.fitLogs()
	if completed {
		c.trace("%v completes at %v", p.name(), p.replicas)
	}
	if leader != before {
		c.trace("%v is led by %d, before %d", p.name(), leader, before)
	}
}

// nextEligible returns the replicas that may lead once the ISR is empty: those that left it while it was short and
// are replicas still.
func (p *partition) nextEligible(ch change) []int32 {
	if len(ch.isr) >= p.minISR() {
		return nil
	}
	var eligible []int32
	for _, b := range ch.replicas {
		left := slices.Contains(p.eligible, b) || slices.Contains(p.isr, b)
		if left && !slices.Contains(ch.isr, b) {
			eligible = append(eligible, b)
		}
	}
	return eligible
}

// elect returns the leader after a change, -1 for none. Without preferred the present leader stays if it may.
func (c *Cluster) elect(p *partition, ch change, eligible []int32) int32 {
	may := func(b int32) bool {
		in := slices.Contains(ch.isr, b) || len(ch.isr) == 0 && slices.Contains(eligible, b)
		return in && c.broker(b).active()
	}
	if ch.preferred && may(ch.replicas[0]) {
		return ch.replicas[0]
	}
	if may(p.leader) {
		return p.leader
	}
	for _, b := range ch.replicas {
		if may(b) {
			return b
		}
	}
	return -1
}

// preferred makes the first replica lead if it is in sync and in service, and reports whether it leads.
func (c *Cluster) preferred(p *partition) bool {
	first := p.replicas[0]
	if p.leader == first {
		return true
	}
	if !slices.Contains(p.isr, first) || !c.broker(first).active() {
		return false
	}
	ch := p.change()
	ch.preferred = true
	c.commit(p, ch)
	return true
}

// dropFromISR takes a replica out of the in-sync replicas, as fencing its broker or lagging does.
func (c *Cluster) dropFromISR(p *partition, broker int32) {
	ch := p.change()
	ch.isr = without(p.isr, []int32{broker})
	c.trace("%v loses %d from its in-sync replicas", p.name(), broker)
	c.commit(p, ch)
}

// ElectPreferred makes the first replica of a partition its leader, as another tool would ask for. It reports whether
// that replica leads now.
func (c *Cluster) ElectPreferred(tp balance.TopicPartition) bool {
	c.lock()
	defer c.mu.Unlock()
	p := c.partition(tp)
	if p == nil || c.controllerDown {
		return false
	}
	led := c.preferred(p)
	c.settle()
	return led
}
