package mcpserver_test

import (
	"context"
	"encoding/base64"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/adapters/internal/apitest"
	mcpserver "github.com/kafka-pilot/pilot/adapters/mcp"
	"github.com/kafka-pilot/pilot/balance"
)

var write = mcpserver.Options{Mode: mcpserver.Write}

// destructive are the tools that ask, with what the question says and what the service is asked in the end.
var destructive = map[string]struct {
	question string
	want     apitest.Call
}{
	"apply_proposal": {
		"Apply proposal 9f2c41? 1 partitions change, 1 of them their leader, and about 3.0 GiB are copied between brokers." +
			" Force is set; against it speak: reassignments_in_flight.",
		apitest.Call{Method: "Apply", ID: "9f2c41", Force: true, Reason: "CHG-1182", Principal: "mcp"},
	},
	"cancel_reassignment": {
		"Cancel execution e-17? 1 of 2 moves are done and stay, 1 are in flight, 0 wait.",
		apitest.Call{Method: "Cancel", ID: "e-17"},
	},
	"drain_broker": {
		"Put broker 0 into maintenance and move everything off it? It leads 80 partitions, follows 160 and holds 240 B." +
			" Force is set: partitions that cannot keep their replication factor will have fewer replicas.",
		apitest.Call{Method: "Drain", Force: true, Reason: "disk", Principal: "mcp"},
	},
}

// TestUserAgrees: in every revision a client that can ask its user is told to, once, and then the change is made.
func TestUserAgrees(t *testing.T) {
	for _, version := range mcp.ValidProtocolVersions {
		for tool, d := range destructive {
			t.Run(version+" "+tool, func(t *testing.T) {
				api, asked := &apitest.Fake{}, agreeing()
				_, wrong := call(t, connect(t, api, write, version, asked), tool, writing[tool])
				require.Nil(t, wrong)
				require.Equal(t, []string{d.question}, asked.questions)
				require.Equal(t, []apitest.Call{d.want}, api.Calls())
			})
		}
	}
}

func TestUserDoesNotAgree(t *testing.T) {
	for name, asked := range map[string]*user{
		"declines":            {action: mcp.ElicitationResponseActionDecline},
		"closes the form":     {action: mcp.ElicitationResponseActionCancel},
		"leaves it at no":     {action: mcp.ElicitationResponseActionAccept, content: map[string]any{"confirm": false}},
		"fills in nothing":    {action: mcp.ElicitationResponseActionAccept},
		"writes a yes":        {action: mcp.ElicitationResponseActionAccept, content: map[string]any{"confirm": "true"}},
		"declines with a yes": {action: mcp.ElicitationResponseActionDecline, content: map[string]any{"confirm": true}},
	} {
		for _, version := range []string{mcp.LATEST_PROTOCOL_VERSION, mcp.LATEST_LEGACY_PROTOCOL_VERSION} {
			t.Run(name+" "+version, func(t *testing.T) {
				api := &apitest.Fake{}
				_, wrong := call(t, connect(t, api, write, version, asked), "drain_broker", writing["drain_broker"])
				require.Equal(t, "confirmation_declined", wrong.code())
				require.Empty(t, api.Calls())
			})
		}
	}
}

// TestTwoSteps: a client that cannot ask gets a token first, over HTTP any client of an older revision.
func TestTwoSteps(t *testing.T) {
	for name, open := range map[string]func(t *testing.T, api pilot.API) *client.Client{
		"modern without forms": func(t *testing.T, api pilot.API) *client.Client {
			return connect(t, api, write, mcp.LATEST_PROTOCOL_VERSION, nil)
		},
		"legacy without forms": func(t *testing.T, api pilot.API) *client.Client {
			return connect(t, api, write, mcp.LATEST_LEGACY_PROTOCOL_VERSION, nil)
		},
		"legacy over HTTP without sessions": func(t *testing.T, api pilot.API) *client.Client {
			return connectHTTP(t, api, write, mcp.LATEST_LEGACY_PROTOCOL_VERSION, agreeing())
		},
	} {
		for tool, d := range destructive {
			t.Run(name+" "+tool, func(t *testing.T) {
				api := &apitest.Fake{}
				c := open(t, api)
				_, first := call(t, c, tool, writing[tool])
				require.Equal(t, "confirmation_required", first.code())
				require.Contains(t, first.Message, d.question)
				require.Empty(t, api.Calls())
				_, second := call(t, c, tool, with(writing[tool], "confirm", first.Confirm))
				require.Nil(t, second)
				require.Equal(t, []apitest.Call{d.want}, api.Calls())
				_, third := call(t, c, tool, with(writing[tool], "confirm", first.Confirm))
				require.Equal(t, "confirmation_stale", third.code(), "a token is good once")
			})
		}
	}
}

