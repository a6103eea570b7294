package httpapi

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/adapters/internal/wire"
)

// Prefix is where Register mounts the API.
const Prefix = "/api/v1"

// Options shape what Register mounts. The zero Options are ready to use: no authentication, no principal.
type Options struct {
	// Principal names who sends a request, for the audit log; nil leaves it empty. It should read what the host's own
	// authentication stored, not a header that anybody can send.
	Principal func(c *gin.Context) string
	// Mutations run before each request that changes something, after the same-origin check. Abort to refuse; the
	// route is in c.FullPath(). To guard the reads as well, register on a group that has its own middleware.
	Mutations []gin.HandlerFunc
	// CrossOrigin decides which web pages may send requests that change something; nil allows pages of the same
	// origin alone. Programs that are no browsers are not concerned.
	CrossOrigin *http.CrossOriginProtection
	// Poll is how often a stream of events looks at its execution; 0 means one second.
	Poll time.Duration
	// Heartbeat is how often a stream of events says that it is alive; 0 means 15 seconds.
	Heartbeat time.Duration
}

// Register mounts the API under /api/v1 of r, which may be an engine or a group of one. It changes no setting of gin
// or of the engine, installs no middleware beyond its own routes, starts nothing and keeps nothing but its arguments.
// Call it once for each Service; clusters are told apart by groups.
func Register(r gin.IRouter, api pilot.API, o Options) {
	h := &handlers{api: api, o: o.withDefaults()}
	g := r.Group(Prefix)
	g.GET("/openapi.json", document("application/json", openapiJSON))
	g.GET("/openapi.yaml", document("application/yaml", openapiYAML))

	g.GET("/health", h.health)
	g.GET("/cluster", h.cluster)
	g.GET("/balance", h.balance)
	g.GET("/proposals", h.proposals)
	g.GET("/proposals/current", h.currentProposal)
	g.GET("/proposals/:id", h.proposal)
	g.GET("/reassignments", h.reassignments)
	g.GET("/reassignments/:id", h.reassignment)
	g.GET("/reassignments/:id/events", h.events)
	g.GET("/brokers/maintenance", h.maintenance)

	m := g.Group("", append([]gin.HandlerFunc{h.sameOrigin}, o.Mutations...)...)
	m.POST("/proposals/generate", h.generate)
	m.POST("/proposals/:id/apply", h.apply)
	m.POST("/reassignments/:id/cancel", h.cancel)
	m.POST("/brokers/:id/maintenance", h.drain)
	m.DELETE("/brokers/:id/maintenance", h.endMaintenance)
}

// RegisterOps mounts the probes that a load balancer or Kubernetes asks, /healthz and /readyz, on r. They need no
// authentication: they tell nothing but whether the program runs, and whether the service is ready and why not.
func RegisterOps(r gin.IRouter, api pilot.API) {
	r.GET("/healthz", func(c *gin.Context) {
		c.Data(http.StatusOK, "application/json", []byte(`{"status":"ok"}`))
	})
	r.GET("/readyz", func(c *gin.Context) {
		health := api.Health(c.Request.Context())
		status := http.StatusOK
		if !health.Ready {
			status = http.StatusServiceUnavailable
		}
		reply(c, status, readiness{health.Ready, health.Reason}, nil)
	})
}

// readiness is all that a probe learns: the findings of a HealthView name partitions.
type readiness struct {
	Ready  bool   `json:"ready"`
	Reason string `json:"reason,omitempty"`
}

func (o Options) withDefaults() Options {
	if o.CrossOrigin == nil {
		o.CrossOrigin = http.NewCrossOriginProtection()
	}
	if o.Poll <= 0 {
		o.Poll = time.Second
	}
	if o.Heartbeat <= 0 {
		o.Heartbeat = 15 * time.Second
	}
	return o
}

// sameOrigin keeps a web page from moving partitions through the browser of somebody who can reach the API.
func (h *handlers) sameOrigin(c *gin.Context) {
	if err := h.o.CrossOrigin.Check(c.Request); err != nil {
		problem(c, http.StatusForbidden, wire.Failure{
			Code:    codeCrossOrigin,
			Message: "This request comes from a web page of another origin, which may not change anything here.",
		})
	}
}
