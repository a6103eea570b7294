package httpapi

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/adapters/internal/wire"
)

// handlers decode, call the service once and encode. Nothing is decided here.
type handlers struct {
	api pilot.API
	o   Options
}

func (h *handlers) health(c *gin.Context) {
	reply(c, http.StatusOK, h.api.Health(c.Request.Context()), nil)
}

func (h *handlers) cluster(c *gin.Context) {
	view, err := h.api.Cluster(c.Request.Context())
	reply(c, http.StatusOK, view, err)
}

func (h *handlers) balance(c *gin.Context) {
	view, err := h.api.Balance(c.Request.Context())
	reply(c, http.StatusOK, view, err)
}

func (h *handlers) proposals(c *gin.Context) {
	list, err := h.api.Proposals(c.Request.Context())
	reply(c, http.StatusOK, wire.Proposals{Proposals: list}, err)
}

func (h *handlers) currentProposal(c *gin.Context) {
	view, err := h.api.Current(c.Request.Context())
	reply(c, http.StatusOK, view, err)
}

func (h *handlers) proposal(c *gin.Context) {
	if id, ok := pathID(c); ok {
		view, err := h.api.Proposal(c.Request.Context(), id)
		reply(c, http.StatusOK, view, err)
	}
}

func (h *handlers) generate(c *gin.Context) {
	var in struct {
		Immediate bool `json:"immediate"`
	}
	if body(c, &in) && query(c) {
		view, err := h.api.Generate(c.Request.Context(), in.Immediate)
		reply(c, http.StatusOK, view, err)
	}
}

func (h *handlers) apply(c *gin.Context) {
	var in struct {
		Reason string `json:"reason"`
	}
	id, ok := pathID(c)
	if !ok || !body(c, &in) || !query(c, "force") || !reason(c, in.Reason) {
		return
	}
	force, ok := flag(c, "force")
	if !ok {
		return
	}
	o := pilot.ApplyOptions{Force: force, Reason: in.Reason, Principal: h.principal(c)}
	view, err := h.api.Apply(c.Request.Context(), id, o)
	if err == nil {
		h.located(c, view.ID)
	}
	reply(c, http.StatusAccepted, view, err)
}

func (h *handlers) reassignments(c *gin.Context) {
	list, err := h.api.Executions(c.Request.Context())
	reply(c, http.StatusOK, wire.Reassignments{Reassignments: list}, err)
}

func (h *handlers) reassignment(c *gin.Context) {
	if id, ok := pathID(c); ok {
		view, err := h.api.Execution(c.Request.Context(), id)
		reply(c, http.StatusOK, view, err)
	}
}

func (h *handlers) cancel(c *gin.Context) {
	if id, ok := pathID(c); ok && body(c, &struct{}{}) && query(c) {
		view, err := h.api.Cancel(c.Request.Context(), id)
		reply(c, http.StatusAccepted, view, err)
	}
}

func (h *handlers) maintenance(c *gin.Context) {
	brokers, err := h.api.InMaintenance(c.Request.Context())
	reply(c, http.StatusOK, wire.Maintenance{Brokers: brokers}, err)
}

func (h *handlers) drain(c *gin.Context) {
	var in struct {
		Force  bool   `json:"force"`
		Reason string `json:"reason"`
	}
	broker, ok := pathBroker(c)
	if !ok || !body(c, &in) || !query(c) || !reason(c, in.Reason) {
		return
	}
	o := pilot.DrainOptions{Force: in.Force, Reason: in.Reason, Principal: h.principal(c)}
	view, err := h.api.Drain(c.Request.Context(), broker, o)
	status := http.StatusOK
	if err == nil && view.Execution != nil {
		status = http.StatusAccepted
		h.located(c, view.Execution.ID)
	}
	reply(c, status, view, err)
}

func (h *handlers) endMaintenance(c *gin.Context) {
	if broker, ok := pathBroker(c); ok && query(c) {
		view, err := h.api.EndMaintenance(c.Request.Context(), broker)
		reply(c, http.StatusOK, view, err)
	}
}

func (h *handlers) principal(c *gin.Context) string {
	if h.o.Principal == nil {
		return ""
	}
	return h.o.Principal(c)
}
