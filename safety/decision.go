package safety

import (
	"time"

	"github.com/kafka-pilot/pilot/balance"
)

// Finding is one reason not to change the cluster now: a stable code, and a sentence for people.
type Finding struct {
	Code     Code     `json:"code"`
	Hard     bool     `json:"hard"` // force does not pass it
	Message  string   `json:"message"`
	Subjects []string `json:"subjects,omitempty"` // brokers or partitions concerned
}

// Code names a Finding. Codes never change their meaning.
type Code string

// Hard blockers (row SAFE-02) and soft reasons (row SAFE-03).
const (
	ControllerDown       Code = "controller_unhealthy"
	MajorityDown         Code = "majority_of_brokers_unavailable"
	ISRShrink            Code = "sustained_isr_shrink"
	RollingRestart       Code = "rolling_restart"
	StaleFingerprint     Code = "stale_topology_fingerprint"
	InFlight             Code = "reassignments_in_flight"
	ExternalThrottles    Code = "throttles_externally_managed"
	DataNotReady         Code = "data_not_ready"
	BenefitUnconfirmed   Code = "benefit_unconfirmed"
	BrokerUnavailable    Code = "target_broker_unavailable"
	FactorNotPreservable Code = "replication_factor_not_preservable"
	PlanAltered          Code = "plan_altered"
)

// Decision is the one answer to "may this proposal be applied, and if not, why not" (row DEC-05). Reading it changes
// nothing.
type Decision struct {
	State              balance.Status `json:"state"`
	Title              string         `json:"title"`
	Reason             Code           `json:"reason,omitempty"`
	Message            string         `json:"message"`
	ApplicationAllowed bool           `json:"applicationAllowed"`
	NextAction         string         `json:"nextAction"` // review_and_apply, wait, resolve_blockers or none
	Findings           []Finding      `json:"findings"`
	RetryAt            *time.Time     `json:"retryAt,omitempty"`
	ValidUntil         *time.Time     `json:"validUntil,omitempty"`
}
