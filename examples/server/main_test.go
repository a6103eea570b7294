package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
)

// program is the server as a process of its own.
type program struct {
	t     *testing.T
	cmd   *exec.Cmd
	url   string
	log   *bytes.Buffer
	ended chan struct{} // its log has been read to the end
}

var serving = regexp.MustCompile(`msg=serving address=(\S+)`)

// launch starts the program on a free port.
func launch(t *testing.T, environ []string, args ...string) *program {
	t.Helper()
	path, err := binary()
	require.NoError(t, err)
	p := &program{t: t, cmd: exec.Command(path, args...), log: &bytes.Buffer{}, ended: make(chan struct{})}
	p.cmd.Env = append(environ, "PILOT_LISTEN=127.0.0.1:0")
	log, err := p.cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	lines := bufio.NewReader(log)
	for p.url == "" {
		line, err := lines.ReadString('\n')
		require.NoError(t, err, "it ended: %s", p.log)
		p.log.WriteString(line)
		if found := serving.FindStringSubmatch(line); found != nil {
			p.url = "http://" + found[1]
		}
	}
	go func() {
		_, _ = io.Copy(p.log, lines)
		close(p.ended)
	}()
	return p
}

// stop asks the program to end and returns its exit status.
func (p *program) stop() int {
	p.t.Helper()
	require.NoError(p.t, p.cmd.Process.Signal(syscall.SIGTERM))
	<-p.ended
	_ = p.cmd.Wait()
	return p.cmd.ProcessState.ExitCode()
}

// ask sends a request and returns the status and the body.
func (p *program) ask(method, path, body string, header ...string) (int, string) {
	p.t.Helper()
	request, err := http.NewRequestWithContext(p.t.Context(), method, p.url+path, strings.NewReader(body))
	require.NoError(p.t, err)
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			request.Host = header[i+1]
		}
		request.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultClient.Do(request)
	require.NoError(p.t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(p.t, err)
	return answer.StatusCode, string(text)
}

// get returns what a request answers.
func get[T any](p *program, method, path, body string) T {
	p.t.Helper()
	status, text := p.ask(method, path, body)
	require.Less(p.t, status, 300, text)
	var view T
	require.NoError(p.t, json.Unmarshal([]byte(text), &view), text)
	return view
}

// ready waits until the cluster has been read and a plan made.
func (p *program) ready() {
	p.t.Helper()
	require.Eventually(p.t, func() bool {
		ready, _ := p.ask("GET", "/readyz", "")
		planned, _ := p.ask("GET", "/api/v1/proposals/current", "")
		return ready == http.StatusOK && planned == http.StatusOK
	}, time.Minute, 50*time.Millisecond)
}

// TestServer is a day of an operator: look, plan, apply, watch, drain and stop, over REST and over MCP.
func TestServer(t *testing.T) {
	p := launch(t, []string{"PILOT_MCP_MODE=write", "PILOT_THROTTLE=100MB/s", "PILOT_BROKER_PROFILE=disk=1GiB"}, "-sim")
	status, body := p.ask("GET", "/healthz", "")
	require.Equal(t, http.StatusOK, status)
	require.JSONEq(t, `{"status":"ok"}`, body)
	p.ready()

	plan := get[pilot.ProposalView](p, "GET", "/api/v1/proposals/current", "")
	require.True(t, plan.Decision.ApplicationAllowed, plan.Decision.Message)
	over := p.tools()
	require.JSONEq(t, mustAsk(p, "GET", "/api/v1/proposals/current"), over.call("get_proposal", nil))

	status, body = p.ask("POST", "/api/v1/proposals/"+plan.ID+"/apply", `{"reason":"uneven"}`, "Sec-Fetch-Site", "cross-site")
	require.Equal(t, http.StatusForbidden, status, body)
	x := get[pilot.ExecutionView](p, "POST", "/api/v1/proposals/"+plan.ID+"/apply", `{"reason":"uneven"}`)
	status, body = p.ask("POST", "/api/v1/brokers/3/maintenance", `{}`)
	require.Equal(t, http.StatusConflict, status)
	require.Contains(t, body, "reassignment_running")
	require.Contains(t, over.call("get_reassignment", map[string]any{"id": x.ID}), x.ID)
	_, events := p.ask("GET", "/api/v1/reassignments/"+x.ID+"/events", "")
	require.Contains(t, events, "event: done\n")
	x = get[pilot.ExecutionView](p, "GET", "/api/v1/reassignments/"+x.ID, "")
	require.Equal(t, pilot.StateCompleted, x.State, x.Message)

	status, body = p.ask("GET", "/metrics", "")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "pilot_ready 1\n")
	require.Contains(t, body, "go_goroutines")
	require.Contains(t, body, "pilot_reassignment_running 0\n")

	require.Zero(t, p.stop())
	require.Contains(t, p.log.String(), "execution has ended")
	require.Contains(t, p.log.String(), `msg="broker profile" rules="disk=1GiB"`)
	require.Contains(t, p.log.String(), "level=WARN msg=\"broker profile\" warning=")
}

func mustAsk(p *program, method, path string) string {
	p.t.Helper()
	status, body := p.ask(method, path, "")
	require.Equal(p.t, http.StatusOK, status, body)
	return body
}

