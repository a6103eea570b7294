package kafka

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/IBM/sarama"
)

// The settings of topics that a reading depends on.
const (
	cleanupKey  = "cleanup.policy"
	segmentKey  = "segment.bytes"
	stampKey    = "message.timestamp.type"
	tieredKey   = "remote.storage.enable"
	appendStamp = "LogAppendTime"
)

// settingsFreshFor is how long the settings of a topic are believed. They hardly ever change.
const settingsFreshFor = 10 * time.Minute

// settings are what a reading needs of one topic's.
type settings struct {
	known        bool // they may be read
	compacted    bool
	tiered       bool // a part of it may lie in tiered storage
	appended     bool // brokers stamp its records
	segmentBytes int64
	minISR       int32
}

// sparse reports whether the size of its log may say nothing of the size of its messages.
func (s settings) sparse() bool { return !s.known || s.compacted || s.tiered }

// topicSettings remembers the settings of topics by their UUID.
type topicSettings struct {
	mu      sync.Mutex
	known   map[sarama.Uuid]settings
	freshAt time.Time // until when they are fresh
}

// of returns the settings of topics, which are asked for where they are not known. The map is read-only.
func (s *topicSettings) of(ctx context.Context, c *Client, topics []*sarama.TopicMetadata) (map[sarama.Uuid]settings, error) {
	now := time.Now()
	all, missing, stale := s.look(topics, now)
	if len(missing) == 0 {
		return all, nil
	}
	found, err := c.topicSettings(ctx, slices.Sorted(maps.Keys(missing)))
	if err != nil {
		return nil, err
	}
	for name, one := range found {
		all[missing[name]] = one
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known = all
	if stale {
		s.freshAt = now.Add(settingsFreshFor)
	}
	return all, nil
}

// look returns what is known of topics, and the UUIDs of those of which nothing is, or nothing any more.
func (s *topicSettings) look(topics []*sarama.TopicMetadata, now time.Time) (known map[sarama.Uuid]settings, missing map[string]sarama.Uuid, stale bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stale = now.After(s.freshAt)
	known, missing = map[sarama.Uuid]settings{}, map[string]sarama.Uuid{}
	for _, t := range topics {
		if one, ok := s.known[t.Uuid]; ok && !stale {
			known[t.Uuid] = one
		} else {
			missing[t.Name] = t.Uuid
		}
	}
	return known, missing, stale
}

// topicSettings reads the settings of the topics that exist. Those of a topic whose settings may not be read are not
// known.
func (c *Client) topicSettings(ctx context.Context, topics []string) (map[string]settings, error) {
	found := map[string]settings{}
	call := func(f func(*sarama.Broker) error) error { return c.onAny(ctx, measure, f) }
	for part := range slices.Chunk(topics, batch) {
		answers, err := asked(call, func(b *sarama.Broker) ([]*sarama.ResourceResponse, error) {
			return askConfigs(b, sarama.TopicResource, part, []string{cleanupKey, segmentKey, stampKey, tieredKey, minISRKey})
		})
		if err != nil {
			return nil, err
		}
		for _, r := range answers {
			switch code := sarama.KError(r.ErrorCode); code {
			case sarama.ErrNoError:
				found[r.Name] = settingsFrom(byName(r.Configs))
			case sarama.ErrTopicAuthorizationFailed:
				found[r.Name] = settings{}
			case sarama.ErrUnknownTopicOrPartition, sarama.ErrInvalidTopic:
			default:
				return nil, refused(fmt.Sprintf("reading the settings of topic %q", r.Name), code)
			}
		}
	}
	return found, nil
}

func settingsFrom(c configs) settings {
	text := func(name string) string {
		if c[name] == nil {
			return ""
		}
		return c[name].Value
	}
	segment, _ := strconv.ParseInt(text(segmentKey), 10, 64) // 0 is unknown
	return settings{
		known:        true,
		compacted:    strings.Contains(text(cleanupKey), "compact"),
		tiered:       text(tieredKey) == "true",
		appended:     text(stampKey) == appendStamp,
		segmentBytes: segment,
		minISR:       c.int32(minISRKey),
	}
}
