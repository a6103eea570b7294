package embed

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/internal/sim"
)

func TestTheEngineAnswers(t *testing.T) {
	engine := gin.New()
	client := sim.Skewed(1).Client(nil)
	require.NoError(t, AddBalancer(t.Context(), engine, pilot.Options{Source: client, Executor: client, Journal: client.Journal()}))
	require.Eventually(t, func() bool {
		answer := httptest.NewRecorder()
		engine.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/api/v1/proposals/current", nil))
		return answer.Code == http.StatusOK
	}, time.Minute, 50*time.Millisecond)
}

func TestMissingPartsAreNamed(t *testing.T) {
	require.ErrorContains(t, AddBalancer(t.Context(), gin.New(), pilot.Options{}), "Options.Source")
}
