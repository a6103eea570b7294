package kafka

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/IBM/sarama"
)

// reader reads a compacted topic of one partition from beginning to end.
type reader struct {
	client *Client
	topic  string
	// stable ends the reading where an open transaction begins: that of an owner which was killed stays open for a
	// minute, until it is taken over or times out.
	stable bool
}

const (
	fetchBytes = 4 << 20 // a larger batch is sent all the same
	fetchWait  = 200 * time.Millisecond
)

// read returns the latest committed value of every key. It ends where the topic ended when it began, which includes
// all that was committed before: a transaction whose end is not written yet is waited for.
func (r *reader) read(ctx context.Context) (map[string][]byte, error) {
	for wait := 20 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		values, err := r.once(ctx)
		if err == nil || !passes(err) || ctx.Err() != nil {
			return values, err
		}
		if pause(ctx, wait) != nil {
			return nil, err
		}
	}
}

func (r *reader) once(ctx context.Context) (map[string][]byte, error) {
	leader, err := r.client.leaderOf(ctx, r.topic)
	if err != nil {
		return nil, err
	}
	call := func(f func(*sarama.Broker) error) error { return r.client.onBroker(ctx, leader, control, f) }
	next, err := asked(call, func(b *sarama.Broker) (int64, error) { return r.offset(b, sarama.OffsetOldest) })
	if err != nil {
		return nil, err
	}
	end, err := asked(call, func(b *sarama.Broker) (int64, error) { return r.offset(b, sarama.OffsetNewest) })
	if err != nil {
		return nil, err
	}
	f := fold{values: map[string][]byte{}, aborted: map[int64]bool{}}
	for next < end {
		block, err := asked(call, func(b *sarama.Broker) (*sarama.FetchResponseBlock, error) { return r.fetch(b, next) })
		if err != nil {
			return nil, err
		}
		next = f.take(block, next)
	}
	return f.values, nil
}

func (r *reader) offset(b *sarama.Broker, at int64) (int64, error) {
	request := sarama.NewOffsetRequest(sarama.V4_0_0_0)
	request.AddBlock(r.topic, 0, at, 1)
	if r.stable {
		request.IsolationLevel = sarama.ReadCommitted
	}
	answer, err := b.GetAvailableOffsets(request)
	if err != nil {
		return 0, err
	}
	block := answer.GetBlock(r.topic, 0)
	if block == nil {
		return 0, errors.New("the answer says nothing of the topic")
	}
	return block.Offset, r.judge(block.Err)
}

func (r *reader) fetch(b *sarama.Broker, from int64) (*sarama.FetchResponseBlock, error) {
	request := &sarama.FetchRequest{
		Version: 11, MaxWaitTime: int32(fetchWait / time.Millisecond), MinBytes: 1, MaxBytes: fetchBytes,
		Isolation: sarama.ReadCommitted, SessionEpoch: -1,
	}
	request.AddBlock(r.topic, 0, from, fetchBytes, -1)
	answer, err := b.Fetch(request)
	if err != nil {
		return nil, err
	}
	if code := sarama.KError(answer.ErrorCode); code != sarama.ErrNoError {
		return nil, r.judge(code)
	}
	block := answer.GetBlock(r.topic, 0)
	if block == nil {
		return nil, errors.New("the answer says nothing of the topic")
	}
	return block, r.judge(block.Err)
}

func (r *reader) judge(code sarama.KError) error {
	switch code {
	case sarama.ErrNoError:
		return nil
	case sarama.ErrTopicAuthorizationFailed:
		return denied("READ on topic "+r.topic, code)
	}
	return refused("reading topic "+r.topic, code)
}

// fold keeps the latest committed value of every key while batches pass by.
type fold struct {
	values  map[string][]byte
	aborted map[int64]bool // producers whose present transaction was aborted
}

// take folds an answer in and returns the offset to go on at. What is before that offset comes along at times.
func (f *fold) take(block *sarama.FetchResponseBlock, next int64) int64 {
	aborts := slices.Clone(block.AbortedTransactions)
	slices.SortFunc(aborts, func(a, b *sarama.AbortedTransaction) int { return int(a.FirstOffset - b.FirstOffset) })
	for _, records := range block.RecordsSet {
		batch := records.RecordBatch
		if batch == nil || batch.PartialTrailingRecord {
			continue
		}
		for len(aborts) > 0 && aborts[0].FirstOffset <= batch.LastOffset() {
			f.aborted[aborts[0].ProducerID] = true
			aborts = aborts[1:]
		}
		f.batch(batch, next)
		next = max(next, batch.LastOffset()+1)
	}
	return next
}

func (f *fold) batch(batch *sarama.RecordBatch, from int64) {
	if batch.Control {
		if isAbort(batch) {
			delete(f.aborted, batch.ProducerID)
		}
		return
	}
	if batch.IsTransactional && f.aborted[batch.ProducerID] {
		return
	}
	for _, r := range batch.Records {
		switch {
		case batch.FirstOffset+r.OffsetDelta < from:
		case r.Value == nil:
			delete(f.values, string(r.Key))
		default:
			f.values[string(r.Key)] = r.Value
		}
	}
}

// isAbort reports whether a control batch ends an aborted transaction: its key is a version and a type, 0 for abort.
func isAbort(batch *sarama.RecordBatch) bool {
	if len(batch.Records) == 0 {
		return false
	}
	key := batch.Records[0].Key
	return len(key) >= 4 && binary.BigEndian.Uint16(key[2:]) == 0
}

// leaderOf returns the leader of a topic of one partition.
func (c *Client) leaderOf(ctx context.Context, topic string) (int32, error) {
	answer, err := asked(c.any(ctx, control), func(b *sarama.Broker) (*sarama.MetadataResponse, error) {
		return askMetadata(b, []string{topic})
	})
	if err != nil {
		return nobody, err
	}
	return leaderIn(answer, topic)
}

func leaderIn(answer *sarama.MetadataResponse, topic string) (int32, error) {
	for _, t := range answer.Topics {
		switch {
		case t.Name != topic:
		case t.Err == sarama.ErrTopicAuthorizationFailed:
			return nobody, denied("DESCRIBE on topic "+topic, t.Err)
		case t.Err != sarama.ErrNoError && t.Err != sarama.ErrLeaderNotAvailable:
			return nobody, refused("finding topic "+topic, t.Err)
		case len(t.Partitions) != 1:
			return nobody, fmt.Errorf("%w: topic %s has %d partitions and must have one", errUnsuitable, topic, len(t.Partitions))
		case t.Partitions[0].Leader < 0:
			return nobody, refused("finding the leader of topic "+topic, sarama.ErrLeaderNotAvailable)
		default:
			return t.Partitions[0].Leader, nil
		}
	}
	return nobody, refused("finding topic "+topic, sarama.ErrUnknownTopicOrPartition)
}
