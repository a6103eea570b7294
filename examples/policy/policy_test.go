package policy

import (
	"testing"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/balance/balancetest"
)

func TestPaymentsStay(t *testing.T) {
	plan := balancetest.CheckLaws(t, balancetest.Skewed(5, "orders", "payments"), balance.Policy{Gates: []balance.Gate{PaymentsStay}})
	for _, move := range plan.Moves {
		if move.Topic == "payments" {
			t.Errorf("%s moves", move.Name())
		}
	}
}
