package httpapi

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/adapters/internal/wire"
)

// events streams an execution as server-sent events until it ends: "progress" with the view, without its moves,
// whenever it changed, and "done" with the last one. The ID of an event is a hash of its view, so a client that comes
// back with Last-Event-ID gets nothing that it has seen, and missed nothing that still matters.
func (h *handlers) events(c *gin.Context) {
	id, ok := pathID(c)
	if !ok {
		return
	}
	view, err := h.api.Execution(c.Request.Context(), id)
	if err != nil {
		fail(c, err)
		return
	}
	s := &stream{c: c, last: c.GetHeader("Last-Event-ID")}
	s.open()
	h.follow(s, view)
}

// follow sends the view and looks for the next, until the execution has ended or the client has gone.
func (h *handlers) follow(s *stream, view pilot.ExecutionView) {
	poll, heartbeat := time.NewTicker(h.o.Poll), time.NewTicker(h.o.Heartbeat)
	defer poll.Stop()
	defer heartbeat.Stop()
	for s.send(view) == nil && view.EndedAt == nil {
		next, ok := h.next(s, view.ID, poll.C, heartbeat.C)
		if !ok {
			return
		}
		view = next
	}
}

// next waits for the next look at the execution. It returns false when the client has gone or the execution has, since
// the service keeps a limited history.
func (h *handlers) next(s *stream, id string, poll, heartbeat <-chan time.Time) (pilot.ExecutionView, bool) {
	ctx := s.c.Request.Context()
	for {
		select {
		case <-ctx.Done():
			return pilot.ExecutionView{}, false
		case <-heartbeat:
			s.comment("alive")
		case <-poll:
			view, err := h.api.Execution(ctx, id)
			var gone *pilot.Refused
			if err == nil || errors.As(err, &gone) {
				return view, err == nil
			}
			s.comment("the execution cannot be read now")
		}
	}
}

// stream writes events and remembers the last one that the client has.
type stream struct {
	c    *gin.Context
	last string
}

// open sends the headers. A stream outlives the host's write timeout, and proxies must not collect it.
func (s *stream) open() {
	header := s.c.Writer.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no")
	// A writer without deadlines has nothing to lift.
	_ = http.NewResponseController(s.c.Writer).SetWriteDeadline(time.Time{})
	s.c.Status(http.StatusOK)
	s.c.Writer.Flush()
}

// send writes the view unless the client has it already.
func (s *stream) send(view pilot.ExecutionView) error {
	view.Moves = nil
	data, err := wire.Encode(view)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	id := hex.EncodeToString(sum[:8])
	name := "progress"
	if view.EndedAt != nil {
		name = "done"
	} else if id == s.last {
		return nil
	}
	s.last = id
	return s.write(fmt.Sprintf("id: %s\nevent: %s\ndata: %s\n\n", id, name, data))
}

// comment writes a line that clients ignore, which shows a dead connection and keeps a living one open.
func (s *stream) comment(text string) { _ = s.write(": " + text + "\n\n") }

func (s *stream) write(text string) error {
	_, err := s.c.Writer.WriteString(text)
	s.c.Writer.Flush()
	return err
}
