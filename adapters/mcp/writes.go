package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/adapters/internal/wire"
	"github.com/kafka-pilot/pilot/balance"
)

func (t *tools) apply(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in applyArgs
	if err := errors.Join(arguments(req, &in), wire.CheckID(in.ID), wire.CheckReason(in.Reason)); err != nil {
		return failed(err), nil
	}
	view, err := t.api.Proposal(ctx, in.ID)
	if err != nil {
		return failed(err), nil
	}
	about := subject{askApply(view, in.Force), []any{in.ID, in.Force, movesOf(view)}}
	if answer := t.confirm.ask(ctx, req, in.Confirm, about); answer != nil {
		return answer, nil
	}
	o := pilot.ApplyOptions{Force: in.Force, Reason: in.Reason, Principal: t.principal(ctx, req)}
	return result(t.api.Apply(ctx, in.ID, o)), nil
}

func (t *tools) cancel(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in cancelArgs
	if err := errors.Join(arguments(req, &in), wire.CheckID(in.ID)); err != nil {
		return failed(err), nil
	}
	view, err := t.api.Execution(ctx, in.ID)
	if err != nil {
		return failed(err), nil
	}
	question := fmt.Sprintf("Cancel execution %s? %d of %d moves are done and stay, %d are in flight, %d wait.",
		in.ID, view.Completed, view.Submitted, view.Active, view.Pending)
	if answer := t.confirm.ask(ctx, req, in.Confirm, subject{question, []any{in.ID}}); answer != nil {
		return answer, nil
	}
	return result(t.api.Cancel(ctx, in.ID)), nil
}

func (t *tools) drain(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in drainArgs
	broker, err := brokerOf(arguments(req, &in), in.Broker)
	if err = errors.Join(err, wire.CheckReason(in.Reason)); err != nil {
		return failed(err), nil
	}
	view, err := t.api.Cluster(ctx)
	if err != nil {
		return failed(err), nil
	}
	about := subject{askDrain(view, broker, in.Force), []any{broker, in.Force}}
	if answer := t.confirm.ask(ctx, req, in.Confirm, about); answer != nil {
		return answer, nil
	}
	o := pilot.DrainOptions{Force: in.Force, Reason: in.Reason, Principal: t.principal(ctx, req)}
	return result(t.api.Drain(ctx, broker, o)), nil
}

func (t *tools) exitMaintenance(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in brokerArgs
	broker, err := brokerOf(arguments(req, &in), in.Broker)
	if err != nil {
		return failed(err), nil
	}
	return result(t.api.EndMaintenance(ctx, broker)), nil
}

// brokerOf refuses a call without a broker, which must not be taken for one with the broker 0. It takes the error of
// the arguments before, if there was one.
func brokerOf(err error, broker *int32) (int32, error) {
	switch {
	case err != nil:
		return 0, err
	case broker == nil:
		return 0, &pilot.Refused{Kind: pilot.RefusedInput, Code: wire.CodeInvalidField, Message: "Field \"broker\" is missing."}
	}
	return *broker, wire.CheckBroker(*broker)
}

// movesOf is what a user agrees to. Figures that the service keeps up to date are left out: they may change while the
// plan stays the same.
func movesOf(view pilot.ProposalView) []balance.Move {
	if view.Proposal == nil {
		return nil
	}
	return view.Proposal.Moves
}

// askApply puts a plan into one question. It holds numbers and codes only: names of topics are not ours, and a name
// could be made to read like an answer.
func askApply(view pilot.ProposalView, force bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Apply proposal %s?", view.ID)
	if p := view.Proposal; p != nil {
		fmt.Fprintf(&b, " %d partitions change, %d of them their leader, and about %s are copied between brokers.",
			len(p.Moves), p.LeaderChanges(), humanize.IBytes(uint64(max(0, p.CopyBytes()))))
	}
	if codes := findingCodes(view); force && codes != "" {
		fmt.Fprintf(&b, " Force is set; against it speak: %s.", codes)
	}
	return b.String()
}

func findingCodes(view pilot.ProposalView) string {
	var codes []string
	for _, f := range view.Decision.Findings {
		codes = append(codes, string(f.Code))
	}
	return strings.Join(slices.Compact(codes), ", ")
}

func askDrain(view pilot.ClusterView, broker int32, force bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Put broker %d into maintenance and move everything off it?", broker)
	for _, v := range view.Brokers {
		if v.ID == broker {
			fmt.Fprintf(&b, " It leads %.0f partitions, follows %.0f and holds %s.", v.Load[balance.Leaders.String()],
				v.Load[balance.Followers.String()], humanize.IBytes(uint64(max(0, v.Load[balance.Disk.String()]))))
		}
	}
	if force {
		b.WriteString(" Force is set: partitions that cannot keep their replication factor will have fewer replicas.")
	}
	return b.String()
}
