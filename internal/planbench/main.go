// Planbench measures the planner: how long it takes, how much memory, how even the result is, and how near it comes to
// what no plan can do better. make bench-plan runs it.
//
//	go run ./internal/planbench                 10×1,000, 30×10,000 and 100×100,000, and the clusters on file
//	go run ./internal/planbench -sizes all      up to 1,000×1,000,000, nothing to do, rechecks, and the growth
//	go run ./internal/planbench -seeds 1 -scenarios new,refill
//
// Seconds are those of balance.Propose alone, on one processor. Memory is the most that it takes beside the cluster it
// reads. A ratio to a bound of 1.00 is a plan that copies nothing too much; - is a bound of nothing.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/kafka-pilot/pilot/internal/scenario"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// size is a number of brokers and partitions.
type size struct{ brokers, partitions int }

var (
	usual = []size{{10, 1_000}, {30, 10_000}, {100, 100_000}}
	large = []size{{300, 300_000}, {1_000, 1_000_000}}
)

func run(args []string) error {
	flags := flag.NewFlagSet("planbench", flag.ContinueOnError)
	sizes := flags.String("sizes", "usual", "usual, all, or sizes such as 30x10000,1000x1000000")
	seeds := flags.Int("seeds", 3, "seeds of each row")
	names := flags.String("scenarios", "", "scenarios to run, all where it is empty")
	if err := flags.Parse(args); err != nil {
		return err
	}
	list, err := parseSizes(*sizes)
	if err != nil {
		return err
	}
	chosen, err := parseNames(*names)
	if err != nil {
		return err
	}
	t := newTable(os.Stdout)
	if *names == "" {
		if err := t.files(); err != nil {
			return err
		}
	}
	for _, s := range list {
		for _, name := range chosen {
			for seed := range *seeds {
				if err := t.scenario(scenario.Case{Name: name, Brokers: s.brokers, Partitions: s.partitions, Seed: uint64(seed + 1)}); err != nil {
					return err
				}
			}
		}
		if *names == "" {
			if err := t.rest(s); err != nil {
				return err
			}
		}
	}
	t.growth()
	return nil
}

func parseSizes(text string) ([]size, error) {
	switch text {
	case "usual":
		return usual, nil
	case "all":
		return slices.Concat(usual, large), nil
	}
	var list []size
	for _, part := range strings.Split(text, ",") {
		var s size
		if n, err := fmt.Sscanf(part, "%dx%d", &s.brokers, &s.partitions); n != 2 || err != nil {
			return nil, fmt.Errorf("size %q is not brokers x partitions, such as 30x10000", part)
		}
		list = append(list, s)
	}
	return list, nil
}

func parseNames(text string) ([]scenario.Name, error) {
	if text == "" {
		return scenario.Names(), nil
	}
	var list []scenario.Name
	for _, part := range strings.Split(text, ",") {
		if !slices.Contains(scenario.Names(), scenario.Name(part)) {
			return nil, errors.New("scenario " + part + " is none of " + fmt.Sprint(scenario.Names()))
		}
		list = append(list, scenario.Name(part))
	}
	return list, nil
}
