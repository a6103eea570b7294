package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	httpapi "github.com/kafka-pilot/pilot/adapters/http"
	"github.com/kafka-pilot/pilot/adapters/internal/apitest"
	"github.com/kafka-pilot/pilot/adapters/internal/wire"
	"github.com/kafka-pilot/pilot/safety"
)

// operation is one line of the API: how to ask, which method of the service answers, and with which status.
type operation struct {
	request
	calls  string
	status int
}

var operations = []operation{
	{get("/openapi.json"), "", 200},
	{get("/openapi.yaml"), "", 200},
	{get("/health"), "Health", 200},
	{get("/cluster"), "Cluster", 200},
	{get("/balance"), "Balance", 200},
	{get("/proposals"), "Proposals", 200},
	{get("/proposals/current"), "Current", 200},
	{get("/proposals/9f2c41"), "Proposal", 200},
	{post("/proposals/generate", `{"immediate":true}`), "Generate", 200},
	{post("/proposals/9f2c41/apply?force=true", `{"reason":"CHG-1182"}`), "Apply", 202},
	{get("/reassignments"), "Executions", 200},
	{get("/reassignments/e-16"), "Execution", 200},
	{get("/reassignments/e-16/events"), "Execution", 200},
	{post("/reassignments/e-17/cancel", ""), "Cancel", 202},
	{get("/brokers/maintenance"), "InMaintenance", 200},
	{post("/brokers/0/maintenance", `{"force":true,"reason":"disk"}`), "Drain", 202},
	{request{method: "DELETE", path: "/brokers/4/maintenance"}, "EndMaintenance", 200},
}

func get(path string) request        { return request{method: "GET", path: path} }
func post(path, body string) request { return request{method: "POST", path: path, body: body} }

// failures are all that can go wrong below the adapter, with the status that callers see.
var failures = map[int]error{
	400: &pilot.Refused{Kind: pilot.RefusedInput, Code: "bad_input", Message: "No."},
	402: &pilot.Refused{Kind: pilot.RefusedLicence, Code: "no_licence", Message: "No."},
	404: &pilot.Refused{Kind: pilot.RefusedMissing, Code: "not_found", Message: "No."},
	409: &pilot.Refused{Kind: pilot.RefusedConflict, Code: "reassignments_in_flight", Message: "No.", Overridable: true,
		Findings: []safety.Finding{apitest.InFlight()}, Subjects: []string{"orders-3"}},
	503: &pilot.Refused{Kind: pilot.RefusedNotReady, Code: "data_not_ready", Message: "No.", RetryAfter: 90 * time.Second},
}

// TestEveryDocumentedAnswer produces every status of every operation in the document, and holds each answer against it.
func TestEveryDocumentedAnswer(t *testing.T) {
	missing := documentedAnswers(t)
	seen := func(o operation, status int) { delete(missing, answerKey(o.method, o.path, status)) }
	for _, o := range operations {
		name := o.method + " " + o.path
		t.Run(name, func(t *testing.T) {
			api := &apitest.Fake{Views: []pilot.ExecutionView{apitest.Ended()}}
			require.Equal(t, o.status, newContract(t, api, httpapi.Options{}).send(t, o.request).Code)
			seen(o, o.status)
			for _, status := range slices.Sorted(maps.Keys(failures)) {
				if _, documented := missing[answerKey(o.method, o.path, status)]; documented {
					refuses(t, o, failures[status], status)
					seen(o, status)
				}
			}
			for status, r := range spoilt(o) {
				if _, documented := missing[answerKey(o.method, o.path, status)]; documented {
					answer, _ := newContract(t, api, httpapi.Options{}).exchange(t, r)
					require.Equal(t, status, problemOf(t, answer).Status)
					seen(o, status)
				}
			}
		})
	}
	drained := newContract(t, &apitest.Fake{NothingToMove: true}, httpapi.Options{}).send(t, post("/brokers/0/maintenance", ""))
	require.Equal(t, http.StatusOK, drained.Code)
	seen(operation{request: post("/brokers/0/maintenance", "")}, http.StatusOK)
	require.Empty(t, slices.Sorted(maps.Keys(missing)), "documented, but no test produces them")
}

// refuses checks that an error of the service arrives whole.
func refuses(t *testing.T, o operation, err error, status int) {
	t.Helper()
	api := &apitest.Fake{Err: map[string]error{o.calls: err}}
	answer := newContract(t, api, httpapi.Options{}).send(t, o.request)
	p := problemOf(t, answer)
	var want *pilot.Refused
	require.ErrorAs(t, err, &want)
	require.Equal(t, status, answer.Code)
	require.Equal(t, []any{want.Code, want.Message, want.Overridable}, []any{p.Code, p.Detail, p.Overridable})
	require.Equal(t, want.Findings, p.Findings)
	require.Equal(t, want.Subjects, p.Subjects)
	require.Equal(t, int64(want.RetryAfter/time.Second), p.RetryAfter)
	if want.RetryAfter > 0 {
		require.Equal(t, "90", answer.Header().Get("Retry-After"))
	}
}

// spoilt are requests that never reach the service.
func spoilt(o operation) map[int]request {
	large, text, foreign := o.request, o.request, o.request
	large.body = `{"reason":"` + strings.Repeat("x", wire.MaxBody) + `"}`
	text.body, text.header = "immediate=true", map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	foreign.header = map[string]string{"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"}
	return map[int]request{403: foreign, 413: large, 415: text}
}

func documentedAnswers(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for path, item := range loadDocument(t).Paths.Map() {
		for method, op := range item.Operations() {
			for status := range op.Responses.Map() {
				all[method+" "+path+" "+status] = true
			}
		}
	}
	return all
}

// answerKey names an answer as the document does.
func answerKey(method, path string, status int) string {
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	literal := map[string]bool{"current": true, "generate": true, "maintenance": true}
	if len(parts) > 2 && !literal[parts[2]] {
		parts[2] = "{id}"
	}
	return fmt.Sprintf("%s %s %d", method, strings.Join(parts, "/"), status)
}

func TestFailedReadsAreNotReady(t *testing.T) {
	for name, c := range map[string]struct {
		err    error
		code   string
		detail string
	}{
		"Kafka is down":   {errors.New("dial kafka-1:9092: connection refused"), wire.CodeUnavailable, "kafka-1:9092"},
		"Kafka is silent": {fmt.Errorf("describe: %w", context.DeadlineExceeded), wire.CodeTimeout, "in time"},
		"wrapped refusal": {fmt.Errorf("plan: %w", failures[503]), "data_not_ready", "No."},
	} {
		t.Run(name, func(t *testing.T) {
			api := &apitest.Fake{Err: map[string]error{"Cluster": c.err}}
			answer := newContract(t, api, httpapi.Options{}).send(t, get("/cluster"))
			p := problemOf(t, answer)
			require.Equal(t, http.StatusServiceUnavailable, answer.Code)
			require.Equal(t, c.code, p.Code)
			require.Contains(t, p.Detail, c.detail)
		})
	}
}

func TestStartedExecutionsAreLocated(t *testing.T) {
	c := newContract(t, &apitest.Fake{}, httpapi.Options{})
	for _, r := range []request{post("/proposals/9f2c41/apply", ""), post("/brokers/0/maintenance", "")} {
		require.Equal(t, "/api/v1/reassignments/e-17", c.send(t, r).Header().Get("Location"))
	}
}
