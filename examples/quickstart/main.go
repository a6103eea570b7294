// Command quickstart shows the main job from end to end: it reads a cluster, shows how far every broker is from its
// fair share, plans, applies the plan and shows the result.
//
//	quickstart                                   on a skewed cluster in memory
//	quickstart -bootstrap HOST:PORT              on a real cluster; asks before it changes anything
//
// It exits with 0 when it did what was asked, 1 when that failed and 2 for wrong flags or settings.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], terminal{in: os.Stdin, out: os.Stdout, err: os.Stderr, colour: isTerminal(os.Stdout)})
	stop()
	os.Exit(code)
}

// terminal is where the program reads and writes.
type terminal struct {
	in       io.Reader
	out, err io.Writer
	colour   bool // out is a terminal: colours and a moving progress bar
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("NO_COLOR") == ""
}

func run(ctx context.Context, args []string, t terminal) int {
	o, err := parseFlags(args, t.err)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintln(t.err, "quickstart:", err)
		return 2
	}
	if err := rebalance(ctx, o, t); err != nil {
		fmt.Fprintln(t.err, "quickstart:", err)
		var wrong *settingError
		if errors.As(err, &wrong) {
			return 2
		}
		return 1
	}
	return 0
}
