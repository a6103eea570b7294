package sim

import (
	"fmt"
	"slices"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

// mostRecords is how many partitions Kafka changes in one request; it leaves out the rest with an unknown error.
const mostRecords = 10_000

// alter submits a target. Kafka compares it with the present replicas, those in flight included, and keeps the adding
// or the removing list of a running reassignment where the new one would be empty; both traps of a second target come
// from that.
func (c *Cluster) alter(tp balance.TopicPartition, target []int32) (reassign.Code, string) {
	p := c.partition(tp)
	if p == nil {
		return reassign.CodeMissing, "no such topic or partition"
	}
	if why := c.badTarget(target); why != "" {
		return reassign.CodeInvalid, why
	}
	adding, removing := without(target, p.replicas), without(p.replicas, target)
	slices.Sort(adding)
	slices.Sort(removing)
	ch := p.change()
	ch.replicas = append(slices.Clone(target), removing...)
	if len(adding) > 0 {
		ch.adding = adding
	}
	if len(removing) > 0 {
		ch.removing = removing
	}
	if slices.Equal(ch.replicas, p.replicas) && slices.Equal(ch.adding, p.adding) && slices.Equal(ch.removing, p.removing) {
		return reassign.CodeOK, ""
	}
	c.trace("%v goes from %v to %v", tp, p.replicas, target)
	c.commit(p, ch)
	return reassign.CodeOK, ""
}

// badTarget says what Kafka has against a target. A registered broker is good enough, be it fenced.
func (c *Cluster) badTarget(target []int32) string {
	if len(target) == 0 {
		return "the replica list is empty"
	}
	for i, b := range target {
		if slices.Contains(target[:i], b) {
			return fmt.Sprintf("broker %d is listed twice", b)
		}
		if c.broker(b) == nil {
			return fmt.Sprintf("broker %d is not registered", b)
		}
	}
	return ""
}

// cancel ends a reassignment: adding replicas go, the others stay in the order in which they are listed.
func (c *Cluster) cancel(tp balance.TopicPartition) (reassign.Code, string) {
	p := c.partition(tp)
	if p == nil {
		return reassign.CodeMissing, "no such topic or partition"
	}
	if !p.inFlight() {
		return reassign.CodeNothingInFlight, "no reassignment is in progress"
	}
	isr := without(p.isr, p.adding)
	if len(isr) == 0 {
		return reassign.CodeInvalid, "none of the original replicas is in sync: it would take an unclean leader election"
	}
	c.trace("%v is cancelled at %v", tp, p.replicas)
	c.commit(p, change{replicas: without(p.replicas, p.adding), isr: isr})
	return reassign.CodeOK, ""
}
