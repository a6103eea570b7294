package sim

import (
	"slices"
	"time"
)

// longestLag is how long past images are kept, and so the most that metadata can trail.
const longestLag = int64(time.Minute / time.Millisecond)

// SetMetadataLag sets how far the metadata of brokers trails the controller, at most a minute.
func (c *Cluster) SetMetadataLag(d time.Duration) {
	c.lock()
	defer c.mu.Unlock()
	c.lag = min(max(0, d.Milliseconds()), longestLag)
}

// remember keeps what metadata shows of a partition until now.
func (c *Cluster) remember(p *partition) {
	p.past = slices.DeleteFunc(p.past, func(i image) bool { return i.until <= c.now-longestLag })
	p.past = append(p.past, p.image(c.now))
}

// seen returns what metadata shows of a partition now.
func (c *Cluster) seen(p *partition) image {
	for _, i := range p.past {
		if i.until > c.now-c.lag {
			return i
		}
	}
	return p.image(never)
}

// seenTopic returns the topic that metadata shows under a name, nil for none: a deleted one while its deletion is
// not known, and the present one once its creation is.
func (c *Cluster) seenTopic(name string) *topic {
	for _, t := range c.ghosts {
		if t.spec.Name == name && t.deleted > c.now-c.lag {
			return t
		}
	}
	if t := c.byName[name]; t != nil && t.created <= c.now-c.lag {
		return t
	}
	return nil
}

// seenPartition returns the partition that metadata shows, nil for none.
func (c *Cluster) seenPartition(name string, id int32) *partition {
	t := c.seenTopic(name)
	if t == nil || id < 0 || int(id) >= len(t.parts) || t.parts[id].created > c.now-c.lag {
		return nil
	}
	return t.parts[id]
}

// seenTopics returns the topics that metadata shows, by name.
func (c *Cluster) seenTopics() []*topic {
	var topics []*topic
	for _, t := range c.ghosts {
		if t.deleted > c.now-c.lag && c.seenTopic(t.spec.Name) == t {
			topics = append(topics, t)
		}
	}
	for _, t := range c.topics {
		if c.seenTopic(t.spec.Name) == t {
			topics = append(topics, t)
		}
	}
	slices.SortFunc(topics, func(a, b *topic) int { return compareTopic(a, b.spec.Name) })
	return topics
}
