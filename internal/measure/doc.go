// Package measure turns what Kafka's protocol shows of a cluster into rates: how many messages and bytes are written to
// and read from each partition in a second. It asks nobody and reads no clock. The caller asks the brokers again and
// again, and gives what one round found to a History, which answers with means over about half an hour.
//
//	h := measure.New(measure.Config{})
//	h.Add(round1)
//	h.Add(round2)                  // half a minute later
//	r := h.Rates(now)[key]
//	if r.ProduceMessages.Known() { // what is not known is not zero
//
// # What is measured, and how
//
//  1. Produced messages are the growth of the high watermark on the leader, over the time between its two answers. An
//     answer of a leader that has been replaced is ignored. An interval in which the high watermark fell, as after an
//     unclean election, counts neither as messages nor as time.
//  2. Until there is enough of that, the number of records since a point in the past, found by their time stamps, may
//     stand in: see Seed.
//  3. Consumed messages are the growth of what groups have committed, one group after the other, from one change of the
//     committed offset to the next: so it does not matter how often a group commits. A step back and a leap that is far
//     faster than the group or its producers are seeks, which read nothing.
//  4. Of a group that has been seen for too short a time, or that commits seldom, it is held that it keeps up with its
//     producers, if it is not far behind.
//  5. Bytes are messages times the bytes of one offset. These are, best first: what the leader's log grew by for each
//     offset, over intervals of a minute and more in which nothing was deleted from it (an average with a half-life of
//     30 minutes); the same over less; what the whole log takes for each offset that it holds, unless it was compacted
//     or lies in tiered storage in part; the median of the topic's other partitions.
//  6. Sizes are the latest of each replica.
//
// Every rate says on which of these it rests, its Basis, and over how much time it was taken, its Span. What was last
// heard of too long ago is unknown again, and so is what was never heard of.
//
// Offsets are counted, so that a transaction counts for one message more on each partition it touches. Readers that
// commit nothing to Kafka are not seen.
package measure
