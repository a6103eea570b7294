package main

import (
	"crypto/sha256"
	"crypto/subtle"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/kafka-pilot/pilot"
	httpapi "github.com/kafka-pilot/pilot/adapters/http"
	mcpserver "github.com/kafka-pilot/pilot/adapters/mcp"
	"github.com/kafka-pilot/pilot/adapters/metrics"
)

// newEngine mounts everything that is served.
func newEngine(service *pilot.Service, s *settings, log *slog.Logger) *gin.Engine {
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	_ = engine.SetTrustedProxies(nil) // nothing to parse, so nothing to fail
	engine.Use(logged(log), recovered(log))
	if s.token == "" {
		engine.Use(local)
	}
	httpapi.RegisterOps(engine, service)
	engine.GET("/metrics", gin.WrapH(newMetrics(service, s)))
	engine.Any("/mcp", gin.WrapH(mcpserver.Handler(service, mcpserver.Options{
		Mode: s.mcp, Token: s.token, Version: version(), Logger: log,
	})))
	httpapi.Register(engine.Group("", bearer(s.token)), service, httpapi.Options{})
	return engine
}

func newMetrics(service *pilot.Service, s *settings) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		metrics.NewCollector(service, metrics.Options{Threshold: s.policy.Threshold}),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return ""
}

// logged writes a line for every request that may change something, and for every one that fails on our side.
func logged(log *slog.Logger) gin.HandlerFunc {
	return func(c *gin.Context) {
		began := time.Now()
		c.Next()
		reads := c.Request.Method == http.MethodGet || c.Request.Method == http.MethodHead
		if status := c.Writer.Status(); !reads || status >= http.StatusInternalServerError && status != http.StatusServiceUnavailable {
			log.Info("request", "method", c.Request.Method, "path", c.Request.URL.Path, "status", status,
				"took", time.Since(began).Round(time.Millisecond), "from", c.ClientIP())
		}
	}
}

// recovered answers 500 to a request whose handler panicked, and keeps serving.
func recovered(log *slog.Logger) gin.HandlerFunc {
	return gin.CustomRecoveryWithWriter(nil, func(c *gin.Context, reason any) {
		log.Error("a request panicked", "path", c.Request.URL.Path, "reason", reason, "stack", string(debug.Stack()))
		c.AbortWithStatus(http.StatusInternalServerError)
	})
}

// local refuses requests for another host than this one. Without a token nothing else keeps a web page out whose name
// was made to resolve to this machine.
func local(c *gin.Context) {
	host := c.Request.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if !isLoopbackHost(strings.Trim(host, "[]")) {
		problem(c, http.StatusForbidden, "foreign_host", "This server answers to localhost alone: set PILOT_MCP_TOKEN to serve under another name.")
	}
}

// bearer asks for the token, if there is one. MCP asks for it by itself.
func bearer(token string) gin.HandlerFunc {
	want := sha256.Sum256([]byte(token))
	return func(c *gin.Context) {
		scheme, given, _ := strings.Cut(c.GetHeader("Authorization"), " ")
		got := sha256.Sum256([]byte(given))
		if token == "" || strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(got[:], want[:]) == 1 {
			return
		}
		c.Header("WWW-Authenticate", "Bearer")
		problem(c, http.StatusUnauthorized, "unauthorized", "Send the token as Authorization: Bearer.")
	}
}

// problem answers like package httpapi does.
func problem(c *gin.Context, status int, code, detail string) {
	c.Header("Content-Type", "application/problem+json")
	c.AbortWithStatusJSON(status, httpapi.Problem{Title: http.StatusText(status), Status: status, Code: code, Detail: detail})
}