// with returns the arguments with one more, or another value of one.
func with(args map[string]any, name string, value any) map[string]any {
	out := map[string]any{name: value}
	for n, v := range args {
		if n != name {
			out[n] = v
		}
	}
	return out
}

// TestTokensThatDoNotFit: each is refused, and changes nothing.
func TestTokensThatDoNotFit(t *testing.T) {
	api := &apitest.Fake{}
	c := connect(t, api, write, mcp.LATEST_PROTOCOL_VERSION, nil)
	args := writing["drain_broker"]
	_, first := call(t, c, "drain_broker", args)
	_, elsewhere := call(t, connect(t, api, write, mcp.LATEST_PROTOCOL_VERSION, nil), "drain_broker", args)
	raw, err := base64.RawURLEncoding.DecodeString(first.Confirm)
	require.NoError(t, err)
	raw[3]++ // later by centuries
	for name, test := range map[string]struct {
		tool  string
		args  map[string]any
		token string
	}{
		"nonsense":          {"drain_broker", args, "yes"},
		"no token's length": {"drain_broker", args, "AAAA"},
		"another time":      {"drain_broker", args, base64.RawURLEncoding.EncodeToString(raw)},
		"another broker":    {"drain_broker", with(args, "broker", 1), first.Confirm},
		"force withdrawn":   {"drain_broker", with(args, "force", false), first.Confirm},
		"another tool":      {"cancel_reassignment", writing["cancel_reassignment"], first.Confirm},
		"another server":    {"drain_broker", args, elsewhere.Confirm},
	} {
		t.Run(name, func(t *testing.T) {
			_, wrong := call(t, c, test.tool, with(test.args, "confirm", test.token))
			require.Equal(t, "confirmation_stale", wrong.code())
		})
	}
	require.Empty(t, api.Calls())
	_, wrong := call(t, c, "drain_broker", with(args, "confirm", first.Confirm))
	require.Nil(t, wrong, "the right one is still good")
}

// TestOneKeyForSeveralServers: a token of one is good for another with the same key.
func TestOneKeyForSeveralServers(t *testing.T) {
	o := write
	o.Key = []byte("0123456789abcdef0123456789abcdef")
	_, first := call(t, connect(t, &apitest.Fake{}, o, mcp.LATEST_PROTOCOL_VERSION, nil), "drain_broker", writing["drain_broker"])
	_, wrong := call(t, connect(t, &apitest.Fake{}, o, mcp.LATEST_PROTOCOL_VERSION, nil), "drain_broker",
		with(writing["drain_broker"], "confirm", first.Confirm))
	require.Nil(t, wrong)
}

// changing is a service whose plan becomes another under the same ID.
type changing struct {
	apitest.Fake
	moves []balance.Move
}

func (c *changing) Proposal(ctx context.Context, id string) (pilot.ProposalView, error) {
	v, err := c.Fake.Proposal(ctx, id)
	v.Proposal.Message = time.Now().String()
	v.Proposal.Moves = append(v.Proposal.Moves, c.moves...)
	return v, err
}

// TestPlanThatChanged: consent is to the moves that were shown. New figures on the same moves do no harm.
func TestPlanThatChanged(t *testing.T) {
	api := &changing{}
	c := connect(t, api, write, mcp.LATEST_PROTOCOL_VERSION, nil)
	args := writing["apply_proposal"]
	_, first := call(t, c, "apply_proposal", args)
	api.moves = []balance.Move{{Topic: "payments"}}
	_, wrong := call(t, c, "apply_proposal", with(args, "confirm", first.Confirm))
	require.Equal(t, "confirmation_stale", wrong.code())
	api.moves = nil
	_, wrong = call(t, c, "apply_proposal", with(args, "confirm", first.Confirm))
	require.Nil(t, wrong)
}

// pending is a service that has not calculated its plan yet.
type pending struct{ apitest.Fake }

func (*pending) Proposal(context.Context, string) (pilot.ProposalView, error) {
	return pilot.ProposalView{ID: "9f2c41", Stored: "pending"}, nil
}

// TestPlanThatIsNotThereYet can be asked about; whether it can be applied is for the service to say.
func TestPlanThatIsNotThereYet(t *testing.T) {
	api, asked := &pending{}, agreeing()
	_, wrong := call(t, connect(t, api, write, mcp.LATEST_PROTOCOL_VERSION, asked), "apply_proposal", map[string]any{"id": "9f2c41"})
	require.Nil(t, wrong)
	require.Equal(t, []string{"Apply proposal 9f2c41?"}, asked.questions)
	require.Len(t, api.Calls(), 1)
}

