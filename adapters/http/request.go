package httpapi

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/adapters/internal/wire"
)

// Codes of requests that are refused before the service sees them, besides those of package wire.
const (
	codeCrossOrigin      = "cross_origin"
	codeTooLarge         = "body_too_large"
	codeMediaType        = "unsupported_media_type"
	codeUnreadable       = "unreadable_body"
	codeUnknownParameter = "unknown_parameter"
	codeInvalidParameter = "invalid_parameter"
)

// body reads the request into out, or answers why it cannot and returns false. No body at all is an empty object.
func body(c *gin.Context, out any) bool {
	data, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, wire.MaxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		message := fmt.Sprintf("The body is larger than %d bytes.", wire.MaxBody)
		problem(c, http.StatusRequestEntityTooLarge, wire.Failure{Code: codeTooLarge, Message: message})
		return false
	case err != nil:
		fail(c, input(codeUnreadable, "The body could not be read: %v.", err))
		return false
	case len(data) > 0 && !isJSON(c.GetHeader("Content-Type")):
		message := "Send the body as Content-Type: application/json."
		problem(c, http.StatusUnsupportedMediaType, wire.Failure{Code: codeMediaType, Message: message})
		return false
	}
	return passed(c, wire.Decode(data, out))
}

func isJSON(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && media == "application/json"
}

// query answers and returns false when the request has a query parameter that the route does not take.
func query(c *gin.Context, known ...string) bool {
	for name := range c.Request.URL.Query() {
		if !slices.Contains(known, name) {
			return passed(c, input(codeUnknownParameter, "Unknown query parameter %q. %s", name, taken(known)))
		}
	}
	return true
}

func taken(known []string) string {
	if len(known) == 0 {
		return "This request takes none."
	}
	return "This request takes " + strings.Join(known, ", ") + "."
}

// flag reads a query parameter that is true or false; absent is false.
func flag(c *gin.Context, name string) (value, ok bool) {
	switch text := c.Query(name); text {
	case "true":
		return true, true
	case "", "false":
		return false, true
	default:
		return false, passed(c, input(codeInvalidParameter, "Query parameter %s is true or false, not %q.", name, text))
	}
}

func pathID(c *gin.Context) (string, bool) {
	id := c.Param("id")
	return id, passed(c, wire.CheckID(id))
}

func pathBroker(c *gin.Context) (int32, bool) {
	id, err := wire.ParseBroker(c.Param("id"))
	return id, passed(c, err)
}

func reason(c *gin.Context, text string) bool { return passed(c, wire.CheckReason(text)) }

// passed answers with err, if there is one.
func passed(c *gin.Context, err error) bool {
	if err != nil {
		fail(c, err)
	}
	return err == nil
}

func input(code, format string, args ...any) error {
	return &pilot.Refused{Kind: pilot.RefusedInput, Code: code, Message: fmt.Sprintf(format, args...)}
}
