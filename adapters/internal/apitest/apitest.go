// Package apitest is a pilot.API for the tests of the adapters: it answers with full views, remembers what it was asked
// and fails on demand.
package apitest

import (
	"context"
	"sync"

	"github.com/kafka-pilot/pilot"
)

// Fake answers every request with an example. Its fields may be set before it is used.
type Fake struct {
	// Err is what a method returns instead of its view, by the name of the method.
	Err map[string]error
	// NotReady is what Health says is missing; "" is ready.
	NotReady string
	// Views answer Execution one after the other, the last one again and again; none means the example.
	Views []pilot.ExecutionView
	// NothingToMove makes Drain answer without an execution.
	NothingToMove bool

	mu    sync.Mutex
	calls []Call
}

// Call is one request that changes something.
type Call struct {
	Method    string
	ID        string
	Broker    int32
	Immediate bool
	Force     bool
	Reason    string
	Principal string
}

var _ pilot.API = (*Fake)(nil)

// Calls returns the requests that change something, in order.
func (f *Fake) Calls() []Call {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Call(nil), f.calls...)
}

func (f *Fake) note(c Call) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, c)
	return f.Err[c.Method]
}

// Health is part of pilot.API.
func (f *Fake) Health(context.Context) pilot.HealthView {
	v := Health()
	v.Ready, v.Reason = f.NotReady == "", f.NotReady
	return v
}

// Cluster is part of pilot.API.
func (f *Fake) Cluster(context.Context) (pilot.ClusterView, error) {
	return answer(Cluster(), f.Err["Cluster"])
}

// Balance is part of pilot.API.
func (f *Fake) Balance(context.Context) (pilot.BalanceView, error) {
	return answer(Balance(), f.Err["Balance"])
}

// Current is part of pilot.API.
func (f *Fake) Current(context.Context) (pilot.ProposalView, error) {
	return answer(Proposal(), f.Err["Current"])
}

// Proposals is part of pilot.API.
func (f *Fake) Proposals(context.Context) ([]pilot.ProposalView, error) {
	return answer([]pilot.ProposalView{Proposal(), EmptyProposal()}, f.Err["Proposals"])
}

// Proposal is part of pilot.API.
func (f *Fake) Proposal(_ context.Context, id string) (pilot.ProposalView, error) {
	v := Proposal()
	v.ID = id
	return answer(v, f.Err["Proposal"])
}

// Generate is part of pilot.API.
func (f *Fake) Generate(_ context.Context, immediate bool) (pilot.ProposalView, error) {
	return answer(Proposal(), f.note(Call{Method: "Generate", Immediate: immediate}))
}

// Apply is part of pilot.API.
func (f *Fake) Apply(_ context.Context, id string, o pilot.ApplyOptions) (pilot.ExecutionView, error) {
	c := Call{Method: "Apply", ID: id, Force: o.Force, Reason: o.Reason, Principal: o.Principal}
	return answer(Execution(), f.note(c))
}

// Executions is part of pilot.API.
func (f *Fake) Executions(context.Context) ([]pilot.ExecutionView, error) {
	running := Execution()
	running.Moves = nil
	return answer([]pilot.ExecutionView{running, Ended()}, f.Err["Executions"])
}

// Execution is part of pilot.API.
func (f *Fake) Execution(_ context.Context, id string) (pilot.ExecutionView, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	v := Execution()
	if len(f.Views) > 0 {
		v = f.Views[0]
	}
	if len(f.Views) > 1 {
		f.Views = f.Views[1:]
	}
	v.ID = id
	return answer(v, f.Err["Execution"])
}

// Fail makes a method fail from now on.
func (f *Fake) Fail(method string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Err = map[string]error{method: err}
}

// Cancel is part of pilot.API.
func (f *Fake) Cancel(_ context.Context, id string) (pilot.ExecutionView, error) {
	v := Execution()
	v.ID, v.CancelRequested = id, true
	return answer(v, f.note(Call{Method: "Cancel", ID: id}))
}

// Drain is part of pilot.API.
func (f *Fake) Drain(_ context.Context, broker int32, o pilot.DrainOptions) (pilot.DrainView, error) {
	v := Drain(broker)
	if f.NothingToMove {
		v = pilot.DrainView{Broker: broker, State: "maintenance"}
	}
	c := Call{Method: "Drain", Broker: broker, Force: o.Force, Reason: o.Reason, Principal: o.Principal}
	return answer(v, f.note(c))
}

// EndMaintenance is part of pilot.API.
func (f *Fake) EndMaintenance(_ context.Context, broker int32) (pilot.DrainView, error) {
	v := pilot.DrainView{Broker: broker, State: "online"}
	return answer(v, f.note(Call{Method: "EndMaintenance", Broker: broker}))
}

// InMaintenance is part of pilot.API.
func (f *Fake) InMaintenance(context.Context) ([]int32, error) {
	return answer([]int32{4}, f.Err["InMaintenance"])
}

// answer returns the zero view with an error, as a service does.
func answer[T any](view T, err error) (T, error) {
	if err != nil {
		var zero T
		return zero, err
	}
	return view, nil
}
