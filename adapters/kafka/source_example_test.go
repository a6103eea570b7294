package kafka_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/kafka-pilot/pilot/adapters/kafka"
)

// Measure a cluster for a minute, and read it then.
func ExampleSource() {
	ctx := context.Background()
	client, err := kafka.Open(ctx, kafka.ClientConfig{Brokers: []string{"localhost:9092"}})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	source := kafka.NewSource(client, kafka.SourceConfig{})
	err = source.Measure(ctx, time.Minute, func(p kafka.Progress) {
		fmt.Printf("%v of %v, %d of %d partitions known\n", p.Elapsed, p.Total, p.Known, p.Partitions)
	})
	if err != nil {
		log.Fatal(err)
	}
	cluster, err := source.Read(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range cluster.Partitions {
		fmt.Println(p.Name(), p.ProduceBytes)
	}
}
