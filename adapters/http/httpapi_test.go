package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	httpapi "github.com/kafka-pilot/pilot/adapters/http"
	"github.com/kafka-pilot/pilot/adapters/internal/apitest"
	"github.com/kafka-pilot/pilot/balance"
)

// TestTwoClustersOnOneEngine has a service in each of two groups; addresses in answers follow the group.
func TestTwoClustersOnOneEngine(t *testing.T) {
	engine := gin.New()
	east, west := &apitest.Fake{}, &apitest.Fake{}
	httpapi.Register(engine.Group("/east"), east, httpapi.Options{})
	httpapi.Register(engine.Group("/west"), west, httpapi.Options{})
	answer := httptest.NewRecorder()
	engine.ServeHTTP(answer, httptest.NewRequest("POST", "/west/api/v1/proposals/p/apply", nil))
	require.Equal(t, http.StatusAccepted, answer.Code)
	require.Equal(t, "/west/api/v1/reassignments/e-17", answer.Header().Get("Location"))
	require.Empty(t, east.Calls())
	require.Len(t, west.Calls(), 1)
}

// TestHostKeepsItsEngine registers beside a host's own routes and finds its engine as it was.
func TestHostKeepsItsEngine(t *testing.T) {
	engine := gin.New()
	engine.GET("/orders", func(c *gin.Context) { c.String(http.StatusOK, "mine") })
	mode, handlers := gin.Mode(), len(engine.Handlers)
	httpapi.Register(engine, &apitest.Fake{}, httpapi.Options{})
	httpapi.RegisterOps(engine, &apitest.Fake{})
	require.Equal(t, mode, gin.Mode())
	require.Len(t, engine.Handlers, handlers)
	answer := httptest.NewRecorder()
	engine.ServeHTTP(answer, httptest.NewRequest("GET", "/orders", nil))
	require.Equal(t, "mine", answer.Body.String())
}

func TestProbes(t *testing.T) {
	for name, c := range map[string]struct {
		path, notReady string
		status         int
		body           string
	}{
		"alive":              {"/healthz", "no reading yet", 200, `{"status":"ok"}`},
		"ready":              {"/readyz", "", 200, `{"ready":true}`},
		"not ready, and why": {"/readyz", "no reading yet", 503, `{"ready":false,"reason":"no reading yet"}`},
	} {
		t.Run(name, func(t *testing.T) {
			engine := gin.New()
			httpapi.RegisterOps(engine, &apitest.Fake{NotReady: c.notReady})
			answer := httptest.NewRecorder()
			engine.ServeHTTP(answer, httptest.NewRequest("GET", c.path, nil))
			require.Equal(t, c.status, answer.Code)
			require.JSONEq(t, c.body, answer.Body.String())
		})
	}
}

// TestFaultyViewIsAnError has a number that JSON cannot write.
func TestFaultyViewIsAnError(t *testing.T) {
	engine := gin.New()
	httpapi.Register(engine, &notANumber{}, httpapi.Options{})
	answer := httptest.NewRecorder()
	engine.ServeHTTP(answer, httptest.NewRequest("GET", "/api/v1/balance", nil))
	require.Equal(t, http.StatusInternalServerError, answer.Code)
	require.Equal(t, "internal_error", problemOf(t, answer).Code)
}

func TestAnswersAreNotCached(t *testing.T) {
	answer := newContract(t, &apitest.Fake{}, httpapi.Options{}).send(t, get("/balance"))
	require.Equal(t, "no-store", answer.Header().Get("Cache-Control"))
	require.Contains(t, answer.Body.String(), balance.Leaders.String())
}
