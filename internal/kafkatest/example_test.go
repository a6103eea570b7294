package kafkatest_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/kafka-pilot/pilot/internal/kafkatest"
)

// A broker is killed under traffic, and nothing is lost.
func Example() {
	c, err := kafkatest.Launch(context.Background(), kafkatest.Config{Brokers: 3})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	if err := c.CreateTopic("orders", [][]int32{{1, 2, 3}, {2, 3, 1}}, nil); err != nil {
		log.Fatal(err)
	}
	load, err := c.StartLoad(kafkatest.LoadConfig{
		Streams: kafkatest.Streams("orders", 2, 50, 100_000),
		Groups:  []kafkatest.Group{{Name: "billing", Topics: []string{"orders"}}},
	})
	if err != nil {
		log.Fatal(err)
	}
	time.Sleep(5 * time.Second)
	if err := c.Kill(1); err != nil {
		log.Fatal(err)
	}
	time.Sleep(10 * time.Second)
	result, err := load.Stop()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.ProducerErrors, result.Gaps, result.Duplicates)
}
