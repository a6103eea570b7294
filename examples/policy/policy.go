// Package policy is a balance policy of one's own: a gate that leaves the payments topic where it is.
package policy

import "github.com/kafka-pilot/pilot/balance"

// PaymentsStay refuses every change of a payments partition.
var PaymentsStay = balance.GateFunc(func(p *balance.Partition, _ []int32) *balance.Refusal {
	if p.Topic == "payments" {
		return &balance.Refusal{Code: "payments_stay", Message: "payments are moved by hand"}
	}
	return nil
})
