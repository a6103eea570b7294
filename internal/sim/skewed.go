package sim

import (
	"slices"
	"strconv"
	"time"

	"github.com/kafka-pilot/pilot/balance"
)

// SkewOption shapes what Skewed makes.
type SkewOption func(*skew)

// skew describes a skewed cluster.
type skew struct {
	brokers int
	empty   bool
	scale   float64
}

// WithBrokers sets how many brokers there are: 4, 5 or 6. The default is 6. Others are taken as the nearest of these.
func WithBrokers(n int) SkewOption { return func(s *skew) { s.brokers = min(6, max(4, n)) } }

// WithEmptyBroker leaves the last broker without any replica, as if it had just joined.
func WithEmptyBroker() SkewOption { return func(s *skew) { s.empty = true } }

// WithScale multiplies all sizes and rates. At the default of 1 the cluster holds about 28 GB before replication and
// takes about 55 MB/s of writes.
func WithScale(factor float64) SkewOption { return func(s *skew) { s.scale = factor } }

// Skewed returns a cluster that badly needs balancing and can be balanced: brokers 1 to 6 in racks a, b and c, two
// dozen topics of unequal size and rate, and every partition led by broker 1 or 2. There is a placement that evens
// every load to within 5% of the fair share with the racks kept, give or take one partition. The factor is 3 with six
// brokers, else 2. Logs are at their retention, so that sizes stay while producers write.
func Skewed(seed uint64, options ...SkewOption) *Cluster {
	// The reading is our own: it is valid whatever the seed and the options.
	c, _ := FromCluster(SkewedReading(seed, options...), Config{Seed: seed, HoldSizes: true})
	return c
}

// SkewedReading returns the reading that Skewed makes a cluster of.
func SkewedReading(seed uint64, options ...SkewOption) *balance.Cluster {
	s := skew{brokers: 6, scale: 1}
	for _, option := range options {
		option(&s)
	}
	r := s.even(seed)
	for i := range r.Partitions {
		s.pile(i, &r.Partitions[i])
	}
	return r
}

// even makes topics and an even placement of them, from further random numbers while none is found.
func (s skew) even(seed uint64) *balance.Cluster {
	rng := random(seed)
	for {
		r := s.topics(&rng)
		if newLayout(r, s.factor()).spread() {
			return r
		}
	}
}

func (s skew) topics(rng *random) *balance.Cluster {
	r := &balance.Cluster{TakenAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	for id := int32(1); int(id) <= s.brokers; id++ {
		r.Brokers = append(r.Brokers, balance.Broker{ID: id, Host: "kafka-" + strconv.Itoa(int(id)), Rack: rackOf(id)})
	}
	for i, name := range topicNames {
		s.addTopic(r, rng, i, name)
	}
	return r
}

func (s skew) factor() int {
	if s.brokers == 6 {
		return 3
	}
	return 2
}

// rackOf puts brokers into the racks a, b and c in turn.
func rackOf(id int32) string { return "abc"[(id-1)%3 : (id-1)%3+1] }

// pile moves the leadership of the n-th partition to broker 1 or 2, which takes the place of another where neither has
// a replica, and empties the last broker where that is wanted.
func (s skew) pile(n int, p *balance.Partition) {
	last := int32(s.brokers)
	if i := slices.Index(p.Replicas, last); s.empty && i >= 0 {
		p.Replicas[i] = last - 3 // in the same rack
	}
	isHead := func(b int32) bool { return b == 1 || b == 2 }
	if !slices.ContainsFunc(p.Replicas, isHead) {
		ways := waysToHead(p.Replicas)
		p.Replicas = ways[n%len(ways)]
	}
	i := slices.IndexFunc(p.Replicas, isHead)
	p.Replicas[0], p.Replicas[i] = p.Replicas[i], p.Replicas[0]
	p.Leader, p.ISR = p.Replicas[0], slices.Clone(p.Replicas)
}

// waysToHead returns the lists in which broker 1 or 2 takes one place and no rack holds two replicas. There is always
// one: their racks are free or held by one replica, which can give way.
func waysToHead(replicas []int32) [][]int32 {
	var ways [][]int32
	for k := range replicas {
		for head := int32(1); head <= 2; head++ {
			others := slices.Delete(slices.Clone(replicas), k, k+1)
			if !rackTaken(others, head) {
				ways = append(ways, slices.Insert(others, k, head))
			}
		}
	}
	return ways
}
