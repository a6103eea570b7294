// Package balance decides how a Kafka cluster should be evened: it turns one reading of a cluster into a report, a plan
// and reasons. It does no I/O, starts no goroutine and reads no clock, so a decision can be tested without a Kafka.
//
// A Cluster is one reading. NewReport says how far every broker is from its fair share of the seven loads, Summarize
// makes the card of it that people read, Propose makes the plan:
//
//  1. Each load of the active brokers is shared out equally, clipped to what the racks allow when the policy is rack
//     aware. One partition, the mean of the cluster, is forgiven. What remains, as a fraction of the fair share, is the
//     distance.
//  2. A load with essentially no traffic, or below the minimum difference, has distance 0. Leaders and followers always
//     count.
//  3. Nothing moves unless a broker is beyond the act line, twice the threshold. Then each such load is evened until
//     every broker is within the threshold.
//  4. No broker ends farther from any fair share than the threshold or than where it started, whichever is larger. If
//     that leaves a broker beyond the act line, other brokers may end up to the act line instead, and the plan says so.
//  5. Leadership changes come before copies of data. Among changes that help about equally the one that copies less
//     wins, and whatever turns out not to be needed is taken back.
//  6. The replication factor is kept, the number of racks that hold a partition never falls, only active brokers
//     receive, and only in-sync replicas are made leaders.
//  7. Partitions that moved a short while ago, move now, are not measured or have replicas out of sync are left alone,
//     but their load counts.
//  8. A plan that does not bring a broker markedly closer, or does not make the cluster more even overall, is not made:
//     the proposal then says which broker is off and why nothing is done, with the cause where a load is at its limit.
//  9. While a broker is down and not in maintenance, balancing is paused.
//  10. A topic of which one broker leads more than 1.2 times its share, rounded up, and one more, is concentrated: leadership
//     is handed over until nobody leads more than that, as far as the boxes of rule 4 allow. No plan pushes a topic over
//     its cap, and none puts more replicas of a topic on one broker than a like cap, or than were there.
//  11. When nothing starts the plan but counts of leaders or followers a partition or two beyond the act line, it carries
//     those changes alone.
//  12. A policy may cap the partitions of a plan: those stay that help most by themselves.
//
// The same reading and policy give the same proposal to the byte. Finished plans are checked by code that shares
// nothing with the search. Recheck holds a plan against a newer reading, for a fraction of what planning costs.
package balance
