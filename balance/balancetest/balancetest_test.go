package balancetest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

// recorder is a test that remembers what failed in it.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Helper()           {}
func (r *recorder) Error(args ...any) { r.failures = append(r.failures, fmt.Sprint(args...)) }
func (r *recorder) Errorf(f string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(f, args...))
}

func TestTheDefaultPolicyObeysTheLaws(t *testing.T) {
	plan := CheckLaws(t, Skewed(5, "orders", "payments"), balance.Policy{RackAware: true})
	require.NotEmpty(t, plan.Moves)
}

// A gate that remembers its calls breaks the law that the same input gives the same plan, and is caught.
func TestAMoodyGateIsCaught(t *testing.T) {
	calls := 0
	moody := balance.GateFunc(func(*balance.Partition, []int32) *balance.Refusal {
		if calls++; calls > 20 {
			return &balance.Refusal{Code: "mood", Message: "enough for today"}
		}
		return nil
	})
	r := &recorder{TB: t}
	CheckLaws(r, Skewed(5, "orders", "payments"), balance.Policy{Gates: []balance.Gate{moody}})
	require.Contains(t, fmt.Sprint(r.failures), "another plan for the same input")
}

// A gate that changes the partition it is asked about is caught as well.
func TestAMeddlingGateIsCaught(t *testing.T) {
	meddling := balance.GateFunc(func(p *balance.Partition, _ []int32) *balance.Refusal {
		p.SizeBytes++
		return nil
	})
	r := &recorder{TB: t}
	CheckLaws(r, Skewed(4, "orders"), balance.Policy{Gates: []balance.Gate{meddling}})
	require.Contains(t, fmt.Sprint(r.failures), "changed its input")
}

func TestMovesAreChecked(t *testing.T) {
	c := Skewed(3, "orders")
	c.Brokers[2].State = balance.Maintenance
	r := &recorder{TB: t}
	checkMoves(r, c, []balance.Move{
		{Topic: "orders", From: []int32{1, 2}, To: []int32{1}},
		{Topic: "orders", Partition: 1, From: []int32{1, 2}, To: []int32{2, 2}},
		{Topic: "orders", Partition: 2, From: []int32{1, 2}, To: []int32{1, 3}},
	})
	require.Equal(t, []string{"orders-0: the factor would go from 2 to 1", "orders-1: broker 2 would hold it twice",
		"orders-2: broker 3 is not active and would receive it"}, r.failures)
}
