package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	httpapi "github.com/kafka-pilot/pilot/adapters/http"
	"github.com/kafka-pilot/pilot/adapters/internal/apitest"
)

// TestWrongRequests lists what is refused before the service sees it. The document refuses the same, but for the
// query parameters and lists of members that a schema cannot tell.
func TestWrongRequests(t *testing.T) {
	for name, c := range map[string]struct {
		request
		code, says string
		onlyHere   bool // the document has nothing against it
	}{
		"misspelt field":         {post("/proposals/generate", `{"imediate":true}`), "unknown_field", "takes immediate", false},
		"field in other case":    {post("/brokers/1/maintenance", `{"Force":true}`), "unknown_field", "force, reason", false},
		"force in the body":      {post("/proposals/p/apply", `{"force":true}`), "unknown_field", `"force"`, false},
		"force in the query":     {post("/brokers/1/maintenance?force=true", ""), "unknown_parameter", "takes none", true},
		"misspelt parameter":     {post("/proposals/p/apply?forced=true", ""), "unknown_parameter", "takes force", true},
		"force that is no flag":  {post("/proposals/p/apply?force=yes", ""), "invalid_parameter", `"yes"`, false},
		"text for a flag":        {post("/proposals/generate", `{"immediate":"yes"}`), "invalid_field", "true or false", false},
		"number for a text":      {post("/proposals/p/apply", `{"reason":7}`), "invalid_field", "a text", false},
		"endless reason":         {post("/proposals/p/apply", `{"reason":"`+strings.Repeat("é", 1001)+`"}`), "invalid_field", "1000", false},
		"endless drain reason":   {post("/brokers/1/maintenance", `{"reason":"`+strings.Repeat("é", 1001)+`"}`), "invalid_field", "1000", false},
		"no object":              {post("/proposals/generate", `[true]`), "invalid_json", "array", false},
		"null":                   {post("/proposals/generate", `null`), "invalid_json", "null", false},
		"half an object":         {post("/proposals/generate", `{"immediate":`), "invalid_json", "EOF", false},
		"two objects":            {post("/proposals/generate", `{} {}`), "invalid_json", "follows", true},
		"field for a cancel":     {post("/reassignments/e/cancel", `{"force":true}`), "unknown_field", "no fields", false},
		"parameter for a cancel": {post("/reassignments/e/cancel?x=1", ""), "unknown_parameter", `"x"`, true},
		"parameter for an end":   {request{method: "DELETE", path: "/brokers/1/maintenance?x=1"}, "unknown_parameter", `"x"`, true},
		"proposal of no ID":      {get("/proposals/-1"), "invalid_id", `"-1"`, false},
		"execution of no ID":     {get("/reassignments/a%20b"), "invalid_id", "letters", false},
		"stream of no ID":        {get("/reassignments/a%20b/events"), "invalid_id", "letters", false},
		"broker by name":         {post("/brokers/kafka-1/maintenance", ""), "invalid_id", "broker ID", false},
		"negative broker":        {post("/brokers/-1/maintenance", ""), "invalid_id", "broker ID", false},
		"broker out of range":    {post("/brokers/2147483648/maintenance", ""), "invalid_id", "broker ID", true},
		"broker with zeros":      {request{method: "DELETE", path: "/brokers/007/maintenance"}, "invalid_id", "broker ID", true},
	} {
		t.Run(name, func(t *testing.T) {
			api := &apitest.Fake{}
			answer, wrong := newContract(t, api, httpapi.Options{}).exchange(t, c.request)
			p := problemOf(t, answer)
			require.Equal(t, http.StatusBadRequest, answer.Code, answer.Body)
			require.Equal(t, c.code, p.Code)
			require.Contains(t, p.Detail, c.says)
			require.Empty(t, api.Calls())
			if !c.onlyHere {
				require.Error(t, wrong, "the document allows what the server refuses")
			}
		})
	}
}

