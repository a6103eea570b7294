package safety

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

var update = flag.Bool("update", false, "write the golden file anew")

// Every sentence that people read, as they read it.
func TestMessages(t *testing.T) {
	p, q := part("orders", 3), part("payments", 0)
	sentences := []string{
		controllerMessage(ControllerUnknown),
		controllerMessage(ControllerUnhealthy),
		majorityMessage(3, 5),
		majorityMessage(0, 0),
		shrinkMessage([]balance.TopicPartition{p}),
		shrinkMessage([]balance.TopicPartition{p, q, p, q, p}),
		rollingRestartMessage,
		receiverMessage([]int32{3}),
		receiverMessage([]int32{3, 5, 7}),
		alteredMessage,
		staleMessage,
		inFlightMessage([]balance.TopicPartition{p}),
		inFlightMessage([]balance.TopicPartition{p, q}),
		throttlesMessage,
		blockedMessage("Broker 4 is 28% below its fair share of leaders. The plan brings every broker within 5%.", Finding{Message: staleMessage}),
		noProposalMessage,
		emptySet(p),
		negativeBroker(p, -1),
		duplicateBroker(p, 2),
		unknownBroker(p, 9),
		ineligibleBroker(p, 2, balance.Maintenance),
		ineligibleBroker(p, 2, balance.Unavailable),
		belowFloor(p, 1, 3, 3, 1),
		aboveFactor(p, 4, 3),
		noSubstitute([]int32{3}, 3),
		leaderUnavailable(3),
		nothingLeft([]int32{3, 4}),
		substitutedReason("Evens disk.", []int32{3}),
	}
	for _, s := range []balance.Status{Collecting, Settling, Monitoring, Running} {
		sentences = append(sentences, waitingMessages[s])
	}
	var names []string
	for state, title := range titles {
		names = append(names, string(state)+": "+title)
	}
	slices.Sort(names)
	got := strings.Join(sentences, "\n") + "\n\n" + strings.Join(names, "\n") + "\n"
	const golden = "testdata/messages.golden"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "run the test with -update if the change is meant")
}
