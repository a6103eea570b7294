package maintenance

import (
	"slices"

	"github.com/kafka-pilot/pilot/balance"
)

// rackCount is how many racks a replica set spans. A broker without a rack may be next to any other or apart from all,
// so both are counted and neither may fall: the known racks, and those with all unknown ones as one more.
type rackCount struct{ known, all int }

func (r rackCount) atLeast(o rackCount) bool { return r.known >= o.known && r.all >= o.all }

// rack is the rack of a broker; "" is unknown.
func (p *planner) rack(id int32) string {
	if i, known := p.at[id]; known {
		return p.c.Brokers[i].Rack
	}
	return ""
}

// racks counts what a replica set spans.
func (p *planner) racks(set []int32) (n rackCount) {
	for i, id := range set {
		rack := p.rack(id)
		if p.sameRack(rack, set[:i]) > 0 {
			continue
		}
		n.all++
		if rack != "" {
			n.known++
		}
	}
	return n
}

// sameRack counts the brokers of a set that have a rack.
func (p *planner) sameRack(rack string, set []int32) (n int) {
	for _, id := range set {
		if p.rack(id) == rack {
			n++
		}
	}
	return n
}

// reach returns how many brokers could take a replica of the partition, and the most that it can span in the end.
func (p *planner) reach(t *task) (free int, racks rackCount) {
	racks = p.racks(t.keep)
	fresh, unknown := []string{}, 0
	for i := range p.c.Brokers {
		b := &p.c.Brokers[i]
		if b.State != balance.Active || slices.Contains(t.keep, b.ID) {
			continue
		}
		free++
		switch {
		case slices.Contains(fresh, b.Rack) || p.sameRack(b.Rack, t.keep) > 0:
		case b.Rack == "":
			unknown = 1
		default:
			fresh = append(fresh, b.Rack)
		}
	}
	racks.known += min(len(fresh), len(t.open))
	racks.all += min(len(fresh)+unknown, len(t.open))
	return free, racks
}

// receivers are the places of the brokers that may fill a slot, given what the task's other slots have. Where the
// racks leave no choice only brokers of new racks qualify; rack-aware, only those of the racks with fewest replicas.
func (p *planner) receivers(t *task, slot int) (places []int) {
	set, unfilled := p.others(t, slot)
	have := p.racks(set)
	needsKnown, needsNew := t.racks.known-have.known > unfilled, t.racks.all-have.all > unfilled
	least := len(set) + 1
	for at := range p.c.Brokers {
		b := &p.c.Brokers[at]
		if b.State != balance.Active || slices.Contains(set, b.ID) {
			continue
		}
		same := p.sameRack(b.Rack, set)
		if (needsKnown || needsNew) && same > 0 || needsKnown && b.Rack == "" {
			continue
		}
		if b.Rack == "" {
			same = len(set) // it may be next to all of them
		}
		if p.o.Policy.RackAware && same > least {
			continue
		}
		if p.o.Policy.RackAware && same < least {
			least, places = same, places[:0]
		}
		places = append(places, at)
	}
	return places
}

// others returns the replicas that a task has beside one slot, and how many of the other slots have none yet.
func (p *planner) others(t *task, slot int) (set []int32, unfilled int) {
	set = slices.Clone(t.keep)
	for i, id := range t.given {
		switch {
		case i == slot:
		case id == noLeader:
			unfilled++
		default:
			set = append(set, id)
		}
	}
	return set, unfilled
}
