package safety

import (
	"slices"

	"github.com/kafka-pilot/pilot/balance"
)

// Request says what the caller is about to do, as far as the checks need to know.
type Request struct {
	// Own are the reassignments in flight that the caller itself started, in any order.
	Own []balance.TopicPartition
	// Receivers are the brokers that would get new replicas. Kafka accepts a dead one, and the move then never ends.
	Receivers []int32
	// RollingRestart says that a rolling restart is in progress.
	RollingRestart bool
	// ExternalThrottles says that another tool manages replication throttles (PILOT_THROTTLE_MANAGED=false).
	ExternalThrottles bool
	// PlannedOn and Placement are the fingerprints of the placement that the plan was made for and of the present
	// one. With either empty they are not compared.
	PlannedOn, Placement string
	// Altered says that moves of an optional plan had to be changed or left out, so that its promise no longer holds.
	Altered bool
}

// Check lists what speaks against the request, hard findings first and each group in the order of their codes'
// declaration. history must already contain the look h. The result is never nil.
func Check(h Health, history History, r Request) []Finding {
	findings := []Finding{}
	add := func(f *Finding) {
		if f != nil {
			findings = append(findings, *f)
		}
	}
	add(checkController(h))
	add(checkMajority(h))
	add(checkShrink(history))
	add(checkRollingRestart(r))
	add(checkReceivers(h, r))
	add(checkAltered(r))
	add(checkFingerprint(r))
	add(checkInFlight(h, r))
	add(checkThrottles(r))
	return findings
}

// Blocking returns the findings that stop a request: all of them, or with force only the hard ones.
func Blocking(findings []Finding, force bool) []Finding {
	var left []Finding
	for _, f := range findings {
		if f.Hard || !force {
			left = append(left, f)
		}
	}
	return left
}

func checkController(h Health) *Finding {
	if h.Controller == ControllerHealthy {
		return nil
	}
	return &Finding{Code: ControllerDown, Hard: true, Message: controllerMessage(h.Controller)}
}

func checkMajority(h Health) *Finding {
	var down []int32
	for _, b := range h.Registered {
		if _, up := slices.BinarySearch(h.Alive, b); !up {
			down = append(down, b)
		}
	}
	if len(h.Registered) > 0 && 2*len(down) <= len(h.Registered) {
		return nil
	}
	return &Finding{Code: MajorityDown, Hard: true,
		Message: majorityMessage(len(down), len(h.Registered)), Subjects: subjectBrokers(down)}
}

func checkShrink(history History) *Finding {
	partitions := history.Sustained()
	if len(partitions) == 0 {
		return nil
	}
	return &Finding{Code: ISRShrink, Hard: true, Message: shrinkMessage(partitions), Subjects: subjectPartitions(partitions)}
}

func checkRollingRestart(r Request) *Finding {
	if !r.RollingRestart {
		return nil
	}
	return &Finding{Code: RollingRestart, Hard: true, Message: rollingRestartMessage}
}

func checkReceivers(h Health, r Request) *Finding {
	var dead []int32
	for _, b := range r.Receivers {
		if _, up := slices.BinarySearch(h.Alive, b); !up {
			dead = append(dead, b)
		}
	}
	if len(dead) == 0 {
		return nil
	}
	slices.Sort(dead)
	dead = slices.Compact(dead)
	return &Finding{Code: BrokerUnavailable, Hard: true, Message: receiverMessage(dead), Subjects: subjectBrokers(dead)}
}

func checkAltered(r Request) *Finding {
	if !r.Altered {
		return nil
	}
	return &Finding{Code: PlanAltered, Hard: true, Message: alteredMessage}
}

func checkFingerprint(r Request) *Finding {
	if r.PlannedOn == "" || r.Placement == "" || r.PlannedOn == r.Placement {
		return nil
	}
	return &Finding{Code: StaleFingerprint, Message: staleMessage}
}

func checkInFlight(h Health, r Request) *Finding {
	own := slices.Clone(r.Own)
	slices.SortFunc(own, balance.TopicPartition.Compare)
	var foreign []balance.TopicPartition
	for _, p := range h.InFlight {
		if _, ours := slices.BinarySearchFunc(own, p, balance.TopicPartition.Compare); !ours {
			foreign = append(foreign, p)
		}
	}
	if len(foreign) == 0 {
		return nil
	}
	return &Finding{Code: InFlight, Message: inFlightMessage(foreign), Subjects: subjectPartitions(foreign)}
}

func checkThrottles(r Request) *Finding {
	if !r.ExternalThrottles {
		return nil
	}
	return &Finding{Code: ExternalThrottles, Message: throttlesMessage}
}
