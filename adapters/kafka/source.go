package kafka

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/kafka-pilot/pilot/balance"
	meter "github.com/kafka-pilot/pilot/internal/measure"
)

// SourceConfig says how to measure. The zero SourceConfig is the documented default.
type SourceConfig struct {
	// Every is the time between two rounds of measuring. Default 30 seconds. A round asks the leader of every partition
	// for the ends of its log, and the coordinator of every active group for its offsets: on 50,000 partitions that is
	// about a megabyte.
	Every time.Duration
	// SizesEvery is the least time between two readings of sizes, which costs brokers more. Default one minute.
	SizesEvery time.Duration
	// Window is how far back means reach. Default 30 minutes.
	Window time.Duration
	// Enough is the least time that a partition must have been watched for a mean of its own. Default 30 seconds. Until
	// then its rates come from the time stamps of its records, or are unknown.
	Enough time.Duration
	// Patience is how long one broker may take in a round, before it is left out of it. Default five seconds.
	Patience time.Duration
}

func (c SourceConfig) withDefaults() SourceConfig {
	or := func(d, standard time.Duration) time.Duration {
		if d > 0 {
			return d
		}
		return standard
	}
	c.Every, c.SizesEvery = or(c.Every, 30*time.Second), or(c.SizesEvery, time.Minute)
	c.Window, c.Enough = or(c.Window, 30*time.Minute), or(c.Enough, 30*time.Second)
	c.Patience = or(c.Patience, 5*time.Second)
	return c
}

// history returns an empty history for the intervals of c. An answer counts as current for two and a half of them.
func (c SourceConfig) history() *meter.History {
	return meter.New(meter.Config{Window: c.Window, Enough: c.Enough, Fresh: c.Every * 5 / 2, FreshSizes: max(c.Every, c.SizesEvery) * 5 / 2})
}

// Source reads a real cluster through Kafka's protocol alone. It needs DESCRIBE on the cluster, on all topics and on all
// groups, and DESCRIBE_CONFIGS on all topics; what is hidden from the user otherwise is an error, not an empty cluster.
// It implements pilot.Source and may be used from several goroutines.
//
// Rates are means over the window of what rounds of measuring found, see Sample. Read takes a round when one is due, so
// that it is enough to call it from time to time; Run takes rounds in between.
type Source struct {
	client   *Client
	config   SourceConfig
	settings topicSettings
	turn     chan struct{} // held by the one round under way

	mu      sync.Mutex
	history *meter.History
	rounded time.Time               // end of the latest round
	sized   time.Time               // beginning of the latest round that read all sizes
	silent  map[int32]time.Time     // when a broker was silent last
	counts  map[string]int32        // partitions of each topic, to name them to the controller
	sighted map[meter.Key]sightedAs // what the latest reading showed
}

// NewSource returns a source on a client, which stays the caller's to close.
func NewSource(client *Client, config SourceConfig) *Source {
	config = config.withDefaults()
	return &Source{
		client: client, config: config, turn: make(chan struct{}, 1), history: config.history(),
		silent: map[int32]time.Time{}, sighted: map[meter.Key]sightedAs{},
	}
}

// Read returns the cluster as it is now, with means of what was measured up to now. A partition is Unmeasured when it
// has no leader, when one of its rates or of its sizes is not known, and when brokers disagree on its replicas. An error
// wraps *DeniedError when the user lacks a permission.
func (s *Source) Read(ctx context.Context) (*balance.Cluster, error) {
	if s.due() {
		if _, err := s.Sample(ctx); err != nil {
			return nil, err
		}
	}
	seen, err := s.lookAround(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading the cluster: %w", err)
	}
	settings, err := s.settings.of(ctx, s.client, seen.topics)
	if err != nil {
		return nil, fmt.Errorf("reading the settings of topics: %w", err)
	}
	s.mu.Lock()
	rates := s.history.Rates(time.Now())
	s.mu.Unlock()
	return seen.cluster(settings, rates), nil
}

// due reports whether it is time for another round.
func (s *Source) due() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rounded.IsZero() || time.Since(s.rounded) >= s.config.Every
}

// Run takes rounds until the context ends, and returns its cause. A round that fails is repeated when the next is due.
func (s *Source) Run(ctx context.Context) error {
	ticker := time.NewTicker(s.config.Every)
	defer ticker.Stop()
	for ctx.Err() == nil {
		if s.due() {
			_, _ = s.Sample(ctx) // Read says what is wrong
		}
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
	return context.Cause(ctx)
}
