package wire_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/adapters/internal/apitest"
	"github.com/kafka-pilot/pilot/adapters/internal/wire"
	"github.com/kafka-pilot/pilot/balance"
)

// TestNoListIsNull encodes what a service answers when there is nothing to tell.
func TestNoListIsNull(t *testing.T) {
	for name, view := range map[string]any{
		"health":         pilot.HealthView{},
		"cluster":        pilot.ClusterView{Brokers: []pilot.BrokerView{{}}},
		"balance":        pilot.BalanceView{},
		"empty proposal": apitest.EmptyProposal(),
		"moves":          pilot.ProposalView{Proposal: &balance.Proposal{Moves: []balance.Move{{}}}},
		"executions":     wire.Reassignments{Reassignments: []pilot.ExecutionView{{Moves: []pilot.MoveStatusView{{}}}}},
		"no executions":  wire.Reassignments{},
		"no proposals":   wire.Proposals{},
		"no maintenance": wire.Maintenance{},
		"drain":          pilot.DrainView{Execution: &pilot.ExecutionView{}, RackCollapses: []pilot.RackCollapseView{{}}},
	} {
		t.Run(name, func(t *testing.T) {
			data, err := wire.Encode(view)
			require.NoError(t, err)
			require.NotContains(t, string(data), "null")
		})
	}
}

// TestEncodeSaysNoMoreAndNoLess compares with the standard encoder on views that have no empty list.
func TestEncodeSaysNoMoreAndNoLess(t *testing.T) {
	for _, view := range []any{
		apitest.Health(), apitest.Balance(), apitest.Proposal(), apitest.Ended(), apitest.Drain(3),
	} {
		got, err := wire.Encode(view)
		require.NoError(t, err)
		want, err := json.Marshal(view)
		require.NoError(t, err)
		require.JSONEq(t, strings.ReplaceAll(string(want), "null", "[]"), string(got))
	}
}

func TestEncodeLeavesTheViewAlone(t *testing.T) {
	view := apitest.EmptyProposal()
	_, err := wire.Encode(view)
	require.NoError(t, err)
	require.Nil(t, view.Proposal.Moves)
	require.Nil(t, view.Decision.Findings)
}

func TestEncodeKeepsText(t *testing.T) {
	data, err := wire.Encode(pilot.HealthView{Reason: "5 < 6 & 7"})
	require.NoError(t, err)
	require.Contains(t, string(data), "5 < 6 & 7")
}

type order struct {
	Force  bool   `json:"force"`
	Reason string `json:"reason,omitempty"`
	Broker int32  `json:"broker"`
}

func TestDecode(t *testing.T) {
	for in, want := range map[string]order{
		"":                                   {},
		" \n":                                {},
		"{}":                                 {},
		`{"force":true}`:                     {Force: true},
		`{"broker":7,"reason":"a \u00e9" } `: {Broker: 7, Reason: "a é"},
	} {
		var got order
		require.NoError(t, wire.Decode([]byte(in), &got), in)
		require.Equal(t, want, got, in)
	}
}

func TestDecodeRefuses(t *testing.T) {
	for in, want := range map[string]string{
		`{"Force":true}`:        `unknown_field: Unknown field "Force". This request takes force, reason, broker.`,
		`{"broker":"7"}`:        `invalid_field: Field "broker" takes a whole number of at most 32 bits, not a string.`,
		`{"broker":1.5}`:        `invalid_field: Field "broker" takes a whole number of at most 32 bits, not a number 1.5.`,
		`{"broker":3000000000}`: `invalid_field: Field "broker" takes a whole number of at most 32 bits, not a number 3000000000.`,
		`"force"`:               `invalid_json: The request is not one JSON object: it is a string.`,
		`null`:                  `invalid_json: The request is not one JSON object: it is null.`,
		`{} x`:                  `invalid_json: The request is not one JSON object: something follows the object.`,
	} {
		var got order
		require.EqualError(t, wire.Decode([]byte(in), &got), want, in)
	}
}

// TestDecodeReadsWhatEncodeWrites for any order.
func TestDecodeReadsWhatEncodeWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := order{rapid.Bool().Draw(t, "force"), rapid.String().Draw(t, "reason"), rapid.Int32().Draw(t, "broker")}
		data, err := wire.Encode(want)
		require.NoError(t, err)
		var got order
		require.NoError(t, wire.Decode(data, &got))
		require.Equal(t, want, got)
	})
}

// FuzzDecode lets nothing through but the fields of the struct, and every refusal has a code.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{"", "{}", `{"force":true}`, `{"Force":1}`, `[1]`, `{"broker":1e9}`, "{} {}", `{"a":{"b":[]}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var got order
		err := wire.Decode(data, &got)
		var refused *pilot.Refused
		if err != nil && (!errors.As(err, &refused) || refused.Code == "" || refused.Kind != pilot.RefusedInput) {
			t.Fatalf("%q: no refusal with a code: %v", data, err)
		}
		var fields map[string]any
		if err == nil && json.Unmarshal(data, &fields) == nil {
			delete(fields, "force")
			delete(fields, "reason")
			delete(fields, "broker")
			if len(fields) > 0 {
				t.Fatalf("%q: passed with %v", data, fields)
			}
		}
	})
}

func TestIDs(t *testing.T) {
	for _, id := range []string{"9f2c41", "a", "e-17", "2026-03-14T09:30:00Z", strings.Repeat("x", 128)} {
		require.NoError(t, wire.CheckID(id), id)
	}
	for _, id := range []string{"", "-1", "a b", "../etc", "a/b", "é", strings.Repeat("x", 129), "a\n"} {
		require.ErrorContains(t, wire.CheckID(id), "invalid_id", id)
	}
}

// FuzzParseBroker accepts a number in one spelling only.
func FuzzParseBroker(f *testing.F) {
	for _, seed := range []string{"0", "7", "-1", "007", "2147483647", "2147483648", "+1", "1_0", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if id, err := wire.ParseBroker(text); err == nil && fmt.Sprint(id) != text {
			t.Fatalf("%q became %d", text, id)
		}
	})
}

func TestBrokerIDs(t *testing.T) {
	id, err := wire.ParseBroker("2147483647")
	require.NoError(t, err)
	require.Equal(t, int32(2147483647), id)
	require.NoError(t, wire.CheckBroker(0))
	require.ErrorContains(t, wire.CheckBroker(-1), "invalid_id")
}

func TestRetryAfterRoundsUp(t *testing.T) {
	for d, want := range map[time.Duration]int64{
		-time.Second: 0, 0: 0, time.Millisecond: 1, time.Second: 1, 1001 * time.Millisecond: 2, 90 * time.Second: 90,
	} {
		f, _ := wire.FailureOf(&pilot.Refused{Code: "c", RetryAfter: d})
		require.Equal(t, want, f.RetryAfter, d)
	}
}
