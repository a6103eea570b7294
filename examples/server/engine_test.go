package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/profile"
)

// TestPanic of a handler costs one request, and the log tells of it.
func TestPanic(t *testing.T) {
	gin.SetMode(gin.TestMode)
	var log bytes.Buffer
	engine := gin.New()
	engine.Use(logged(slog.New(slog.NewTextHandler(&log, nil))), recovered(slog.New(slog.NewTextHandler(&log, nil))))
	engine.GET("/", func(*gin.Context) { panic("a bug") })
	answer := httptest.NewRecorder()
	engine.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/", nil))
	require.Equal(t, http.StatusInternalServerError, answer.Code)
	require.Contains(t, log.String(), `msg="a request panicked" path=/ reason="a bug" stack=`)
	require.Contains(t, log.String(), "msg=request method=GET path=/ status=500")
}

// fixed is a source of one reading.
type fixed struct {
	pilot.Source
	reading *balance.Cluster
	err     error
}

func (f *fixed) Read(context.Context) (*balance.Cluster, error) { return f.reading, f.err }

// TestProfileWarnings come once for each change.
func TestProfileWarnings(t *testing.T) {
	rules, err := profile.Parse("disk=1GiB; rack=nowhere: disk=2GiB")
	require.NoError(t, err)
	var log bytes.Buffer
	c := &balance.Cluster{
		Brokers:    []balance.Broker{{ID: 1, Host: "k1", Rack: "a"}},
		Partitions: []balance.Partition{{Topic: "orders", Leader: 1, Replicas: []int32{1}, SizeBytes: 1 << 20}},
	}
	inner := &fixed{reading: c}
	source := &profiled{Source: inner, profile: rules, log: slog.New(slog.NewTextHandler(&log, nil))}
	for range 3 {
		read, err := source.Read(t.Context())
		require.NoError(t, err)
		require.Same(t, c, read)
	}
	require.Equal(t, 1, strings.Count(log.String(), "level=WARN"), log.String())
	require.Contains(t, log.String(), "rack=nowhere")

	c.Partitions[0].SizeBytes = 2 << 30
	for range 3 {
		_, err = source.Read(t.Context())
		require.NoError(t, err)
	}
	require.Equal(t, 3, strings.Count(log.String(), "level=WARN"), "both again, since what there is to warn of changed")

	inner.err = errors.New("not now")
	_, err = source.Read(t.Context())
	require.EqualError(t, err, "not now")
}
