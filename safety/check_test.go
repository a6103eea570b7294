package safety

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

func TestCheckFindsWhatSpeaksAgainst(t *testing.T) {
	shrunk := History{}.Next(look(t, "0s p1:2 p2:2")).Next(look(t, "60s p1:2 p2:2")).Next(look(t, "120s p1:2 p2:2"))
	cases := []struct {
		name    string
		health  func(*Health)
		history History
		request Request
		code    Code
		hard    bool
		about   string
	}{
		{"all is well", func(*Health) {}, History{}, Request{Receivers: []int32{1, 4}}, "", false, ""},
		{"nothing answers", func(h *Health) { h.Controller = ControllerUnknown }, History{}, Request{}, ControllerDown, true, ""},
		{"no controller", func(h *Health) { h.Controller = ControllerUnhealthy }, History{}, Request{}, ControllerDown, true, ""},
		{"half of the brokers down", func(h *Health) { h.Alive = []int32{1, 3} }, History{}, Request{}, "", false, ""},
		{"most brokers down", func(h *Health) { h.Alive = []int32{3} }, History{}, Request{}, MajorityDown, true, "1 2 4"},
		{"no broker known", func(h *Health) { h.Registered, h.Alive = nil, nil }, History{}, Request{}, MajorityDown, true, ""},
		{"sustained shrink", func(*Health) {}, shrunk, Request{}, ISRShrink, true, "orders-1 orders-2"},
		{"rolling restart", func(*Health) {}, History{}, Request{RollingRestart: true}, RollingRestart, true, ""},
		{"a receiver is down", func(h *Health) { h.Alive = []int32{1, 2, 3} }, History{}, Request{Receivers: []int32{4, 2, 4}}, BrokerUnavailable, true, "4"},
		{"an altered optional plan", func(*Health) {}, History{}, Request{Altered: true}, PlanAltered, true, ""},
		{"another placement", func(*Health) {}, History{}, Request{PlannedOn: "x", Placement: "y"}, StaleFingerprint, false, ""},
		{"the same placement", func(*Health) {}, History{}, Request{PlannedOn: "x", Placement: "x"}, "", false, ""},
		{"a fingerprint is not known", func(*Health) {}, History{}, Request{PlannedOn: "x"}, "", false, ""},
		{"another tool moves", func(h *Health) { h.InFlight = []balance.TopicPartition{part("logs", 7), part("orders", 1)} }, History{},
			Request{Own: []balance.TopicPartition{part("orders", 1), part("a", 0)}}, InFlight, false, "logs-7"},
		{"our own moves are no foreign ones", func(h *Health) { h.InFlight = []balance.TopicPartition{part("orders", 1)} }, History{},
			Request{Own: []balance.TopicPartition{part("orders", 1)}}, "", false, ""},
		{"throttles of another tool", func(*Health) {}, History{}, Request{ExternalThrottles: true}, ExternalThrottles, false, ""},
	}
	for _, c := range cases {
		h := healthy()
		c.health(&h)
		got := Check(h, c.history, c.request)
		require.NotNil(t, got, c.name)
		if c.code == "" {
			assert.Empty(t, got, c.name)
			continue
		}
		require.Len(t, got, 1, c.name)
		assert.Equal(t, c.code, got[0].Code, c.name)
		assert.Equal(t, c.hard, got[0].Hard, c.name)
		assert.Equal(t, c.about, strings.Join(got[0].Subjects, " "), c.name)
	}
}

func TestHardFindingsComeFirstAndForceLeavesThem(t *testing.T) {
	h := healthy()
	h.Controller, h.InFlight = ControllerUnknown, []balance.TopicPartition{part("logs", 7)}
	got := Check(h, History{}, Request{RollingRestart: true, ExternalThrottles: true, PlannedOn: "x", Placement: "y"})
	assert.Equal(t, []Code{ControllerDown, RollingRestart, StaleFingerprint, InFlight, ExternalThrottles}, codes(got))
	assert.Equal(t, got, Blocking(got, false))
	assert.Equal(t, []Code{ControllerDown, RollingRestart}, codes(Blocking(got, true)))
	assert.Empty(t, Blocking(got[2:], true))
}

func codes(findings []Finding) (all []Code) {
	for _, f := range findings {
		all = append(all, f.Code)
	}
	return all
}

func TestThousandsOfSubjectsAreCut(t *testing.T) {
	h := healthy()
	for id := range int32(5000) {
		h.InFlight = append(h.InFlight, part("orders", id))
	}
	got := Check(h, History{}, Request{})
	require.Len(t, got, 1)
	assert.Len(t, got[0].Subjects, maxSubjects)
	assert.Contains(t, got[0].Message, "5000 partitions are being reassigned by another tool: orders-0, orders-1, orders-2 and 4997 more.")
}
