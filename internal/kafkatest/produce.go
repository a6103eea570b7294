package kafkatest

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/IBM/sarama"
)

const (
	tick     = 20 * time.Millisecond
	mostDebt = time.Second
)

// exactlyOnce is for a load, whose consumers would notice a record that is in the log twice.
func exactlyOnce() *sarama.Config {
	config := producing()
	config.Producer.Idempotent = true
	config.Net.MaxOpenRequests = 1
	return config
}

// topicLoad produces into one topic; topics have producers of their own because a missing leader holds up the whole producer.
type topicLoad struct {
	name     string
	streams  []*stream
	producer *producer // nil until it starts
	running  sync.WaitGroup
}

type stream struct {
	Stream
	size int
	sent uint64 // also the number of the next record
	due  float64
}

func (t *topicLoad) add(s Stream) {
	t.streams = append(t.streams, &stream{Stream: s, size: max(recordHeader, int(s.Bytes/s.Messages))})
}

// start sends until the context ends and then waits for the answers.
func (t *topicLoad) start(ctx context.Context, kafka sarama.Client, load uint64) (err error) {
	if t.producer, err = newProducer(kafka); err != nil {
		return err
	}
	t.running.Go(func() {
		t.send(ctx, load)
		t.producer.close()
	})
	return nil
}

// send pays out to every stream what its rate has made due since the last tick.
func (t *topicLoad) send(ctx context.Context, load uint64) {
	noise := rand.NewChaCha8([32]byte{})
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticker.C:
			elapsed := min(now.Sub(last), mostDebt)
			last = now
			for _, s := range t.streams {
				s.due += s.Messages * elapsed.Seconds()
				for ; s.due >= 1 && ctx.Err() == nil; s.due-- {
					value := make([]byte, s.size)
					noise.Read(value)
					t.producer.send(s.Topic, s.Partition, numberedRecord(value, load, s.sent))
					s.sent++
				}
			}
		}
	}
}

// finish adds the topic's counts to the result, once the context of start has ended.
func (t *topicLoad) finish(result *LoadResult) {
	t.running.Wait()
	if t.producer != nil {
		result.Produced += t.producer.acknowledged
		result.ProducerErrors += t.producer.failed
		result.FirstErrors = append(result.FirstErrors, t.producer.errors...)
	}
}
