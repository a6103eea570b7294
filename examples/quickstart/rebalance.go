package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/examples/internal/show"
	"github.com/kafka-pilot/pilot/reassign"
	"github.com/kafka-pilot/pilot/safety"
)

// cluster is what the main job needs, of a cluster in memory or of a real one.
type cluster struct {
	name     string
	source   pilot.Source
	executor reassign.Executor
	limits   reassign.Limits
	peek     func(context.Context) (map[string][]byte, error) // what the journal holds, without taking it over
	take     func(context.Context) (reassign.Journal, error)  // the journal; fences whoever has it
	measure  func(context.Context) error                      // waits until rates are known
	close    func()
	real     bool
}

// rebalance is the main job.
func rebalance(ctx context.Context, o *options, t terminal) error {
	c, err := open(ctx, o, t)
	if err != nil {
		return err
	}
	defer c.close()
	if err := finishEarlier(ctx, c, t); err != nil {
		return err
	}
	if err := c.makeJournal(ctx, o); err != nil {
		return err
	}
	if err := c.measure(ctx); err != nil {
		return err
	}
	reading, err := c.source.Read(ctx)
	if err != nil {
		return fmt.Errorf("reading the cluster: %w", err)
	}
	fmt.Fprintf(t.out, "%s: %d brokers, %d partitions\n\n", c.name, len(reading.Brokers), len(reading.Partitions))
	policy := balance.Policy{Threshold: o.threshold, RackAware: racksKnown(reading)}
	proposal, err := balance.Propose(reading, policy)
	if err != nil {
		return err
	}
	p := show.Printer{W: t.out, Colour: t.colour}
	p.Summary("Balance summary", balance.Summarize(proposal.Before, proposal.Limits, o.threshold), o.threshold)
	fmt.Fprintln(t.out)
	p.Plan(proposal, o.threshold)
	if len(proposal.Moves) == 0 {
		return nil
	}
	if sure, err := c.mayApply(ctx, o, t, reading, proposal); err != nil || !sure {
		return err
	}
	if err := apply(ctx, c, t, reading, proposal); err != nil {
		return err
	}
	return c.showResult(ctx, o, p, policy, reading)
}

func racksKnown(c *balance.Cluster) bool {
	for i := range c.Brokers {
		if c.Brokers[i].Rack == "" {
			return false
		}
	}
	return true
}

// mayApply runs the checks that come before every change, and asks.
func (c *cluster) mayApply(ctx context.Context, o *options, t terminal, reading *balance.Cluster, proposal *balance.Proposal) (bool, error) {
	health, err := c.source.Health(ctx)
	if err != nil {
		return false, fmt.Errorf("checking the cluster before the change: %w", err)
	}
	findings := safety.Check(health, safety.History{}.Next(health), safety.Request{Receivers: receivers(proposal.Moves)})
	for _, f := range safety.Blocking(findings, true) {
		return false, fmt.Errorf("not applied: %s", f.Message)
	}
	for _, f := range findings {
		fmt.Fprintf(t.out, "Mind: %s\n", f.Message)
	}
	if advice := reassign.AdviseThrottle(proposal.Moves, reading, c.limits); advice.Code != reassign.ThrottleEnough {
		if advice.Code == reassign.ThrottleTooLow {
			return false, &settingError{fmt.Errorf("-throttle: %s", advice.Message)}
		}
		fmt.Fprintf(t.out, "Mind: %s\n", advice.Message)
	}
	if err := c.alone(ctx); err != nil {
		return false, err
	}
	if !c.real || o.yes {
		return true, nil
	}
	fmt.Fprintf(t.out, "\nApply these %d moves to %s? [y/N] ", len(proposal.Moves), c.name)
	answer, _ := bufio.NewReader(t.in).ReadString('\n')
	if a := strings.ToLower(strings.TrimSpace(answer)); a != "y" && a != "yes" {
		fmt.Fprintln(t.out, "Nothing was changed.")
		return false, nil
	}
	return true, nil
}

// makeJournal makes the journal at once where there was none, if the plan is to be applied unasked: the partitions that
// Kafka makes for it and for its transactions then count in the plan. Nobody else can have it yet.
func (c *cluster) makeJournal(ctx context.Context, o *options) error {
	if !c.real || !o.yes {
		return nil
	}
	records, err := c.peek(ctx)
	if err != nil {
		return fmt.Errorf("looking for earlier executions: %w", err)
	}
	if records == nil {
		_, err = c.take(ctx)
	}
	return err
}

// alone makes sure that no service of Pilot is in the middle of an execution: taking its journal over would stop it.
func (c *cluster) alone(ctx context.Context) error {
	running, err := c.recorded(ctx)
	if err != nil {
		return err
	}
	if len(running) > 0 {
		return fmt.Errorf("not applied: execution %s of a Pilot service is under way on this cluster: let the service end it", running[0].ID())
	}
	return nil
}

