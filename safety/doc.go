// Package safety decides whether a cluster may be changed now, and says why when it may not.
//
// Everything in it is a pure function of values that the caller read before: a Health (one look at the cluster), a
// History (earlier looks, folded), a balance.Cluster. Nothing here asks Kafka, keeps state or reads a clock.
//
// # Before every change
//
// Check lists what speaks against a change, the worst first. A hard finding stops every change and force does not
// pass it; a soft one asks for force. An empty list means go.
//
//	hard                               soft
//	no controller answers              reassignments of others are in flight
//	most brokers are unavailable       replication throttles are managed by another tool
//	an ISR stays shrunk                the placement changed since the plan was made
//	a rolling restart is in progress   measurements or benefit are not there yet (from Evidence)
//	a receiver is unavailable
//	an optional plan was altered
//
// # An ISR that stays shrunk
//
// A replica that leaves the in-sync set and returns within seconds is daily business. What stops changes is the same
// partition shrunk in every look over two minutes: then replication does not keep up, and copying
// more data makes it worse. History holds for each shrunk partition since when it is. These are the rules:
//
//   - Replicas that a reassignment adds are not expected in sync, so a move does not count as a shrink by itself. A
//     partition that loses one of its old replicas while it moves counts like any other: our own moves are no excuse,
//     for that is how an execution learns that it hurts.
//   - A shrink whose missing replicas are all on brokers that are down does not count. It is a lost broker, which is
//     judged by the majority rule, and counting it would forbid the very repair that puts it right.
//   - It takes three looks at least, since two could be two separate incidents.
//   - Looks more than two minutes apart prove nothing about the time between them: counting starts again.
//   - A partition that was in sync in one look starts again as well.
//
// # From a proposal to a decision
//
// Decide turns a proposal, the findings and what is known of the measurements into the one answer that REST, MCP and
// the library show. Substitute makes a plan safe for the brokers that are alive when it is submitted; CheckReplicaSet
// judges a replica set that an operator typed. RackSafety says whether rack-aware placement can be trusted at all.
//
// Every sentence for people is in messages.go and pinned by a golden file.
package safety
