// Package executortest checks that a reassign.Executor keeps its contract. The simulator and the Kafka adapter pass
// the same cases, so that what is tested against the one holds for the other.
//
//	func TestExecutor(t *testing.T) {
//		executortest.Run(t, func(t *testing.T) executortest.Fixture {
//			world := newCluster(t)
//			return executortest.Fixture{Executor: world.Client(), Brokers: world.Brokers(), /* … */}
//		})
//	}
//
// A Fixture says how to prepare a cluster. Its optional functions open further cases; Run logs which ones it leaves
// out for lack of them. Cases use topics of their own, clean up behind themselves and may share one cluster, but they
// do not run side by side.
package executortest
