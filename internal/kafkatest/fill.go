package kafkatest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/IBM/sarama"
)

// fillRecord is the size of a bulk record; large enough that the broker and not the client is the limit.
const fillRecord = 10_000

// Fill produces about that many bytes in total into the partitions named, evenly, or into all of the topic. Records are
// random, so that they take on disk what they claim, and acknowledged by the whole in-sync set.
func (c *Cluster) Fill(topic string, bytes int64, partitions ...int32) error {
	config := producing()
	config.Producer.MaxMessageBytes = 900 << 10
	config.Producer.Flush.Bytes = 512 << 10
	config.Producer.Flush.Frequency = 5 * time.Millisecond // without it sarama never sends a batch smaller than Flush.Bytes
	kafka, err := sarama.NewClient(c.runningBootstrap(), config)
	if err != nil {
		return fmt.Errorf("fill %s: %w", topic, err)
	}
	if len(partitions) == 0 {
		partitions, err = kafka.Partitions(topic)
	}
	if err == nil {
		err = fill(kafka, topic, bytes, partitions)
	}
	if err := errors.Join(err, kafka.Close()); err != nil {
		return fmt.Errorf("fill %s: %w", topic, err)
	}
	return nil
}

func fill(kafka sarama.Client, topic string, bytes int64, partitions []int32) error {
	p, err := newProducer(kafka)
	if err != nil {
		return err
	}
	noise := rand.NewChaCha8([32]byte{})
	for i := range (bytes + fillRecord - 1) / fillRecord {
		value := make([]byte, fillRecord)
		noise.Read(value)
		p.send(topic, partitions[i%int64(len(partitions))], value)
	}
	p.close()
	if p.failed > 0 {
		return fmt.Errorf("%d of %d records failed, the first ones with: %w", p.failed, p.sent, errors.Join(p.errors...))
	}
	return nil
}
