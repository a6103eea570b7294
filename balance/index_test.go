package balance

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBrokersAreFoundByTheirID(t *testing.T) {
	for name, ids := range map[string][]int32{
		"from 1": {1, 2, 3}, "with gaps": {5, 90, 91}, "far apart": {1, 7, 1_000_000_000}, "the largest": {0, 2147483647}, "one": {1001}, "none": {},
	} {
		var brokers []Broker
		for _, id := range ids {
			brokers = append(brokers, Broker{ID: id})
		}
		x := newBrokerIndex(brokers)
		for k, id := range ids {
			require.Equal(t, k, x.find(id), name)
		}
		for _, id := range []int32{-1, 4, 89, 500, 2147483646} {
			require.Equal(t, -1, x.find(id), "%s has no broker %d", name, id)
		}
	}
}
