// Package kafkatest starts real Apache Kafka clusters for tests: every controller and every broker is a process of its
// own on 127.0.0.1, so that a test can stop, kill, pause and add brokers as an operator would see it happen.
//
// It needs a JDK 17 or newer, on the PATH or in JAVA_HOME, and on the first run Maven, which fetches the jars into the
// user's cache directory (kafka-pilot/kafka-RELEASE-HASH, 45 MB and a 50 MB class-data archive for quick starts).
// Whatever is missing is an error of Launch that says so in a sentence; a test never skips. The environment variable
// KAFKA chooses another release for a whole run.
//
// A cluster of one controller and four brokers takes eight seconds to start on two cores, twenty on busy ones, and 0.7 GB of
// memory, so a package's tests share one:
//
//	//go:build kafka
//
//	var shared = kafkatest.Shared{Config: kafkatest.Config{Brokers: 4}}
//
//	func TestMain(m *testing.M) { os.Exit(shared.Run(m)) }
//
//	func TestLeadersMoveAwayFromAStoppedBroker(t *testing.T) {
//		c := shared.Cluster(t)
//		require.NoError(t, c.CreateTopic("orders", [][]int32{{1, 2}}, nil))
//		require.NoError(t, c.Stop(1))
//		require.NoError(t, c.WaitReady())
//		found, err := c.PlacementOf("orders")
//		require.NoError(t, err)
//		require.EqualValues(t, 2, found[0].Leader)
//	}
//
// Tests with a real Kafka have the build tag kafka, which `make test` sets.
//
// What a test reads here, with Placement, Copies, Throttles and Moves, comes straight from the protocol; Tool runs
// Kafka's own command-line tools. Neither passes through the code under test. Fill writes bulk data, and a Load is
// steady traffic that notices every record lost, repeated or refused while the test does something to the cluster.
//
// Nothing outlives the test process. Every node is in a process group of its own, which the terminal's Ctrl-C does not
// reach; a watchdog kills the nodes and removes their files when the test process ends in any way, and on Linux the
// kernel kills them as well.
package kafkatest
