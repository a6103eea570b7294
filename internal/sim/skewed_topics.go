package sim

import "github.com/kafka-pilot/pilot/balance"

// topicNames are sorted, as a reading has to be; the position decides how heavy a topic is.
var topicNames = []string{
	"audit", "baskets", "billing", "catalogue", "clicks", "consents", "deliveries", "emails", "fraud-scores", "images",
	"inventory", "invoices", "logins", "metrics", "orders", "payments", "prices", "ratings", "refunds", "searches",
	"sessions", "shipments", "stock", "vouchers",
}

// weightOf says how heavy a topic is: a few carry most, as in real clusters.
func weightOf(rank int) float64 { return 1 / (2 + float64(rank)) }

// addTopic adds the i-th topic. The heavy ones have one or two partitions for each broker, so that they can be spread;
// the light ones have few.
func (s skew) addTopic(r *balance.Cluster, rng *random, i int, name string) {
	rank := (i*7 + rng.below(3)) % len(topicNames)
	count := s.brokers * (1 + rng.below(2))
	if rank > len(topicNames)/2 {
		count = 1 + rng.below(s.brokers)
	}
	produce := s.scale * 20e6 * weightOf(rank) * share100(rng, 70, 130) / float64(count)
	kept := 500 * share100(rng, 50, 150) // seconds of writes that retention keeps
	message := messageSizes[min(rank/8, 2)][rng.below(3)]
	fanOut := float64(rng.below(4)) + share100(rng, 20, 100) // how often each byte is read
	r.Topics = append(r.Topics, balance.Topic{Name: name, SegmentBytes: 1 << 30, MinISR: 1})
	for id := range count {
		written := float64(int64(produce * share100(rng, 85, 115)))
		p := balance.Partition{
			Topic: name, ID: int32(id), SizeBytes: int64(written * kept * share100(rng, 90, 110)),
			ProduceBytes: written, ProduceMessages: float64(int64(written/message) + 1),
		}
		p.ConsumeBytes, p.ConsumeMessages = float64(int64(written*fanOut)), float64(int64(p.ProduceMessages*fanOut))
		r.Partitions = append(r.Partitions, p)
	}
}

// messageSizes are bytes: heavy topics have small messages more often, so that no light one carries most messages.
var messageSizes = [3][3]float64{{250, 500, 900}, {500, 900, 2_000}, {900, 2_000, 8_000}}

// share100 returns a random fraction between low and high hundredths.
func share100(rng *random, low, high int64) float64 { return float64(rng.between(low, high)) / 100 }
