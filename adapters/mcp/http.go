package mcpserver

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/server"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/adapters/internal/wire"
)

// Handler serves a new server over streamable HTTP, at whatever path it is mounted. It keeps no sessions, so any of
// several programs can answer any request.
func Handler(api pilot.API, o Options) http.Handler {
	logger := o.Logger
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	protocol := server.NewStreamableHTTPServer(New(api, o),
		server.WithStateLess(true),
		server.WithDisableStreaming(true), // nothing is ever sent unasked
		server.WithStreamableHTTPLogger(logger),
	)
	return &guard{next: protocol, token: o.Token, origins: o.Origins}
}

// guard does what the protocol handler leaves to others: origin, token and size.
type guard struct {
	next    http.Handler
	token   string
	origins []string
}

// ServeHTTP is part of http.Handler.
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case !g.originAllowed(r.Header.Get("Origin")):
		deny(w, http.StatusForbidden, "origin_forbidden", "Pages of this origin may not call this server.")
	case !g.tokenFits(r.Header.Get("Authorization")):
		w.Header().Set("WWW-Authenticate", "Bearer")
		deny(w, http.StatusUnauthorized, "unauthorized", "Send the token as Authorization: Bearer.")
	case r.ContentLength > wire.MaxBody:
		deny(w, http.StatusRequestEntityTooLarge, "body_too_large", fmt.Sprintf("The body is larger than %d bytes.", wire.MaxBody))
	default:
		r.Body = http.MaxBytesReader(w, r.Body, wire.MaxBody)
		g.next.ServeHTTP(w, r)
	}
}

// originAllowed lets programs through, which send no origin, and pages on loopback and of the list.
func (g *guard) originAllowed(origin string) bool {
	if origin == "" || slices.Contains(g.origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// tokenFits compares hashes, so that the time it takes tells nothing, not even the length.
func (g *guard) tokenFits(header string) bool {
	if g.token == "" {
		return true
	}
	scheme, token, _ := strings.Cut(header, " ")
	got, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(g.token))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

func deny(w http.ResponseWriter, status int, code, message string) {
	data, err := wire.Encode(map[string]wire.Failure{"error": {Code: code, Message: message}})
	if err != nil {
		http.Error(w, message, status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(data) // the client has gone
}
