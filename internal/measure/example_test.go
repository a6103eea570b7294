package measure_test

import (
	"fmt"
	"time"

	"github.com/kafka-pilot/pilot/internal/measure"
)

// Two rounds, a minute apart: 6,000 messages of 200 bytes were written, and one group read them.
func ExampleHistory() {
	orders := measure.Key{Topic: measure.TopicID{1}, Partition: 0}
	began := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	h := measure.New(measure.Config{})
	for minute := range int64(2) {
		now := began.Add(time.Duration(minute) * time.Minute)
		h.Add(measure.Sample{
			At: now,
			Partitions: []measure.Partition{{
				Key:     orders,
				Offsets: measure.Offsets{At: now, Leader: 1, End: 1_000_000 + 6000*minute},
				Sizes:   []measure.Size{{Broker: 1, Bytes: 5_000_000 + 1_200_000*minute}},
			}},
			Sized:     map[int32]time.Time{1: now},
			Groups:    []measure.Group{{Name: "billing", At: now, Commits: []measure.Commit{{Key: orders, Offset: 1_000_000 + 6000*minute}}}},
			AllGroups: true,
		})
	}
	r := h.Rates(began.Add(time.Minute))[orders]
	fmt.Printf("written: %g messages and %g bytes a second, %v\n", r.ProduceMessages.PerSecond, r.ProduceBytes.PerSecond, r.ProduceBytes.Basis)
	fmt.Printf("read: %g messages a second, %v\n", r.ConsumeMessages.PerSecond, r.ConsumeMessages.Basis)
	// Output:
	// written: 100 messages and 20000 bytes a second, measured
	// read: 100 messages a second, keeps up
}
