package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/units"
)

// options are what the flags say.
type options struct {
	bootstrap string
	yes       bool
	throttle  int64 // bytes per second for each broker, 0 is none
	measure   time.Duration
	seed      uint64
	brokers   int
	empty     bool
	threshold float64
}

// settingError is a setting that cannot be used as it is.
type settingError struct{ err error }

func (e *settingError) Error() string { return e.err.Error() }
func (e *settingError) Unwrap() error { return e.err }

func parseFlags(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	var throttle, threshold string
	f := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&o.bootstrap, "bootstrap", "", "HOST:PORT of a broker; without it the cluster is in memory")
	f.BoolVar(&o.yes, "yes", false, "apply without asking")
	f.StringVar(&throttle, "throttle", "", "replication limit of each broker, such as 50MB/s; none when left out")
	f.DurationVar(&o.measure, "measure", time.Minute, "how long to measure rates on a real cluster")
	f.StringVar(&threshold, "threshold", "5", "percent of the fair share to even to")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the cluster in memory")
	f.IntVar(&o.brokers, "brokers", 6, "brokers of the cluster in memory: 4, 5 or 6")
	f.BoolVar(&o.empty, "empty", false, "the last broker of the cluster in memory has just joined")
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			f.SetOutput(stderr)
			f.Usage()
		}
		return nil, err
	}
	return o, o.check(f, throttle, threshold)
}

func (o *options) check(f *flag.FlagSet, throttle, threshold string) error {
	if f.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: there are only flags, -h lists them", f.Arg(0))
	}
	if o.measure < 5*time.Second || o.measure > time.Hour {
		return fmt.Errorf("-measure %v: use between 5s and 1h", o.measure)
	}
	if o.brokers < 4 || o.brokers > 6 {
		return fmt.Errorf("-brokers %d: use 4, 5 or 6", o.brokers)
	}
	if throttle != "" {
		rate, err := units.ParseBandwidth(throttle)
		if err != nil {
			return fmt.Errorf("-throttle: %w", err)
		}
		o.throttle = int64(rate)
	}
	var err error
	if o.threshold, err = balance.ParseThreshold(threshold); err != nil {
		return fmt.Errorf("-threshold: %w", err)
	}
	return nil
}
