package httpapi

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/adapters/internal/wire"
	"github.com/kafka-pilot/pilot/safety"
)

// statuses is the only place where a refusal becomes an HTTP status.
var statuses = map[pilot.RefusalKind]int{
	pilot.RefusedInput:    http.StatusBadRequest,
	pilot.RefusedLicence:  http.StatusPaymentRequired,
	pilot.RefusedMissing:  http.StatusNotFound,
	pilot.RefusedConflict: http.StatusConflict,
	pilot.RefusedNotReady: http.StatusServiceUnavailable,
}

// statusOf answers 500 for a kind that the table lacks, so that a new kind cannot look like success.
func statusOf(kind pilot.RefusalKind) int {
	if status, ok := statuses[kind]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// Problem is the body of every error: an RFC 9457 problem of the type about:blank, with members for programs. Clients
// written in Go may decode into it.
type Problem struct {
	Title       string           `json:"title"`                // the phrase of the status
	Status      int              `json:"status"`               // the HTTP status
	Code        string           `json:"code"`                 // stable, for programs
	Detail      string           `json:"detail"`               // one sentence for people
	Overridable bool             `json:"overridable"`          // the same request with force would pass
	RetryAfter  int64            `json:"retryAfter,omitempty"` // seconds, as in the Retry-After header
	Findings    []safety.Finding `json:"findings,omitempty"`   // every reason not to move partitions now
	Subjects    []string         `json:"subjects,omitempty"`   // brokers or partitions concerned
}

// reply encodes the view, or the error if there is one.
func reply(c *gin.Context, status int, view any, err error) {
	if err != nil {
		fail(c, err)
		return
	}
	data, err := wire.Encode(view)
	if err != nil {
		message := "The answer could not be written: " + err.Error()
		problem(c, http.StatusInternalServerError, wire.Failure{Code: wire.CodeInternal, Message: message})
		return
	}
	c.Header("Cache-Control", "no-store")
	c.Data(status, "application/json", data)
}

func fail(c *gin.Context, err error) {
	failure, kind := wire.FailureOf(err)
	problem(c, statusOf(kind), failure)
}

// problem answers with an error and ends the chain of handlers.
func problem(c *gin.Context, status int, f wire.Failure) {
	p := Problem{
		Title: http.StatusText(status), Status: status, Code: f.Code, Detail: f.Message, Overridable: f.Overridable,
		RetryAfter: f.RetryAfter, Findings: f.Findings, Subjects: f.Subjects,
	}
	data, err := wire.Encode(p)
	if err != nil {
		c.AbortWithStatus(http.StatusInternalServerError)
		return
	}
	if f.RetryAfter > 0 {
		c.Header("Retry-After", strconv.FormatInt(f.RetryAfter, 10))
	}
	c.Header("Cache-Control", "no-store")
	c.Abort()
	c.Data(status, "application/problem+json", data)
}

// base is the path under which the API is mounted, whatever groups are around it.
func (h *handlers) base(c *gin.Context) string {
	path := c.Request.URL.Path
	return path[:strings.LastIndex(path, Prefix)+len(Prefix)]
}

// located says where the execution that was started can be followed.
func (h *handlers) located(c *gin.Context, execution string) {
	c.Header("Location", h.base(c)+"/reassignments/"+execution)
}