// TestOpenStreamHoldsUpNoStop, and neither does an execution.
func TestOpenStreamHoldsUpNoStop(t *testing.T) {
	p := launch(t, []string{"PILOT_THROTTLE=10MB/s"}, "-sim")
	p.ready()
	plan := get[pilot.ProposalView](p, "GET", "/api/v1/proposals/current", "")
	x := get[pilot.ExecutionView](p, "POST", "/api/v1/proposals/"+plan.ID+"/apply?force=true", "")
	answer, err := http.Get(p.url + "/api/v1/reassignments/" + x.ID + "/events")
	require.NoError(t, err)
	defer answer.Body.Close()
	line, err := bufio.NewReader(answer.Body).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "id: ")
	require.Zero(t, p.stop())
	require.Contains(t, p.log.String(), "execution is left for the next run")
}

// TestToken guards everything but the probes and the metrics, under any name.
func TestToken(t *testing.T) {
	const token = "0123456789abcdef"
	p := launch(t, []string{"PILOT_MCP_TOKEN=" + token}, "-sim")
	for _, path := range []string{"/api/v1/health", "/api/v1/openapi.json", "/mcp"} {
		status, body := p.ask("GET", path, "")
		require.Equal(t, http.StatusUnauthorized, status, path)
		require.Contains(t, body, `"unauthorized"`)
		status, _ = p.ask("GET", path, "", "Authorization", "Bearer wrong")
		require.Equal(t, http.StatusUnauthorized, status, path)
	}
	status, _ := p.ask("GET", "/api/v1/health", "", "Authorization", "bearer "+token, "Host", "pilot.example")
	require.Equal(t, http.StatusOK, status)
	for _, path := range []string{"/healthz", "/metrics"} {
		status, _ := p.ask("GET", path, "")
		require.Equal(t, http.StatusOK, status, path)
	}
	require.Zero(t, p.stop())
	require.NotContains(t, p.log.String(), token)
}

// TestForeignName: without a token the server answers to this machine alone, whatever a page's name resolves to.
func TestForeignName(t *testing.T) {
	p := launch(t, nil, "-sim")
	for host, want := range map[string]int{
		"localhost": 200, "127.0.0.1:80": 200, "[::1]:80": 200, "[::1]": 200,
		"pilot.example": 403, "127.0.0.1.example:80": 403, "10.0.0.1": 403, "": 200,
	} {
		status, _ := p.ask("GET", "/api/v1/health", "", "Host", host)
		require.Equal(t, want, status, host)
	}
	require.Zero(t, p.stop())
}

// TestReadOnlyTools is the default of MCP.
func TestReadOnlyTools(t *testing.T) {
	p := launch(t, nil, "-sim")
	p.ready()
	over := p.tools()
	list, err := over.client.ListTools(t.Context(), mcp.ListToolsRequest{})
	require.NoError(t, err)
	for _, tool := range list.Tools {
		require.True(t, *tool.Annotations.ReadOnlyHint, tool.Name)
	}
	require.Contains(t, over.call("get_health", nil), `"ready":true`)
	require.Zero(t, p.stop())
}

// TestAddressInUse is found before the cluster is touched.
func TestAddressInUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	code, _, log := start([]string{"PILOT_LISTEN=" + taken.Addr().String()}, "-bootstrap", "127.0.0.1:1")
	require.Equal(t, 1, code)
	require.Contains(t, log, "server: PILOT_LISTEN: ")
	require.Contains(t, log, "address already in use: use another address")
	require.Equal(t, 1, strings.Count(log, "\n"), log)
}

// tools is a client of MCP.
type tools struct {
	t      *testing.T
	client *client.Client
}

func (p *program) tools() tools {
	p.t.Helper()
	over, err := transport.NewStreamableHTTP(p.url + "/mcp")
	require.NoError(p.t, err)
	c := client.NewClient(over)
	p.t.Cleanup(func() { _ = c.Close() })
	require.NoError(p.t, c.Start(context.WithoutCancel(p.t.Context())))
	_, err = c.Initialize(p.t.Context(), mcp.InitializeRequest{})
	require.NoError(p.t, err)
	return tools{p.t, c}
}

// call returns the object that a tool answers with.
func (o tools) call(name string, args map[string]any) string {
	o.t.Helper()
	var request mcp.CallToolRequest
	request.Params.Name, request.Params.Arguments = name, args
	result, err := o.client.CallTool(o.t.Context(), request)
	require.NoError(o.t, err)
	require.False(o.t, result.IsError, string(result.RawStructuredContent))
	return string(result.RawStructuredContent)
}

// folder holds the program, which is built when a test first needs it.
var folder string

var binary = sync.OnceValues(func() (string, error) {
	path := filepath.Join(folder, "server")
	text, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, text)
	}
	return path, err
})

func TestMain(m *testing.M) { os.Exit(runAll(m)) }

// suite runs the tests; those with a real Kafka put their cluster around it.
var suite = (*testing.M).Run

// runAll runs the tests with a folder for the program.
func runAll(m *testing.M) int {
	var err error
	if folder, err = os.MkdirTemp("", "pilot-server"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	return suite(m)
}
