package sim

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

// What Skewed promises: there is a plan that evens every load to within 5% with the racks kept.
func TestSkewedClustersCanBeEvened(t *testing.T) {
	seeds := uint64(4)
	if testing.Short() { // the race detector slows the planner down tenfold
		seeds = 1
	}
	for _, brokers := range []int{4, 5, 6} {
		for seed := uint64(1); seed <= seeds; seed++ {
			for _, options := range [][]SkewOption{{WithBrokers(brokers)}, {WithBrokers(brokers), WithEmptyBroker()}} {
				t.Run(fmt.Sprintf("%d brokers, seed %d, %d options", brokers, seed, len(options)), func(t *testing.T) {
					p, err := balance.Propose(SkewedReading(seed, options...), balance.Policy{RackAware: true})
					require.NoError(t, err)
					require.Equal(t, balance.RebalanceRecommended, p.Status, p.Message)
					for i := range p.After.Brokers {
						for m := range p.After.Brokers[i].Loads {
							require.LessOrEqual(t, p.After.Brokers[i].Loads[m].Distance, 0.05+1e-6, p.Message)
						}
					}
				})
			}
		}
	}
}
