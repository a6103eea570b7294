// Package maintenance takes brokers out of service: it plans the moves that empty a broker, and keeps which brokers
// are drained or in maintenance.
//
// Everything in it is a pure function of values. The moves are executed by package reassign, the record of State is
// kept by whoever has a journal, and the checks of package safety come before both.
//
// # A broker's way out and back
//
//	event                      phase after it       what the caller does
//	                           online
//	Enter                      draining             Plan, check, execute the moves
//	the moves end, Hosted      maintenance          Drained; the broker can be stopped
//	  is empty
//	Exit                       online               nothing moves; the next proposal fills the broker again
//
// Save the State before the first move and after each change of phase: a restart in the middle then drains on. Put it
// over every reading with Overlay before anything else looks at it, so that no plan gives the broker anything and a
// broker that is stopped on purpose does not count as down.
//
// # What a drain keeps
//
// Plan keeps each partition's replication factor and never lowers the number of racks that hold it. It refuses rather
// than to give that up: the *Refused names every partition in the way and whether Force would pass it. A forced drain
// gives up racks first, then replicas, only where it must, and says which; it goes no lower than min.insync.replicas.
//
// A drain can leave partitions in Drain.Waiting, because they are being reassigned at that moment. They are not lost
// sight of: plan again when the moves have ended, until Hosted is empty.
//
// A broker that is down can be drained as well. Its replicas are copied from those that are left.
package maintenance
