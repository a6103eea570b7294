package kafkatest

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/IBM/sarama"
)

const (
	// answerTime is how long a closing producer waits for answers; it is longer than the retries of one record.
	answerTime = 90 * time.Second
	keptErrors = 5
)

// producer counts what becomes of its records. One goroutine sends and closes.
type producer struct {
	kafka    sarama.AsyncProducer
	sent     int64
	answered atomic.Int64
	counting sync.WaitGroup

	// To be read after close.
	acknowledged, failed int64
	errors               []error
}

func newProducer(client sarama.Client) (*producer, error) {
	kafka, err := sarama.NewAsyncProducerFromClient(client)
	if err != nil {
		return nil, err
	}
	p := &producer{kafka: kafka}
	p.counting.Go(func() {
		for range kafka.Successes() {
			p.acknowledged++
			p.answered.Add(1)
		}
	})
	p.counting.Go(func() {
		for e := range kafka.Errors() {
			p.failed++
			p.answered.Add(1)
			if len(p.errors) < keptErrors {
				p.errors = append(p.errors, e)
			}
		}
	})
	return p, nil
}

func (p *producer) send(topic string, partition int32, value []byte) {
	p.kafka.Input() <- &sarama.ProducerMessage{Topic: topic, Partition: partition, Value: sarama.ByteEncoder(value)}
	p.sent++
}

// close waits for every answer first, because sarama fails a batch that is being retried when its producer closes.
func (p *producer) close() {
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	for p.answered.Load() < p.sent && pause(ctx, pollTime) == nil {
	}
	p.kafka.AsyncClose()
	p.counting.Wait()
}

// producing is the configuration of all producers here: no record is lost, and none fails while leaders change.
func producing() *sarama.Config {
	config := client()
	config.Net.ReadTimeout = 15 * time.Second // a paused broker holds up its partitions this long
	config.Producer.RequiredAcks = sarama.WaitForAll
	config.Producer.Partitioner = sarama.NewManualPartitioner
	config.Producer.Return.Successes = true
	config.Producer.Return.Errors = true
	config.Producer.Retry.Max = 600
	config.Producer.Retry.Backoff = 100 * time.Millisecond
	// A record without a leader fails when the metadata retries are used up, not the producer's own.
	config.Metadata.Retry.Max = 240
	return config
}
