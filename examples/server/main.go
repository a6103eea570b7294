// Command server keeps one cluster even and serves it in one process: REST under /api/v1, MCP over HTTP at /mcp,
// Prometheus metrics at /metrics, and the probes /healthz and /readyz.
//
//	server -sim                        a skewed cluster in memory, to try things out
//	server -bootstrap HOST:PORT        a real cluster
//	server                             the cluster that KAFKA_BROKERS names
//
// Nothing moves unless somebody asks for it:
//
//	curl localhost:8080/api/v1/balance
//	curl localhost:8080/api/v1/proposals/current                  what should move, and why; has an id
//	curl -X POST localhost:8080/api/v1/proposals/ID/apply         answers with the execution; has an id
//	curl localhost:8080/api/v1/reassignments/ID                   how far it is
//	curl -X POST localhost:8080/api/v1/reassignments/ID/cancel
//	curl -X POST localhost:8080/api/v1/brokers/3/maintenance      takes broker 3 out of service
//	curl -X DELETE localhost:8080/api/v1/brokers/3/maintenance    and back
//
// server -h lists the environment variables. It exits with 0 when it was
// asked to stop, 1 when the cluster cannot be used and 2 for wrong flags or settings, before anything is started.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, host{args: os.Args[1:], environ: os.Environ(), readFile: os.ReadFile, out: os.Stdout, log: os.Stderr})
	stop()
	os.Exit(code)
}

// host is what the program gets from the machine.
type host struct {
	args     []string
	environ  []string
	readFile func(string) ([]byte, error)
	out, log io.Writer
}

func run(ctx context.Context, h host) int {
	s, err := readSettings(h)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(h.out, usage)
		return 0
	case err != nil:
		complain(h.log, err)
		return 2
	}
	if err := serve(ctx, s, h.log); err != nil {
		complain(h.log, err)
		return 1
	}
	return 0
}

// complain writes one line for each thing that is wrong.
func complain(w io.Writer, err error) {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprintln(w, "server:", line)
	}
}
