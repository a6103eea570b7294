package show

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

// The bar is centred on the fair share, has marks at the threshold and ends at the act line.
func TestBar(t *testing.T) {
	for _, c := range []struct {
		distance float64
		side     balance.Side
		want     string
	}{
		{0, balance.Above, "     ╎    │    ╎     "},
		{0.05, balance.Above, "     ╎    │█████     "},
		{0.05, balance.Below, "     █████│    ╎     "},
		{0.10, balance.Below, "██████████│    ╎     "},
		{3.00, balance.Above, "     ╎    │██████████"},
		{0.001, balance.Above, "     ╎    │█   ╎     "},
	} {
		require.Equal(t, c.want, Bar(c.distance, c.side, 0.05), "%v %v", c.distance, c.side)
	}
}

func TestPlanListsMovesAndTheirEffect(t *testing.T) {
	c := &balance.Cluster{Brokers: []balance.Broker{{ID: 1}, {ID: 2}}}
	for i := range int32(20) {
		c.Partitions = append(c.Partitions, balance.Partition{Topic: "orders", ID: i, Leader: 1, Replicas: []int32{1, 2}, ISR: []int32{1, 2}, SizeBytes: 1 << 30})
	}
	pr, err := balance.Propose(c, balance.Policy{})
	require.NoError(t, err)
	var out bytes.Buffer
	Printer{W: &out}.Plan(pr, 0.05)
	Printer{W: &out}.Brokers(pr.After, 0.05)
	require.Contains(t, out.String(), "leader changes, 0 partitions copied, 0 B to copy")
	require.Contains(t, out.String(), "leadership from broker 1 to 2")
	require.Contains(t, out.String(), "Every broker within 5%")
	require.Contains(t, out.String(), "No traffic")
	require.NotContains(t, out.String(), "\x1b[", "no colours unless they are asked for")
}
