// Package pilot keeps the load of a Kafka cluster even: it reads the cluster, keeps a plan ready that brings every
// broker to its fair share, and executes it when it is told to. Nothing moves by itself.
//
//	service, err := pilot.New(pilot.Options{Source: source, Executor: executor, Journal: journal})
//	if err != nil {
//		return err
//	}
//	return service.Run(ctx)
//
// A Service is for one cluster; a process may have many, for there is no state outside of it. Package adapters/kafka has
// a source, an executor and a journal for a real cluster. Packages adapters/http, adapters/mcp and adapters/metrics
// serve a Service to others through the interface API, and so can a program's own code.
//
// # From a reading to moves
//
//  1. Run reads the cluster every Options.ReadEvery, marks the brokers in maintenance, and makes a plan with
//     balance.Propose. It does so at once when a broker goes or comes. A plan with the same moves as the one before
//     stays the same proposal.
//  2. Current returns it with the decision on it: may it be applied, and if not, why not. Reading never calculates.
//  3. Apply takes the ID that was reviewed. It asks Options.Authorize, looks at the cluster and reads it afresh, and
//     starts the execution if nothing speaks against it. It returns once that has started.
//  4. Execution says how far it is and Cancel stops it. Once it has ended the cluster is read again.
//
// Drain and EndMaintenance take a broker out of service and back. While a broker is in maintenance no plan gives it
// anything; a drain moves everything off it.
//
// # What Apply and Drain check
//
//   - One execution runs at a time. A second request is refused with reassignment_running until it has ended.
//   - A hard finding, such as an unhealthy controller, a majority of brokers down or an ISR that stays shrunk, refuses
//     the request, and force does not pass it.
//   - A soft finding, such as reassignments of another tool in flight, asks for force. The audit log keeps what force
//     passed.
//   - Every move starts from the replicas that the plan was made for. When partitions of the plan have moved since, it
//     is stale. Repairs that still fit may be forced; an optional plan of which a part is missing may not, since it
//     would not do what was reviewed.
//   - Brokers that died since are replaced in repairs as far as that can be done, and refuse an optional plan.
//
// # Refusals
//
// What cannot be done now is a *Refused with a stable code, a sentence, whether force would pass it and when to come
// back. Codes are those of safety findings and of package maintenance, and
//
//	not_ready             the Service does not run, or has not read the cluster yet
//	proposal_pending      the plan is being calculated
//	not_entitled          Options.Authorize said no
//	unknown_proposal      not stored, or not any more
//	unknown_execution     not known, or not any more
//	unknown_broker        not in the cluster
//	reassignment_running  another execution has the one slot
//	not_executable        the moves contradict themselves, or the ID from Options.NewID cannot be used
//	nothing_to_apply      the proposal has no moves, or none that can be made
//	execution_ended       nothing is left to cancel
//	drain_running         maintenance cannot end while the broker is being drained
//
// Every other error is failed input or output, and the request may be repeated.
//
// # Restarts
//
// What has to survive is in the journals: the running execution before each of its steps, and which brokers are in
// maintenance. When Run ends with its context, an execution is left as it is, and so it is after a crash. The next Run
// takes it up, brings it to its end and takes its throttles away. A process that has been replaced by another finds its
// journal fenced, stops at once and changes nothing more. Proposals and ended executions live in memory.
//
// # Concurrency
//
// Run owns every goroutine, and all have ended when it returns. All methods may be called from several goroutines at
// any time. They return views, which are values; nothing in them changes later, and callers must not change them.
// Everything that waits uses package time, so that a program with a Service can be tested with testing/synctest.
package pilot
