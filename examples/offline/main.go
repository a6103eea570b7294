// Command offline plans a cluster from a snapshot file, without a Kafka.
//
//	offline plan -in snapshot.json [-threshold 5] [-rack-aware] [-floor "…"] [-out plan.json] [-reassignment-json moves.json] [-output table|json]
//	offline score -in snapshot.json [-threshold 5] [-rack-aware] [-floor "…"] [-output table|json]
//
// It exits with 0, also when nothing is to be done, and with 2 for bad input.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/examples/internal/show"
	"github.com/kafka-pilot/pilot/reassign"
)

const usage = "usage: offline plan|score -in snapshot.json [flags]; offline plan -h lists the flags"

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// options are the flags of both commands.
type options struct {
	in, out, moves, output, threshold, floor string
	rackAware                                bool
}

func run(args []string, stdout, stderr io.Writer) int {
	if err := execute(args, stdout, stderr); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		fmt.Fprintln(stderr, "offline:", err)
		return 2
	}
	return 0
}

func execute(args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		return errors.New(usage)
	}
	o, err := parse(args[0], args[1:], stderr)
	if err != nil {
		return err
	}
	policy, err := o.policy()
	if err != nil {
		return err
	}
	cluster, err := readCluster(o.in)
	if err != nil {
		return err
	}
	if args[0] == "score" {
		return score(cluster, policy, o, stdout)
	}
	return plan(cluster, policy, o, stdout)
}

func parse(command string, args []string, stderr io.Writer) (*options, error) {
	if command != "plan" && command != "score" {
		return nil, fmt.Errorf("unknown command %q: %s", command, usage)
	}
	o := &options{}
	f := flag.NewFlagSet("offline "+command, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&o.in, "in", "", "snapshot file to read")
	f.StringVar(&o.threshold, "threshold", "5", "percent of the fair share to even to")
	f.BoolVar(&o.rackAware, "rack-aware", false, "fair shares and placements follow the racks")
	f.StringVar(&o.floor, "floor", "", "minimum difference, as PILOT_BALANCE_FLOOR")
	f.StringVar(&o.output, "output", "table", "table or json")
	if command == "plan" {
		f.StringVar(&o.out, "out", "", "write the proposal to this file, as JSON")
		f.StringVar(&o.moves, "reassignment-json", "", "write the moves to this file, as kafka-reassign-partitions reads them")
	}
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			f.SetOutput(stderr)
			f.Usage()
		}
		return nil, err
	}
	switch {
	case f.NArg() > 0:
		return nil, fmt.Errorf("unexpected argument %q: %s", f.Arg(0), usage)
	case o.in == "":
		return nil, errors.New("-in is missing: name the snapshot file")
	case o.output != "table" && o.output != "json":
		return nil, fmt.Errorf("-output %q: use table or json", o.output)
	}
	return o, nil
}

func (o *options) policy() (balance.Policy, error) {
	threshold, err := balance.ParseThreshold(o.threshold)
	if err != nil {
		return balance.Policy{}, fmt.Errorf("-threshold: %w", err)
	}
	floor, err := balance.ParseFloor(o.floor)
	if err != nil {
		return balance.Policy{}, fmt.Errorf("-floor: %w", err)
	}
	return balance.Policy{Threshold: threshold, RackAware: o.rackAware, Floor: floor}, nil
}

func readCluster(path string) (*balance.Cluster, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c, err := balance.ReadSnapshot(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

func score(c *balance.Cluster, policy balance.Policy, o *options, stdout io.Writer) error {
	report, err := balance.NewReport(c, policy)
	if err != nil {
		return err
	}
	summary := balance.Summarize(report, nil, policy.Threshold)
	if o.output == "json" {
		return writeJSON(stdout, summary)
	}
	p := show.Printer{W: stdout}
	p.Summary("Balance summary", summary, policy.Threshold)
	p.Brokers(report, policy.Threshold)
	return nil
}

func plan(c *balance.Cluster, policy balance.Policy, o *options, stdout io.Writer) error {
	proposal, err := balance.Propose(c, policy)
	if err != nil {
		return err
	}
	if o.out != "" {
		if err := writeFile(o.out, func(w io.Writer) error { return writeJSON(w, proposal) }); err != nil {
			return err
		}
	}
	if o.moves != "" {
		if err := writeFile(o.moves, func(w io.Writer) error { return reassign.WriteReassignmentJSON(w, proposal.Moves) }); err != nil {
			return err
		}
	}
	if o.output == "json" {
		return writeJSON(stdout, proposal)
	}
	p := show.Printer{W: stdout}
	p.Summary("Balance summary", balance.Summarize(proposal.Before, proposal.Limits, policy.Threshold), policy.Threshold)
	p.Plan(proposal, policy.Threshold)
	return nil
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// writeFile writes whole files only: what cannot be made leaves the old file as it was.
func writeFile(path string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
