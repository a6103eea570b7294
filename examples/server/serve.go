package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/kafka-pilot/pilot"
)

// What a connection may take. There is no limit to writing an answer: a stream of events lasts as long as an execution.
const (
	headerTimeout   = 10 * time.Second
	idleTimeout     = 2 * time.Minute
	shutdownTimeout = 10 * time.Second
)

// serve runs until the context ends, or until the service cannot go on. The address comes first: a second server that
// is started by mistake must not take the journals of the first.
func serve(ctx context.Context, s *settings, w io.Writer) error {
	log := slog.New(slog.NewTextHandler(w, nil))
	listener, err := net.Listen("tcp", s.listen)
	if err != nil {
		return fmt.Errorf("PILOT_LISTEN: %w: use another address", err)
	}
	defer listener.Close()
	c, err := open(ctx, s)
	if err != nil {
		return err
	}
	defer c.close()
	source := c.source
	if !s.profile.IsZero() {
		source = &profiled{Source: source, profile: s.profile, log: log}
	}
	service, err := pilot.New(pilot.Options{
		Source: source, Executor: c.executor, Journal: c.journal, MaintenanceJournal: c.maintenance,
		Policy: s.policy, Limits: s.limits, Logger: log,
	})
	if err != nil {
		return err
	}
	logSettings(log, s, listener.Addr())
	ctx, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	all.Go(func() { _ = c.measure(ctx) }) // ends with the context alone
	return runBoth(ctx, service, newServer(ctx, service, s, log), listener)
}

func open(ctx context.Context, s *settings) (*cluster, error) {
	if s.sim {
		return openSim(), nil
	}
	return openKafka(ctx, s.kafka)
}

func logSettings(log *slog.Logger, s *settings, address net.Addr) {
	if s.policy.Floor.String() != "off" {
		log.Info("minimum difference", "floor", s.policy.Floor)
	}
	if !s.profile.IsZero() {
		log.Info("broker profile", "rules", s.profile)
	}
	log.Info("serving", "address", address, "sim", s.sim)
}

// newServer returns the web server. Requests end when the context does, so that open streams hold up no shutdown.
func newServer(ctx context.Context, service *pilot.Service, s *settings, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           newEngine(service, s, log),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// runBoth runs the service and the web server until the context ends or one of them fails, then stops the other. Moves
// in flight go on in Kafka; the next server takes them up.
func runBoth(ctx context.Context, service *pilot.Service, server *http.Server, listener net.Listener) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	served := make(chan error, 1)
	go func() {
		served <- server.Serve(listener)
		stop()
	}()
	ran := make(chan error, 1)
	go func() {
		ran <- service.Run(ctx)
		stop()
	}()
	<-ctx.Done()
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	err := server.Shutdown(limited)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close()
	}
	if failed := <-served; !errors.Is(failed, http.ErrServerClosed) {
		err = errors.Join(err, failed)
	}
	return errors.Join(<-ran, err)
}
