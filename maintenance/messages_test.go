package maintenance

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

var update = flag.Bool("update", false, "write the golden file anew")

// Every sentence that people read, as they read it.
func TestMessages(t *testing.T) {
	some := []Blocked{{TopicPartition: balance.TopicPartition{Topic: "orders", Partition: 3}}}
	many := append(some, Blocked{TopicPartition: balance.TopicPartition{Topic: "orders", Partition: 4}},
		Blocked{TopicPartition: balance.TopicPartition{Topic: "payments"}}, Blocked{}, Blocked{})
	led := &balance.Partition{Leader: 3}
	got := strings.Join([]string{
		reassigned,
		nothingToCopy,
		tooFewBrokers(3),
		racksWouldFall(rackCount{3, 3}, rackCount{2, 2}),
		racksWouldFall(rackCount{1, 2}, rackCount{1, 1}),
		belowMinISR(1, 2),
		belowMinISR(0, 2),
		unknownBroker(9),
		lastBroker(1),
		notPreservable(3, some, true),
		notPreservable(3, many, false),
		belowMinISRMessage(3, some),
		notInMaintenance(3),
		reason(3, &task{p: led, given: []int32{5}}, []int32{3}),
		reason(3, &task{p: led, given: []int32{5}}, []int32{4}),
		reason(3, &task{p: led}, []int32{4}),
		reason(3, &task{p: led, given: []int32{5, 6}}, []int32{5}),
	}, "\n") + "\n"
	const golden = "testdata/messages.golden"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "run the test with -update if the change is meant")
}
