package httpapi_test

import (
	"bufio"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/kafka-pilot/pilot"
	httpapi "github.com/kafka-pilot/pilot/adapters/http"
	"github.com/kafka-pilot/pilot/adapters/internal/apitest"
)

type notANumber struct{ apitest.Fake }

func (*notANumber) Balance(context.Context) (pilot.BalanceView, error) {
	v := apitest.Balance()
	zero := 0.0
	v.Summary.Rows[0].Distance = zero / zero
	return v, nil
}

// completed returns the example after so many of its moves.
func completed(n int) pilot.ExecutionView {
	v := apitest.Execution()
	v.Completed, v.Active = n, 2-n
	if n == 2 {
		v.State, v.EndedAt = pilot.StateCompleted, &apitest.At
	}
	return v
}

// stream asks for events until they end or the context does, and returns the lines that were sent.
func stream(ctx context.Context, api pilot.API, lastID string) []string {
	engine := gin.New()
	httpapi.Register(engine, api, httpapi.Options{})
	req := httptest.NewRequestWithContext(ctx, "GET", "/api/v1/reassignments/e-17/events", nil)
	req.Header.Set("Last-Event-ID", lastID)
	answer := httptest.NewRecorder()
	engine.ServeHTTP(answer, req)
	return strings.Split(strings.TrimSpace(answer.Body.String()), "\n")
}

// events picks the lines that begin with the prefix.
func events(lines []string, prefix string) []string {
	var found []string
	for _, line := range lines {
		if text, ok := strings.CutPrefix(line, prefix); ok {
			found = append(found, text)
		}
	}
	return found
}

func TestStreamFollowsAnExecutionToItsEnd(t *testing.T) {
	defer goleak.VerifyNone(t)
	synctest.Test(t, func(t *testing.T) {
		api := &apitest.Fake{Views: []pilot.ExecutionView{completed(0), completed(0), completed(1), completed(1), completed(2)}}
		start := time.Now()
		lines := stream(t.Context(), api, "")
		require.Equal(t, []string{"progress", "progress", "done"}, events(lines, "event: "), "only what changed")
		require.Equal(t, 4*time.Second, time.Since(start), "a look a second")
		last := events(lines, "data: ")[2]
		require.Contains(t, last, `"completed":2`)
		require.Contains(t, last, `"moves":[]`)
	})
}

func TestStreamTakesUpWhereItBrokeOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		views := []pilot.ExecutionView{completed(1), completed(1), completed(2)}
		ids := events(stream(t.Context(), &apitest.Fake{Views: views}, ""), "id: ")
		require.Len(t, ids, 2)
		again := stream(t.Context(), &apitest.Fake{Views: views}, ids[0])
		require.Equal(t, []string{"done"}, events(again, "event: "), "the first is known")
		ended := stream(t.Context(), &apitest.Fake{Views: views[2:]}, ids[1])
		require.Equal(t, []string{"done"}, events(ended, "event: "), "the end is always told")
	})
}

func TestStreamBeatsUntilTheClientGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
		defer cancel()
		lines := stream(ctx, &apitest.Fake{}, "")
		require.Equal(t, []string{"progress"}, events(lines, "event: "))
		require.Len(t, events(lines, ": alive"), 2, "every 15 seconds")
	})
}

func TestStreamOutlivesFailedReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3500*time.Millisecond)
		defer cancel()
		api := &apitest.Fake{Views: []pilot.ExecutionView{completed(0)}}
		time.AfterFunc(500*time.Millisecond, func() { api.Fail("Execution", errors.New("no connection")) })
		lines := stream(ctx, api, "")
		require.Len(t, events(lines, ": the execution cannot be read now"), 3)
	})
}

func TestStreamEndsWithItsExecution(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := &apitest.Fake{}
		time.AfterFunc(1500*time.Millisecond, func() { api.Fail("Execution", failures[404]) })
		require.Equal(t, []string{"progress"}, events(stream(t.Context(), api, ""), "event: "))
	})
}

// TestStreamOutlivesWriteTimeout runs on a real connection of a server that cuts answers off after a short while.
func TestStreamOutlivesWriteTimeout(t *testing.T) {
	engine := gin.New()
	views := []pilot.ExecutionView{completed(0), completed(0), completed(0), completed(0), completed(2)}
	httpapi.Register(engine, &apitest.Fake{Views: views}, httpapi.Options{Poll: 100 * time.Millisecond})
	server := httptest.NewUnstartedServer(engine)
	server.Config.WriteTimeout = 100 * time.Millisecond
	server.Start()
	defer server.Close()
	answer, err := http.Get(server.URL + "/api/v1/reassignments/e-17/events")
	require.NoError(t, err)
	defer answer.Body.Close()
	var names []string
	for s := bufio.NewScanner(answer.Body); s.Scan(); {
		if name, ok := strings.CutPrefix(s.Text(), "event: "); ok {
			names = append(names, name)
		}
	}
	require.Equal(t, []string{"progress", "done"}, names)
}
