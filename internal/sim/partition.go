package sim

import (
	"slices"

	"github.com/kafka-pilot/pilot/balance"
)

// partition is the controller's record of a partition together with its logs. The lists are replaced, never changed
// in place, so that a past image can share them.
type partition struct {
	topic   *topic
	id      int32
	created int64

	leader   int32 // -1 is none
	replicas []int32
	adding   []int32
	removing []int32
	isr      []int32
	eligible []int32 // replicas that left the ISR below min.insync.replicas and may lead an empty one (KIP-966)
	past     []image // what metadata showed before, oldest first

	logs       []*log // one for each replica, in no particular order
	start, end int64  // positions in bytes of the log, which every in-sync replica holds whole
	retention  int64  // most bytes kept; 0 keeps all
	carry      int64  // thousandths of a byte written beyond end
	rates      Rates
}

// log is what one broker holds of a partition.
type log struct {
	broker  int32
	end     int64 // position up to which it is copied; the partition's end while in sync
	carry   int64 // thousandths of a byte copied beyond end
	extra   int64 // bytes by which it differs from the others at the same position
	stalled bool  // it does not fetch
	shrink  int64 // when a stalled one leaves the ISR
}

// image is what metadata shows of a partition until a time.
type image struct {
	until    int64
	leader   int32
	replicas []int32
	isr      []int32
}

func (p *partition) name() balance.TopicPartition {
	return balance.TopicPartition{Topic: p.topic.spec.Name, Partition: p.id}
}

func (p *partition) inFlight() bool { return len(p.adding) > 0 || len(p.removing) > 0 }

func (p *partition) minISR() int { return max(1, int(p.topic.spec.MinISR)) }

func (p *partition) log(broker int32) *log {
	for _, l := range p.logs {
		if l.broker == broker {
			return l
		}
	}
	return nil
}

// bytes returns the size of one log.
func (p *partition) bytes(l *log) int64 {
	return max(0, l.end-p.start+l.extra)
}

// leaderBytes returns the size of the leader's log, or of the whole log when nobody leads.
func (p *partition) leaderBytes() int64 {
	if l := p.log(p.leader); l != nil {
		return p.bytes(l)
	}
	return p.end - p.start
}

func (p *partition) image(until int64) image {
	return image{until: until, leader: p.leader, replicas: p.replicas, isr: p.isr}
}

// fitLogs gives every replica a log and removes the logs of others. A new one begins where the partition begins.
func (p *partition) fitLogs() {
	p.logs = slices.DeleteFunc(p.logs, func(l *log) bool { return !slices.Contains(p.replicas, l.broker) })
	for _, b := range p.replicas {
		if p.log(b) == nil {
			p.logs = append(p.logs, &log{broker: b, end: p.start, shrink: never})
		}
	}
}

// without returns the elements of list that are not in drop, as a new list.
func without(list, drop []int32) []int32 {
	var left []int32
	for _, b := range list {
		if !slices.Contains(drop, b) {
			left = append(left, b)
		}
	}
	return left
}

// containsAll reports whether list holds every element of want.
func containsAll(list, want []int32) bool {
	return len(without(want, list)) == 0
}
