package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/kafka-pilot/pilot/adapters/kafka"
	"github.com/kafka-pilot/pilot/reassign"
)

func open(ctx context.Context, o *options, t terminal) (*cluster, error) {
	if o.bootstrap == "" {
		return openMemory(o), nil
	}
	return openReal(ctx, o, t)
}

// openReal connects to a real cluster. How to log in comes from the KAFKA_ variables of the environment. The
// journal is taken over, from an earlier run or an idle service of Pilot, only when something is to be carried out.
func openReal(ctx context.Context, o *options, t terminal) (*cluster, error) {
	config, err := clientConfig(o.bootstrap)
	if err != nil {
		return nil, &settingError{err}
	}
	client, err := kafka.Open(ctx, config)
	if err != nil {
		return nil, err
	}
	source := kafka.NewSource(client, kafka.SourceConfig{Every: max(time.Second, min(10*time.Second, o.measure/6)), SizesEvery: 10 * time.Second,
		Enough: min(30*time.Second, o.measure/2)})
	return &cluster{
		name: o.bootstrap, source: source, executor: kafka.NewExecutor(client), real: true,
		peek: func(ctx context.Context) (map[string][]byte, error) {
			return kafka.PeekJournal(ctx, client, kafka.StateTopic)
		},
		take: once(func(ctx context.Context) (reassign.Journal, error) {
			return kafka.OpenJournal(ctx, client, kafka.StateTopic)
		}),
		limits:  reassign.Limits{Managed: true, Throttle: o.throttle, PollEvery: 500 * time.Millisecond, SizesEvery: 2 * time.Second},
		measure: func(ctx context.Context) error { return measure(ctx, source, o.measure, t) },
		close:   client.Close,
	}, nil
}

// clientConfig reads the KAFKA_ variables; the flag names the brokers.
func clientConfig(bootstrap string) (kafka.ClientConfig, error) {
	environ := []string{"KAFKA_BROKERS=" + bootstrap}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "KAFKA_BROKERS=") && !strings.HasPrefix(v, "KAFKA_BOOTSTRAP_SERVERS=") {
			environ = append(environ, v)
		}
	}
	config, err := kafka.ClientConfigFromEnv(environ, os.ReadFile)
	if err != nil {
		return config, err
	}
	if err := config.Validate(); err != nil {
		return config, fmt.Errorf("-bootstrap %s: %w", bootstrap, err)
	}
	return config, nil
}

func measure(ctx context.Context, source *kafka.Source, d time.Duration, t terminal) error {
	fmt.Fprintf(t.out, "Measuring rates for %v …\n", d)
	return source.Measure(ctx, d, func(kafka.Progress) {})
}

// once keeps the journal that was opened: opening it again would fence ourselves.
func once(open func(context.Context) (reassign.Journal, error)) func(context.Context) (reassign.Journal, error) {
	var journal reassign.Journal
	return func(ctx context.Context) (reassign.Journal, error) {
		if journal != nil {
			return journal, nil
		}
		opened, err := open(ctx)
		if err == nil {
			journal = opened
		}
		return opened, err
	}
}
