// Package sim is a Kafka cluster in memory: brokers, partitions, a controller, copying between brokers and replication
// throttles, with the semantics of Kafka 4 in KRaft mode where they matter to somebody who moves partitions.
//
// A Cluster is the world. Its methods do what an operator, a client or bad luck does to a real cluster: create and
// fill topics, kill and start brokers, change throttles behind one's back, let time pass. A Client is one program's
// view of it. It implements reassign.Executor, and Read and Health as a source of readings needs them; its Journal is
// a reassign.Journal.
//
//	world := sim.Skewed(1)          // six brokers, all leaders on two of them
//	client := world.Client(nil)     // nil: no faults
//	reading, err := client.Read(ctx)
//	world.Advance(time.Minute)      // virtual time: nothing waits
//
// # Time
//
// Nothing happens until time passes, and only Advance lets it pass: a simulated day takes no longer than its events.
// Follow ties virtual time to a clock instead, for programs that people watch. Time has a resolution of a
// millisecond. How a span is cut into calls of Advance makes no difference.
//
// # Repeatability
//
// The same calls give the same bytes. All arithmetic on bytes and time is on integers, no result depends on the
// order of a map, and randomness comes from the seeds that are passed in alone. Dump writes the state; Config.Trace
// tells the story of a run. A schedule of faults is a Faults function: it sees every call before it is sent, may
// change the world at that point, and says what becomes of the call.
//
// # What is simulated
//
// Reassignments follow KIP-455: the replicas become the target followed by those being removed; it completes by itself
// when the in-sync replicas, those being removed left out, hold the whole target; a reorder is complete at once and
// keeps its leader; a cancel drops the adding replicas and does not restore the order. Bytes flow from leaders to
// replicas out of sync, shared fairly under the bandwidth of both brokers and the throttles. A throttle counts
// in-sync traffic of the listed partitions too but holds back only replicas out of sync, so that a rate below the
// normal traffic means no progress at all. A killed broker is fenced after its session times out. Producers write
// with acks=all: a partition takes writes while its leader and all its in-sync replicas run and are at least
// min.insync.replicas.
//
// Left out: consumer groups (consuming is a rate), segments, several log directories, transactions, unclean
// elections, and the burst pattern of the quota window (a throttled copy runs at the rate itself).
package sim
