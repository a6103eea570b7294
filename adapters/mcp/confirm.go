package mcpserver

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/kafka-pilot/pilot/adapters/internal/wire"
)

// Codes of changes that are not confirmed.
const (
	codeRequired    = "confirmation_required"
	codeStale       = "confirmation_stale"
	codeDeclined    = "confirmation_declined"
	codeUnavailable = "confirmation_unavailable"
)

// The two ways to confirm. A token for one is worth nothing for the other, so that a model cannot hand in as its own
// what was meant for the user.
const (
	byUser   = "user"
	byCaller = "caller"
)

// answerID names our one question among those that a client is asked.
const answerID = "confirm"

// subject is a change that needs a confirmation: the question, and all that the answer is good for.
type subject struct {
	question string
	exactly  []any
}

// confirmer makes and checks confirmations. It may be used by several goroutines.
type confirmer struct {
	key      []byte
	within   time.Duration
	userOnly bool

	mu   sync.Mutex
	used map[[nonceSize]byte]time.Time // until when each nonce would be good
}

func newConfirmer(o Options) *confirmer {
	return &confirmer{key: o.Key, within: o.ConfirmWithin, userOnly: o.RequireElicitation, used: map[[nonceSize]byte]time.Time{}}
}

// ask returns nil when the request carries a confirmation of the subject, and what to answer otherwise. The handler
// runs from its top in every round, so the subject is always what would be done now.
func (c *confirmer) ask(ctx context.Context, req mcp.CallToolRequest, token string, about subject) *mcp.CallToolResult {
	digest, err := digestOf(req.Params.Name, about)
	if err != nil {
		return failed(err)
	}
	if answer := server.ElicitationResponse(req.Params.InputResponses, answerID); answer != nil {
		return c.answered(answer, req.Params.RequestState, digest)
	}
	switch {
	case canElicit(ctx):
		return question(about.question, c.sign(byUser, digest, time.Now()))
	case c.userOnly:
		return refuse(codeUnavailable, "This change needs the consent of a user, and this client cannot ask for it.", "")
	case token == "":
		return refuse(codeRequired, about.question+" If so, repeat the call with the token as confirm.", c.sign(byCaller, digest, time.Now()))
	}
	return c.redeem(byCaller, token, digest)
}

// answered judges the answer of the user, which counts only with the state that we signed for this very question.
func (c *confirmer) answered(answer *mcp.ElicitationResult, state string, digest []byte) *mcp.CallToolResult {
	content, _ := answer.Content.(map[string]any)
	yes, _ := content[answerID].(bool)
	if answer.Action != mcp.ElicitationResponseActionAccept || !yes {
		return refuse(codeDeclined, "The user did not agree. Nothing was changed.", "")
	}
	return c.redeem(byUser, state, digest)
}

// question asks the client to ask its user.
func question(text, state string) *mcp.CallToolResult {
	return server.NewInputRequestBuilder(state).Elicit(answerID, mcp.ElicitationParams{
		Mode: mcp.ElicitationModeForm, Message: text,
		RequestedSchema: map[string]any{
			"type": "object", "required": []string{answerID},
			"properties": map[string]any{
				answerID: map[string]any{"type": "boolean", "title": "Yes, do it", "default": false},
			},
		},
	}).ToolResult()
}

// redeem returns nil for a token that we made for this way and this digest, that is in time and was not used before.
func (c *confirmer) redeem(way, token string, digest []byte) *mcp.CallToolResult {
	now := time.Now()
	nonce, until, ok := c.open(way, token, digest)
	if ok && now.Before(until) && c.first(nonce, until, now) {
		return nil
	}
	return refuse(codeStale, "The confirmation does not fit what would be done now, is too old or was used before. Call again without it.", "")
}

// first notes that a nonce is used, and forgets those that would be refused for their age anyway.
func (c *confirmer) first(nonce [nonceSize]byte, until, now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n, end := range c.used {
		if !now.Before(end) {
			delete(c.used, n)
		}
	}
	_, seen := c.used[nonce]
	c.used[nonce] = until
	return !seen
}

// A token is the end of its time in seconds, a nonce and a MAC over both, the way and the digest.
const (
	timeSize  = 8
	nonceSize = 16
)

func (c *confirmer) sign(way string, digest []byte, now time.Time) string {
	body := make([]byte, timeSize+nonceSize)
	binary.BigEndian.PutUint64(body, uint64(now.Add(c.within).Unix()))
	rand.Read(body[timeSize:]) // never fails
	return base64.RawURLEncoding.EncodeToString(c.mac(way, digest, body))
}

// mac appends the MAC to the body.
func (c *confirmer) mac(way string, digest, body []byte) []byte {
	h := hmac.New(sha256.New, c.key)
	fmt.Fprintf(h, "%s %x %x", way, digest, body)
	return h.Sum(body)
}

func (c *confirmer) open(way, token string, digest []byte) (nonce [nonceSize]byte, until time.Time, ok bool) {
	data, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(data) != timeSize+nonceSize+sha256.Size {
		return nonce, until, false
	}
	body := data[: timeSize+nonceSize : timeSize+nonceSize]
	if !hmac.Equal(data, c.mac(way, digest, body)) {
		return nonce, until, false
	}
	copy(nonce[:], body[timeSize:])
	return nonce, time.Unix(int64(binary.BigEndian.Uint64(body)), 0), true
}

// digestOf is the same for the same tool doing the same thing.
func digestOf(tool string, about subject) ([]byte, error) {
	text, err := wire.Encode(append([]any{tool}, about.exactly...))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	return sum[:], nil
}

// canElicit says whether the client told that it can put a form to its user. Asking one that cannot may wait for ever.
func canElicit(ctx context.Context) bool {
	if info := server.RequestProtocolInfoFromContext(ctx); info != nil && info.Modern {
		return info.ClientCapabilities != nil && showsForms(info.ClientCapabilities.Elicitation)
	}
	session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo)
	if !ok || !showsForms(session.GetClientCapabilities().Elicitation) {
		return false
	}
	_, ok = session.(server.SessionWithElicitation)
	return ok
}

// showsForms takes a capability without further word for that of forms, as the protocol does.
func showsForms(e *mcp.ElicitationCapability) bool {
	return e != nil && (e.Form != nil || e.URL == nil)
}

func refuse(code, message, token string) *mcp.CallToolResult {
	return refusal(failure{wire.Failure{Code: code, Message: message}, token})
}
