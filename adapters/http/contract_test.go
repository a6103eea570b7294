package httpapi_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	httpapi "github.com/kafka-pilot/pilot/adapters/http"
)

func TestMain(m *testing.M) {
	gin.SetMode(gin.TestMode)
	for _, media := range []string{"text/event-stream", "application/yaml"} {
		openapi3filter.RegisterBodyDecoder(media, openapi3filter.PlainBodyDecoder)
	}
	os.Exit(m.Run())
}

// contract sends requests to an engine and holds every exchange against the document.
type contract struct {
	engine *gin.Engine
	router routers.Router
}

func newContract(t *testing.T, api pilot.API, o httpapi.Options) *contract {
	t.Helper()
	engine := gin.New()
	httpapi.Register(engine, api, o)
	router, err := documentRouter()
	require.NoError(t, err)
	return &contract{engine, router}
}

// documentRouter reads the document once, for all tests.
var documentRouter = sync.OnceValues(func() (routers.Router, error) {
	doc, err := openapi3.NewLoader().LoadFromFile("openapi.yaml")
	if err != nil {
		return nil, err
	}
	doc.Servers = openapi3.Servers{{URL: httpapi.Prefix}}
	return legacy.NewRouter(doc)
})

// request is one request; path is without the prefix.
type request struct {
	method, path, body string
	header             map[string]string
}

func (r request) build(t *testing.T) *http.Request {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), r.method, httpapi.Prefix+r.path, strings.NewReader(r.body))
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	return req
}

// send is for requests that the document allows.
func (c *contract) send(t *testing.T, r request) *httptest.ResponseRecorder {
	t.Helper()
	answer, wrong := c.exchange(t, r)
	require.NoError(t, wrong, "the request")
	return answer
}

// exchange returns the answer, which must be as documented, and what the document has against the request.
func (c *contract) exchange(t *testing.T, r request) (*httptest.ResponseRecorder, error) {
	t.Helper()
	req := r.build(t)
	route, params, err := c.router.FindRoute(req)
	require.NoError(t, err)
	in := &openapi3filter.RequestValidationInput{
		Request: req, PathParams: params, Route: route,
		Options: &openapi3filter.Options{IncludeResponseStatus: true, SkipSettingDefaults: true},
	}
	wrong := openapi3filter.ValidateRequest(t.Context(), in)
	answer := httptest.NewRecorder()
	c.engine.ServeHTTP(answer, r.build(t))
	out := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: answer.Code, Header: answer.Header(),
		Body:    io.NopCloser(bytes.NewReader(answer.Body.Bytes())),
		Options: in.Options,
	}
	require.NoError(t, openapi3filter.ValidateResponse(t.Context(), out), "the answer %d: %s", answer.Code, answer.Body)
	return answer, wrong
}

// problemOf decodes an error and checks what all errors have in common.
func problemOf(t *testing.T, answer *httptest.ResponseRecorder) httpapi.Problem {
	t.Helper()
	require.Equal(t, "application/problem+json", answer.Header().Get("Content-Type"), answer.Body)
	var p httpapi.Problem
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &p))
	require.Equal(t, answer.Code, p.Status)
	require.NotEmpty(t, p.Code)
	require.NotEmpty(t, p.Detail)
	return p
}
