package safety

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

const (
	imbalance = "Broker 4 is 28% below its fair share of leaders. The plan brings every broker within 5%."
	checking  = "Broker 4 is 28% below its fair share of leaders. Pilot is checking that this lasts."
)

func proposal(s balance.Status, message string, moves int) *balance.Proposal {
	return &balance.Proposal{Status: s, Message: message, Moves: make([]balance.Move, moves)}
}

func TestDecide(t *testing.T) {
	foreign := Finding{Code: InFlight, Message: inFlightMessage([]balance.TopicPartition{part("logs", 7)})}
	later := noon.Add(time.Minute)
	cases := []struct {
		name     string
		proposal *balance.Proposal
		findings []Finding
		evidence *Evidence
		want     Decision
	}{
		{"a plan that nothing speaks against", proposal(balance.RebalanceRecommended, imbalance, 2), nil, nil,
			Decision{State: "rebalance_recommended", Title: "Rebalance recommended", Message: imbalance, ApplicationAllowed: true, NextAction: actionReview}},
		{"with confirmed evidence it says until when", proposal(balance.RebalanceRecommended, imbalance, 2), nil, &Evidence{ValidUntil: &later},
			Decision{State: "rebalance_recommended", Title: "Rebalance recommended", Message: imbalance, ApplicationAllowed: true, NextAction: actionReview, ValidUntil: &later}},
		{"a plan with something against it", proposal(balance.RebalanceRecommended, imbalance, 2), []Finding{foreign}, nil,
			Decision{State: "rebalance_recommended", Title: "Rebalance recommended", Reason: InFlight, NextAction: actionResolve, Findings: []Finding{foreign},
				Message: imbalance + " The plan cannot be applied now. " + foreign.Message}},
		{"benefit not confirmed", proposal(balance.RebalanceRecommended, imbalance, 2), nil, &Evidence{State: Monitoring, Message: checking, RetryAt: &later},
			Decision{State: "monitoring", Title: "Monitoring", Reason: BenefitUnconfirmed, Message: checking, NextAction: actionWait, RetryAt: &later,
				Findings: []Finding{{Code: BenefitUnconfirmed, Message: checking}}}},
		{"moves have not settled", proposal(balance.RebalanceRecommended, imbalance, 2), nil, &Evidence{State: Settling},
			Decision{State: "settling", Title: "Settling after moves", Reason: DataNotReady, Message: "Measurements do not reflect the latest moves yet.", NextAction: actionWait,
				Findings: []Finding{{Code: DataNotReady, Message: "Measurements do not reflect the latest moves yet."}}}},
		{"too little history to say that all is well", proposal(balance.NoneNeeded, "", 0), nil, &Evidence{State: Collecting},
			Decision{State: "collecting", Title: "Collecting measurements", Reason: DataNotReady, Message: "Measurements are being collected.", NextAction: actionWait}},
		{"monitoring is about plans only", proposal(balance.AtLimit, "Pilot can't even out producer messages any further.", 0), nil, &Evidence{State: Monitoring},
			Decision{State: "at_limit", Title: "Balanced, at its limit", Message: "Pilot can't even out producer messages any further.", NextAction: actionNone}},
		{"repairs do not wait", proposal(balance.RepairRecommended, "2 partitions are under-replicated.", 2), nil, &Evidence{State: Collecting},
			Decision{State: "repair_recommended", Title: "Repair recommended", Message: "2 partitions are under-replicated.", ApplicationAllowed: true, NextAction: actionReview}},
		{"all is well", proposal(balance.NoneNeeded, "Every broker is within 10%.", 0), []Finding{foreign}, nil,
			Decision{State: "none_needed", Title: "No rebalance needed", Message: "Every broker is within 10%.", NextAction: actionNone, Findings: []Finding{foreign}}},
		{"a broker is down", proposal(balance.Paused, "Balancing is paused while broker 5 is down.", 0), nil, &Evidence{State: Settling},
			Decision{State: "paused", Title: "Balancing paused", Message: "Balancing is paused while broker 5 is down.", NextAction: actionResolve}},
		{"an execution runs", proposal(balance.RepairRecommended, "2 partitions are under-replicated.", 2), nil, &Evidence{State: Running},
			Decision{State: "running", Title: "Rebalancing", Message: "Moves are being executed.", NextAction: actionWait}},
		{"no proposal yet", nil, nil, nil,
			Decision{State: "collecting", Title: "Collecting measurements", Reason: DataNotReady, Message: "No proposal has been calculated yet.", NextAction: actionWait}},
		{"no proposal yet and an execution found again", nil, []Finding{foreign}, &Evidence{State: Running},
			Decision{State: "running", Title: "Rebalancing", Message: "Moves are being executed.", NextAction: actionWait, Findings: []Finding{foreign}}},
	}
	for _, c := range cases {
		got := Decide(c.proposal, c.findings, c.evidence)
		require.NotNil(t, got.Findings, c.name)
		if c.want.Findings == nil {
			c.want.Findings = []Finding{}
		}
		assert.Equal(t, c.want, got, c.name)
	}
}

// A decision never allows what a finding of the same decision would stop, whatever comes together.
func TestDecisionsAreConsistent(t *testing.T) {
	states := []balance.Status{balance.RebalanceRecommended, balance.RepairRecommended, balance.NoneNeeded, balance.AtLimit, balance.Paused}
	for _, s := range states {
		for _, e := range []balance.Status{"", Collecting, Settling, Monitoring, Running} {
			for moves := range 2 {
				for _, findings := range [][]Finding{nil, {{Code: ControllerDown, Hard: true, Message: "No."}}, {{Code: InFlight, Message: "Wait."}}} {
					d := Decide(proposal(s, "Because.", moves), findings, &Evidence{State: e})
					assert.Equal(t, d.ApplicationAllowed, d.NextAction == actionReview, d)
					assert.NotEmpty(t, d.Title, d)
					assert.NotEmpty(t, d.Message, d)
					if d.ApplicationAllowed {
						assert.Empty(t, Blocking(d.Findings, false), d)
						assert.Positive(t, moves, d)
						assert.Empty(t, d.Reason, d)
					}
				}
			}
		}
	}
}

func TestDecideKeepsTheFindingsItWasGiven(t *testing.T) {
	findings := make([]Finding, 1, 4)
	findings[0] = Finding{Code: InFlight, Message: "Wait."}
	Decide(proposal(balance.RebalanceRecommended, imbalance, 1), findings, &Evidence{State: Settling})
	assert.Empty(t, findings[:2][1].Code)
}