// TestForgedAnswer: a client can send any answer it likes, but not the state that goes with it. The last case, with the
// state that the server gave, shows that the others fail for that alone.
func TestForgedAnswer(t *testing.T) {
	o := write
	o.Key = []byte("0123456789abcdef0123456789abcdef")
	api := &apitest.Fake{}
	h := mcpserver.Handler(api, o)
	args := writing["drain_broker"]
	_, forCallers := call(t, connect(t, api, o, mcp.LATEST_PROTOCOL_VERSION, nil), "drain_broker", args)
	asked := raw(t, h, map[string]any{"name": "drain_broker", "arguments": args})
	require.True(t, asked.NeedsInput())
	otherBroker := raw(t, h, map[string]any{"name": "drain_broker", "arguments": with(args, "broker", 1)})
	yes := map[string]any{"confirm": map[string]any{"action": "accept", "content": map[string]any{"confirm": true}}}
	for _, test := range []struct{ name, state, code string }{
		{"no state", "", "confirmation_stale"},
		{"a token for callers", forCallers.Confirm, "confirmation_stale"},
		{"the state of another question", otherBroker.RequestState, "confirmation_stale"},
		{"the state of this question", asked.RequestState, ""},
		{"the same once more", asked.RequestState, "confirmation_stale"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, wrong := unwrap(t, raw(t, h, map[string]any{
				"name": "drain_broker", "arguments": args, "inputResponses": yes, "requestState": test.state,
			}))
			require.Equal(t, test.code, wrong.code())
		})
	}
	require.Len(t, api.Calls(), 1)
}

// TestModelCannotAnswerForTheUser: where the client can ask, a token as an argument is worth nothing.
func TestModelCannotAnswerForTheUser(t *testing.T) {
	o := write
	o.Key = []byte("0123456789abcdef0123456789abcdef")
	api := &apitest.Fake{}
	_, first := call(t, connect(t, api, o, mcp.LATEST_PROTOCOL_VERSION, nil), "drain_broker", writing["drain_broker"])
	asked := &user{action: mcp.ElicitationResponseActionDecline}
	_, wrong := call(t, connect(t, api, o, mcp.LATEST_PROTOCOL_VERSION, asked), "drain_broker",
		with(writing["drain_broker"], "confirm", first.Confirm))
	require.Equal(t, "confirmation_declined", wrong.code())
	require.Len(t, asked.questions, 1)
	require.Empty(t, api.Calls())
}

func TestConsentOfAUserDemanded(t *testing.T) {
	o := write
	o.RequireElicitation = true
	api := &apitest.Fake{}
	for _, version := range mcp.ValidProtocolVersions {
		_, wrong := call(t, connect(t, api, o, version, nil), "drain_broker", writing["drain_broker"])
		require.Equal(t, "confirmation_unavailable", wrong.code())
	}
	require.Empty(t, api.Calls())
	_, wrong := call(t, connect(t, api, o, mcp.LATEST_PROTOCOL_VERSION, agreeing()), "drain_broker", writing["drain_broker"])
	require.Nil(t, wrong)
}

// TestConfirmationAges: five minutes, and what was used is forgotten no sooner.
func TestConfirmationAges(t *testing.T) {
	for name, test := range map[string]struct {
		within, wait time.Duration
		code         string
	}{
		"in time":             {0, 4 * time.Minute, ""},
		"too late":            {0, 5*time.Minute + time.Second, "confirmation_stale"},
		"in time of its own":  {time.Hour, 59 * time.Minute, ""},
		"too late for itself": {time.Minute, 61 * time.Second, "confirmation_stale"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := write
				o.ConfirmWithin = test.within
				c := connect(t, &apitest.Fake{}, o, mcp.LATEST_PROTOCOL_VERSION, nil)
				_, first := call(t, c, "drain_broker", writing["drain_broker"])
				time.Sleep(test.wait)
				for _, want := range []string{test.code, "confirmation_stale"} {
					_, wrong := call(t, c, "drain_broker", with(writing["drain_broker"], "confirm", first.Confirm))
					require.Equal(t, want, wrong.code())
				}
				time.Sleep(2 * time.Hour)
				_, again := call(t, c, "drain_broker", writing["drain_broker"])
				_, wrong := call(t, c, "drain_broker", with(writing["drain_broker"], "confirm", again.Confirm))
				require.Nil(t, wrong)
			})
		})
	}
}
