package wire

import (
	"context"
	"errors"
	"time"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/safety"
)

// Codes of failures that are no refusals.
const (
	CodeUnavailable = "cluster_unavailable" // the cluster could not be read or changed
	CodeTimeout     = "timeout"             // it did not answer in time
	CodeInternal    = "internal_error"      // an answer could not be encoded: a fault of the program
)

// Failure is an error as callers see it. Its fields have the same names over REST and MCP.
type Failure struct {
	Code        string           `json:"code"`
	Message     string           `json:"message"`
	Overridable bool             `json:"overridable"`          // force would pass it
	RetryAfter  int64            `json:"retryAfter,omitempty"` // seconds
	Findings    []safety.Finding `json:"findings,omitempty"`
	Subjects    []string         `json:"subjects,omitempty"` // brokers or partitions concerned
}

// FailureOf says what to tell a caller about an error of the service, and of which kind it is. Whatever is no refusal
// is failed input or output, thus not ready.
func FailureOf(err error) (Failure, pilot.RefusalKind) {
	var r *pilot.Refused
	switch {
	case errors.As(err, &r):
		return Failure{r.Code, r.Message, r.Overridable, wholeSeconds(r.RetryAfter), r.Findings, r.Subjects}, r.Kind
	case errors.Is(err, context.DeadlineExceeded):
		return Failure{Code: CodeTimeout, Message: "The cluster did not answer in time. Nothing can be said of what was asked for; look before you repeat it."}, pilot.RefusedNotReady
	}
	return Failure{Code: CodeUnavailable, Message: "The cluster could not be reached: " + err.Error()}, pilot.RefusedNotReady
}

// wholeSeconds rounds up, since a caller that comes too early comes for nothing.
func wholeSeconds(d time.Duration) int64 {
	if d <= 0 {
		return 0
	}
	return int64((d + time.Second - 1) / time.Second)
}
