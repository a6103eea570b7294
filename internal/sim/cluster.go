package sim

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kafka-pilot/pilot/balance"
)

// Cluster is a simulated Kafka cluster. Make one with New, FromCluster or Skewed. All methods may be called from
// several goroutines, though only calls from one goroutine at a time repeat to the byte.
type Cluster struct {
	mu  sync.Mutex
	cfg Config

	now    int64         // milliseconds since cfg.Start
	rest   time.Duration // what Advance was given beyond whole milliseconds
	follow *follower     // nil: only Advance lets time pass

	brokers []*broker         // sorted by ID
	topics  []*topic          // sorted by name
	byName  map[string]*topic // for look-up only, never ranged over
	ghosts  []*topic          // deleted topics that metadata may still show

	controllerDown bool
	autoLeaderAt   int64  // next preferred election of all partitions
	lag            int64  // milliseconds by which metadata trails
	defaultLimits  limits // the cluster-wide default, which brokers' own rates override

	ids     random // makes topic IDs
	calls   int    // calls of all clients so far
	clients int
	journal journal
}

// New returns a cluster without brokers and topics.
func New(cfg Config) *Cluster {
	cfg = cfg.withDefaults()
	c := &Cluster{cfg: cfg, byName: map[string]*topic{}, ids: random(cfg.Seed), lag: cfg.MetadataLag.Milliseconds()}
	c.journal.values = map[string][]byte{}
	c.autoLeaderAt = cfg.AutoLeader.Milliseconds()
	return c
}

// lock takes the lock and, while following a clock, lets the time pass that is due.
func (c *Cluster) lock() {
	c.mu.Lock()
	c.catchUp()
}

// Now returns the virtual time.
func (c *Cluster) Now() time.Time {
	c.lock()
	defer c.mu.Unlock()
	return c.virtual()
}

func (c *Cluster) virtual() time.Time {
	return c.cfg.Start.Add(time.Duration(c.now) * time.Millisecond)
}

func (c *Cluster) trace(format string, args ...any) {
	if c.cfg.Trace != nil {
		c.cfg.Trace(fmt.Sprintf("%9.3fs ", float64(c.now)/1000) + fmt.Sprintf(format, args...))
	}
}

func (c *Cluster) broker(id int32) *broker {
	i, found := slices.BinarySearchFunc(c.brokers, id, func(b *broker, id int32) int { return int(b.id) - int(id) })
	if !found {
		return nil
	}
	return c.brokers[i]
}

// partition returns nil when there is no such partition now.
func (c *Cluster) partition(tp balance.TopicPartition) *partition {
	t := c.byName[tp.Topic]
	if t == nil || tp.Partition < 0 || int(tp.Partition) >= len(t.parts) {
		return nil
	}
	return t.parts[tp.Partition]
}

// each calls f with every partition, in the order of topics and partitions.
func (c *Cluster) each(f func(*partition)) {
	for _, t := range c.topics {
		for _, p := range t.parts {
			f(p)
		}
	}
}

func (c *Cluster) insertTopic(t *topic) {
	i, _ := slices.BinarySearchFunc(c.topics, t.spec.Name, compareTopic)
	c.topics = slices.Insert(c.topics, i, t)
	c.byName[t.spec.Name] = t
}

func compareTopic(t *topic, name string) int { return strings.Compare(t.spec.Name, name) }

// newID makes a topic ID that reads like Kafka's: 128 bits in URL-safe base64.
func (c *Cluster) newID() string {
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:8], c.ids.next())
	binary.BigEndian.PutUint64(raw[8:], c.ids.next())
	return base64.RawURLEncoding.EncodeToString(raw[:])
}