// recorded returns the executions that the journal holds.
func (c *cluster) recorded(ctx context.Context) ([]*reassign.Execution, error) {
	records, err := c.peek(ctx)
	if err != nil {
		return nil, fmt.Errorf("looking for earlier executions: %w", err)
	}
	executions, err := reassign.Restore(records)
	if err != nil {
		return nil, fmt.Errorf("reading the record of an earlier execution: %w", err)
	}
	return executions, nil
}

// receivers lists the brokers that get new replicas.
func receivers(moves []balance.Move) []int32 {
	var list []int32
	seen := map[int32]bool{}
	for i := range moves {
		had := map[int32]bool{}
		for _, b := range moves[i].From {
			had[b] = true
		}
		for _, b := range moves[i].To {
			if !had[b] && !seen[b] {
				seen[b] = true
				list = append(list, b)
			}
		}
	}
	return list
}

func apply(ctx context.Context, c *cluster, t terminal, reading *balance.Cluster, proposal *balance.Proposal) error {
	execution, err := reassign.New(ownPrefix+proposal.ID, proposal.Moves, reading, c.limits)
	if err != nil {
		return err
	}
	return carryOut(ctx, c, t, execution, "Applying the plan")
}

// ownPrefix begins the names of this program's executions, so that a service's are told apart.
const ownPrefix = "quickstart-"

// carryOut runs an execution with a progress bar and says how it ended.
func carryOut(ctx context.Context, c *cluster, t terminal, e *reassign.Execution, title string) error {
	journal, err := c.take(ctx)
	if err != nil {
		return err
	}
	bar := newBar(t, title)
	var last reassign.Progress
	err = reassign.Run(ctx, e, c.executor, journal, reassign.RunOptions{OnProgress: func(p reassign.Progress) { last = p; bar.show(p) }})
	bar.end(last)
	if errors.Is(err, context.Canceled) {
		return errors.New("stopped; start it again to finish what is under way and to clear the throttles")
	}
	if err != nil {
		return err
	}
	tellOthers(t, last.Moves)
	fmt.Fprintf(t.out, "%s; about %s copied.\n\n", last.Message, humanize.IBytes(uint64(last.CopiedBytes)))
	if last.Failed+last.TimedOut > 0 {
		return fmt.Errorf("%d moves did not complete: plan again from the present placement", last.Failed+last.TimedOut)
	}
	return nil
}

// tellOthers names the moves that did not complete, those with the same reason together.
func tellOthers(t terminal, moves []reassign.MoveProgress) {
	var reasons []string
	names := map[string][]string{}
	for _, m := range moves {
		if m.State == reassign.Completed {
			continue
		}
		reason := fmt.Sprintf("%s: %s", m.State, m.Reason)
		if names[reason] == nil {
			reasons = append(reasons, reason)
		}
		names[reason] = append(names[reason], m.TopicPartition.String())
	}
	for _, reason := range reasons {
		fmt.Fprintf(t.out, "%s (%s)\n", reason, listed(names[reason]))
	}
}

// listed names a few and counts the others.
func listed(names []string) string {
	const few = 4
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// finishEarlier ends what an earlier run of this program left when it was killed: moves under way are waited for, the
// others are given up, throttles of ours are removed.
func finishEarlier(ctx context.Context, c *cluster, t terminal) error {
	earlier, err := c.recorded(ctx)
	if err != nil {
		return err
	}
	for _, e := range earlier {
		if !strings.HasPrefix(e.ID(), ownPrefix) {
			continue
		}
		e.Settle()
		if err := carryOut(ctx, c, t, e, "Finishing an earlier run"); err != nil {
			return err
		}
	}
	return nil
}

// showResult reads the new placement. Rates need minutes to be measured anew after a move, so those from before are
// shown on it.
func (c *cluster) showResult(ctx context.Context, o *options, p show.Printer, policy balance.Policy, before *balance.Cluster) error {
	after, err := c.source.Read(ctx)
	if err != nil {
		return fmt.Errorf("reading the cluster again: %w", err)
	}
	report, err := balance.NewReport(withRates(after, before), policy)
	if err != nil {
		return err
	}
	p.Summary("Balance summary after the plan, with the rates measured before", balance.Summarize(report, nil, o.threshold), o.threshold)
	p.Brokers(report, o.threshold)
	return nil
}

// withRates returns a copy of a reading with the rates of an earlier one.
func withRates(c, earlier *balance.Cluster) *balance.Cluster {
	known := map[balance.TopicPartition]*balance.Partition{}
	for i := range earlier.Partitions {
		known[earlier.Partitions[i].Name()] = &earlier.Partitions[i]
	}
	next := *c
	next.Partitions = slices.Clone(c.Partitions)
	for i := range next.Partitions {
		p := &next.Partitions[i]
		if old := known[p.Name()]; old != nil {
			p.ProduceMessages, p.ProduceBytes, p.ConsumeMessages, p.ConsumeBytes = old.ProduceMessages, old.ProduceBytes, old.ConsumeMessages, old.ConsumeBytes
		}
	}
	return &next
}
