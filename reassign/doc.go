// Package reassign executes moves on a Kafka cluster: in waves, throttled, watched, and so that a crash at any moment
// can be recovered from.
//
// # Two halves
//
// An Execution is a machine without I/O and without a clock. Its Step takes what was learnt from the latest action and
// returns the next: what to save, how long to wait, and one call. An Executor makes the calls; adapters implement it.
// Run joins the two:
//
//	e, err := reassign.New("plan-7", proposal.Moves, reading, reassign.Limits{Managed: true, Throttle: 50_000_000})
//	err = reassign.Run(ctx, e, cluster, journal, reassign.RunOptions{OnProgress: show})
//
// Because the machine is a value, "the controller died between the throttle and the submission" is a test of four lines.
//
// # What happens to a move
//
// Changes of leaders come first: the partition is reordered if it must be and the new leader is elected, if it is in
// sync. Moves that copy follow in waves, under a limit for each broker. Before each wave the partitions are read
// afresh. A move is refused when its partition is no longer where the plan thought it was, waits while another tool
// moves it, and fails alone when a broker that it needs is down. A partition that replaces several replicas goes in
// steps, so that it never has more than one copy beyond its factor, and never fewer than its factor.
//
// A step that takes too long, that loses its receiver or that is cancelled is taken back: the old replicas in the old
// order with the old leader. What cannot be confirmed is said to be unconfirmed.
//
// # Throttles
//
// With Limits.Managed every wave is preceded by replication throttles: a rate on every broker that sends or receives,
// and the moving replicas on the topics' lists, the leader side for all present replicas, the follower side for the
// receivers alone. What was there before is recorded first. Entries go as soon as a partition is done, rates when no
// move needs them. What an operator had set comes back exactly, and what somebody changed meanwhile stays as it is.
//
// # Crashes
//
// The record in the Journal holds the intent of each call before it is made. A record and a look at the cluster are
// enough to go on: see Restore. Ownership is the Journal's: a fenced one stops Run at once.
//
// # Times
//
// The package asks for no time but in Run, which can be tested with testing/synctest.
package reassign
