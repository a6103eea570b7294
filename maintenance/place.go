package maintenance

import (
	"cmp"
	"slices"

	"github.com/kafka-pilot/pilot/balance"
)

// refinePasses bounds how often every choice is looked at again after all are made. Each pass can only make the
// loads more even, and the first two do nearly all there is.
const refinePasses = 4

// leadership is the slot of a choice that is about who leads; the others count the open places of a task.
const leadership = -1

// choice is one decision that evens the loads: the new leader of a partition, or the broker for an open place.
type choice struct {
	t    *task
	slot int
	d    loads // what the chosen broker gets
	size int64 // larger ones are placed first
	at   int   // the place of the broker chosen
}

// place chooses new leaders, then receivers. What has no replica in sync that stays is led by its new replica.
func (p *planner) place() error {
	var err error
	if p.even, err = newEvenness(p); err != nil {
		return err
	}
	p.topics = newTopicSpread(p)
	p.choose(p.handOvers())
	p.choose(p.openPlaces())
	return nil
}

func (p *planner) handOvers() (all []*choice) {
	for _, t := range p.tasks {
		if !t.hand {
			continue
		}
		t.leader = noLeader
		if len(p.heirs(t)) > 0 {
			all = append(all, &choice{t: t, slot: leadership, d: asLeader(t.p)})
		}
	}
	return all
}

func (p *planner) openPlaces() (all []*choice) {
	for _, t := range p.tasks {
		for slot := range t.open {
			c := &choice{t: t, slot: slot, d: asFollower(t.p)}
			if slot == 0 && t.leader == noLeader {
				c.d = c.d.plus(asLeader(t.p))
			}
			t.given = append(t.given, noLeader)
			all = append(all, c)
		}
	}
	return all
}

// choose makes the choices, large ones first, and then looks at each again while that makes the loads more even.
func (p *planner) choose(all []*choice) {
	for _, c := range all {
		c.size = p.even.size(&c.d)
	}
	slices.SortStableFunc(all, func(a, b *choice) int { return cmp.Compare(b.size, a.size) })
	for _, c := range all {
		p.take(c)
	}
	for range refinePasses {
		changed := false
		for _, c := range all {
			before := c.at
			p.undo(c)
			p.take(c)
			changed = changed || c.at != before
		}
		if !changed {
			return
		}
	}
}

// take makes one choice.
func (p *planner) take(c *choice) {
	if c.slot == leadership {
		c.at = p.even.best(p.heirs(c.t), &c.d)
		c.t.leader = p.c.Brokers[c.at].ID
	} else {
		c.at = p.even.best(p.topics.room(c.t.p.Topic, p.receivers(c.t, c.slot)), &c.d)
		c.t.given[c.slot] = p.c.Brokers[c.at].ID
		p.topics.add(c.t.p.Topic, c.at, 1)
	}
	p.even.add(c.at, &c.d)
}

// undo takes a choice back, to make it again.
func (p *planner) undo(c *choice) {
	if c.slot != leadership {
		p.topics.add(c.t.p.Topic, c.at, -1)
	}
	p.even.remove(c.at, &c.d)
}

// heirs are the places of the replicas that may take over leadership: active, staying and in sync.
func (p *planner) heirs(t *task) (places []int) {
	for _, id := range t.keep {
		if p.state(id) == balance.Active && inSync(t.p, id) {
			places = append(places, p.at[id])
		}
	}
	slices.Sort(places)
	return places
}
