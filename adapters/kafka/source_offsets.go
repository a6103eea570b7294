package kafka

import (
	"time"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/balance"
	meter "github.com/kafka-pilot/pilot/internal/measure"
)

// What a broker is asked for in place of a time.
const (
	latestOffset   = -1 // the high watermark
	earliestOffset = -2
	latestStamp    = -3 // the record with the latest time stamp; since Kafka 3.0
)

const (
	offsetsVersion = 6
	stampsVersion  = 7 // of the same form as 6; sarama knows no name for it
)

// askEnds asks a leader for the first and the last offset of partitions. Those that it does not lead, or not yet, are
// not in the answer.
func askEnds(b *sarama.Broker, broker int32, led []balance.TopicPartition) (map[balance.TopicPartition]meter.Offsets, error) {
	starts, err := askOffsets(b, offsetsVersion, led, earliestOffset)
	if err != nil {
		return nil, err
	}
	ends, err := askOffsets(b, offsetsVersion, led, latestOffset)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	found := make(map[balance.TopicPartition]meter.Offsets, len(led))
	for tp, end := range ends {
		if start := starts[tp]; start != nil {
			found[tp] = meter.Offsets{At: now, Leader: broker, Epoch: end.LeaderEpoch, Start: start.Offset, End: end.Offset}
		}
	}
	return found, nil
}

// askSeeds asks a leader for the first record since a time in the past, and for the latest time stamp.
func askSeeds(b *sarama.Broker, led map[balance.TopicPartition]bool, from time.Time) (map[balance.TopicPartition]meter.Seed, error) {
	var partitions []balance.TopicPartition
	for tp := range led {
		partitions = append(partitions, tp)
	}
	last, err := askOffsets(b, stampsVersion, partitions, latestStamp)
	if err != nil {
		return nil, err
	}
	first, err := askOffsets(b, stampsVersion, partitions, from.UnixMilli())
	if err != nil {
		return nil, err
	}
	now := time.Now()
	found := make(map[balance.TopicPartition]meter.Seed, len(led))
	for tp, record := range first {
		if latest := last[tp]; latest != nil {
			found[tp] = meter.Seed{
				At: now, From: from, Offset: record.Offset, Appended: led[tp],
				First: time.UnixMilli(record.Timestamp), Last: time.UnixMilli(latest.Timestamp),
			}
		}
	}
	return found, nil
}

// askOffsets asks a leader for the same offset of partitions. Only what it answers without an error code is returned.
func askOffsets(b *sarama.Broker, version int16, led []balance.TopicPartition, which int64) (map[balance.TopicPartition]*sarama.OffsetResponseBlock, error) {
	request := &sarama.OffsetRequest{Version: version}
	for _, tp := range led {
		request.AddBlock(tp.Topic, tp.Partition, which, 1)
	}
	answer, err := b.GetAvailableOffsets(request)
	if err != nil {
		return nil, err
	}
	found := make(map[balance.TopicPartition]*sarama.OffsetResponseBlock, len(led))
	for topic, partitions := range answer.Blocks {
		for id, block := range partitions {
			if block.Err == sarama.ErrNoError {
				found[balance.TopicPartition{Topic: topic, Partition: id}] = block
			}
		}
	}
	return found, nil
}

// seedable returns the partitions of a leader whose past may be looked up in this round, and of each whether brokers
// stamp its records. In tiered storage that could be slow.
func (q *questions) seedable(broker int32) map[balance.TopicPartition]bool {
	if !q.seeds {
		return nil
	}
	found := map[balance.TopicPartition]bool{}
	for _, tp := range q.led[broker] {
		if s := q.settings[sarama.Uuid(q.keys[tp].Topic)]; s.known && !s.tiered {
			found[tp] = s.appended
		}
	}
	return found
}
