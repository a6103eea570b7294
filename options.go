package pilot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

// Options are everything that a Service needs. Source, Executor and Journal are required; the zero value of every other
// field is its documented default. Nothing is changed behind a Service's back once New has returned.
type Options struct {
	// Source reads the cluster. One Service calls it from several goroutines.
	Source Source
	// Executor changes the cluster. It is called by one execution at a time.
	Executor reassign.Executor
	// Journal keeps the record of the running execution where a crash cannot lose it.
	Journal reassign.Journal
	// MaintenanceJournal keeps which brokers are in maintenance. nil means Journal: the keys differ.
	MaintenanceJournal reassign.Journal

	// Policy shapes the plans. The zero Policy is the documented default.
	Policy balance.Policy
	// Limits bound what an execution does at once. The zero Limits are the defaults with managed throttles and no rate,
	// thus reassign.Limits{Managed: true}. As soon as one field is set, Managed says what it says: false means that
	// another tool manages replication throttles, and then every apply needs force.
	Limits reassign.Limits

	// ReadEvery is the time between two readings, each of which makes a new plan. Default one minute, at least one
	// second. A failed reading is repeated after ten seconds, or ReadEvery if that is less.
	ReadEvery time.Duration
	// LookEvery is the time between two looks at the health of the cluster, from which a lasting ISR shrink is told.
	// Default 30 seconds, at most one minute: what happened between looks further apart is not known.
	LookEvery time.Duration

	// Logger hears what the service does by itself: readings that fail, executions that begin and end. Its handler must
	// not call the Service. nil discards.
	Logger *slog.Logger
	// Authorize is asked before each apply and drain whether it is covered by what the user is entitled to. An error
	// refuses it with the kind RefusedLicence; its text is what the caller reads. nil allows everything. It may be
	// called from several goroutines and must not call the Service.
	Authorize func(ctx context.Context, r Request) error
	// Audit is told of every change, in the order of the audit log. It must return soon and must not call the Service.
	// nil is nobody; AuditLog keeps the latest events in any case.
	Audit func(AuditEvent)
	// NewID names executions. It must return another ID each time, also after a restart: 1 to 100 letters, digits,
	// points, dashes and underlines. nil makes them of the time and a counter, such as 20261130-100000-1.
	NewID func() string
}

// The defaults and bounds of the intervals.
const (
	defaultReadEvery = time.Minute
	defaultLookEvery = 30 * time.Second
	leastReadEvery   = time.Second
	mostLookEvery    = time.Minute
	retryReadAfter   = 10 * time.Second
)

// Validate says everything that is wrong with the options at once; each error names the field.
func (o Options) Validate() error {
	var problems []error
	wrong := func(bad bool, format string, args ...any) {
		if bad {
			problems = append(problems, fmt.Errorf(format, args...))
		}
	}
	wrong(o.Source == nil, "Options.Source is missing: give what reads the cluster")
	wrong(o.Executor == nil, "Options.Executor is missing: give what changes the cluster")
	wrong(o.Journal == nil, "Options.Journal is missing: give what keeps the record of an execution")
	if _, err := balance.NewReport(&balance.Cluster{}, withoutRules(o.Policy)); err != nil {
		problems = append(problems, fmt.Errorf("Options.Policy: %w", err))
	}
	if err := o.Limits.Validate(); err != nil {
		problems = append(problems, fmt.Errorf("Options.Limits: %w", err))
	}
	wrong(o.ReadEvery != 0 && o.ReadEvery < leastReadEvery,
		"Options.ReadEvery must be at least %v, not %v", leastReadEvery, o.ReadEvery)
	wrong(o.LookEvery < 0 || o.LookEvery > mostLookEvery,
		"Options.LookEvery must be more than 0 and at most %v, not %v", mostLookEvery, o.LookEvery)
	return errors.Join(problems...)
}

// withoutRules leaves the values of a policy: what a host wrote is not called before there is a cluster.
func withoutRules(p balance.Policy) balance.Policy {
	p.Shares, p.Gates = nil, nil
	return p
}

func (o Options) withDefaults() Options {
	if o.MaintenanceJournal == nil {
		o.MaintenanceJournal = o.Journal
	}
	if o.Limits == (reassign.Limits{}) {
		o.Limits.Managed = true
	}
	if o.ReadEvery == 0 {
		o.ReadEvery = defaultReadEvery
	}
	if o.LookEvery == 0 {
		o.LookEvery = defaultLookEvery
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Authorize == nil {
		o.Authorize = func(context.Context, Request) error { return nil }
	}
	if o.Audit == nil {
		o.Audit = func(AuditEvent) {}
	}
	return o
}