// TestWhatTheServiceIsAsked shows that every part of a request arrives.
func TestWhatTheServiceIsAsked(t *testing.T) {
	for name, c := range map[string]struct {
		request
		want apitest.Call
	}{
		"generate with nothing": {post("/proposals/generate", ""), apitest.Call{Method: "Generate"}},
		"generate with {}":      {post("/proposals/generate", "{}"), apitest.Call{Method: "Generate"}},
		"generate now":          {post("/proposals/generate", `{"immediate":true}`), apitest.Call{Method: "Generate", Immediate: true}},
		"apply with nothing":    {post("/proposals/p/apply", ""), apitest.Call{Method: "Apply", ID: "p", Principal: "ann"}},
		"apply, not forced":     {post("/proposals/p/apply?force=false", ""), apitest.Call{Method: "Apply", ID: "p", Principal: "ann"}},
		"apply, forced": {post("/proposals/p/apply?force=true", `{"reason":"CHG-1"}`),
			apitest.Call{Method: "Apply", ID: "p", Force: true, Reason: "CHG-1", Principal: "ann"}},
		"cancel":         {post("/reassignments/e/cancel", "{}"), apitest.Call{Method: "Cancel", ID: "e"}},
		"drain broker 0": {post("/brokers/0/maintenance", "{}"), apitest.Call{Method: "Drain", Principal: "ann"}},
		"drain, forced": {post("/brokers/3/maintenance", `{"force":true,"reason":"disk"}`),
			apitest.Call{Method: "Drain", Broker: 3, Force: true, Reason: "disk", Principal: "ann"}},
		"end maintenance": {request{method: "DELETE", path: "/brokers/3/maintenance"}, apitest.Call{Method: "EndMaintenance", Broker: 3}},
	} {
		t.Run(name, func(t *testing.T) {
			api := &apitest.Fake{}
			o := httpapi.Options{Principal: func(*gin.Context) string { return "ann" }}
			newContract(t, api, o).send(t, c.request)
			require.Equal(t, []apitest.Call{c.want}, api.Calls())
		})
	}
}

func TestBodyThatBreaksOff(t *testing.T) {
	engine := gin.New()
	httpapi.Register(engine, &apitest.Fake{}, httpapi.Options{})
	req := httptest.NewRequest("POST", "/api/v1/proposals/generate", iotest.ErrReader(http.ErrHandlerTimeout))
	answer := httptest.NewRecorder()
	engine.ServeHTTP(answer, req)
	require.Equal(t, "unreadable_body", problemOf(t, answer).Code)
}

// TestGuard shows the hook for the host's authentication: it sees every change, and no read.
func TestGuard(t *testing.T) {
	for _, o := range operations {
		t.Run(o.method+" "+o.path, func(t *testing.T) {
			api := &apitest.Fake{}
			api.Views = append(api.Views, apitest.Ended())
			guard := func(c *gin.Context) { c.AbortWithStatus(http.StatusUnauthorized) }
			engine := gin.New()
			httpapi.Register(engine, api, httpapi.Options{Mutations: []gin.HandlerFunc{guard}})
			answer := httptest.NewRecorder()
			engine.ServeHTTP(answer, o.build(t))
			if o.method == http.MethodGet {
				require.Equal(t, o.status, answer.Code)
			} else {
				require.Equal(t, http.StatusUnauthorized, answer.Code)
			}
			require.Empty(t, api.Calls())
		})
	}
}

func TestPagesOfOtherOrigins(t *testing.T) {
	trusting := http.NewCrossOriginProtection()
	require.NoError(t, trusting.AddTrustedOrigin("https://ops.example"))
	for name, c := range map[string]struct {
		origin string
		o      httpapi.Options
		status int
	}{
		"a program":               {"", httpapi.Options{}, 202},
		"a page of ours":          {"http://example.com", httpapi.Options{}, 202},
		"a page of another":       {"https://ops.example", httpapi.Options{}, 403},
		"a page that is trusted":  {"https://ops.example", httpapi.Options{CrossOrigin: trusting}, 202},
		"a page that is no match": {"https://evil.example", httpapi.Options{CrossOrigin: trusting}, 403},
	} {
		t.Run(name, func(t *testing.T) {
			r := post("/reassignments/e-17/cancel", "")
			if c.origin != "" {
				r.header = map[string]string{"Origin": c.origin}
			}
			answer, _ := newContract(t, &apitest.Fake{}, c.o).exchange(t, r)
			require.Equal(t, c.status, answer.Code)
		})
	}
}
