package kafka

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/reassign"
)

// rates changes the rates of several brokers side by side, each named once.
func (e edit) rates(ctx context.Context, which []int) {
	registered, err := e.x.brokers(ctx)
	if err != nil {
		e.fail(which, err)
		return
	}
	up := alive(registered)
	at := map[int32]int{}
	for _, i := range which {
		c := &e.changes[i]
		switch {
		case isZero(c.LeaderRate) || isZero(c.FollowerRate):
			e.outcomes[i] = reassign.ThrottleOutcome{Code: reassign.CodeInvalid, Message: "a rate of 0 stops replication for ever"}
		case !slices.Contains(up, c.Broker):
			e.outcomes[i] = isDown(c.Broker)
		default:
			at[c.Broker] = i
		}
	}
	answers := askEach(ctx, e.x.client, slices.Sorted(maps.Keys(at)), control, brokerPatience,
		func(b *sarama.Broker, id int32) (reassign.ThrottleOutcome, error) {
			return askSetRates(b, &e.changes[at[id]])
		})
	for _, a := range answers {
		switch {
		case a.err == nil:
			e.outcomes[at[a.broker]] = a.value
		case notSent(a.err):
			e.outcomes[at[a.broker]] = isDown(a.broker)
		default:
			e.outcomes[at[a.broker]] = failed(a.err)
		}
	}
}

func isZero(rate *int64) bool { return rate != nil && *rate == 0 }

func isDown(id int32) reassign.ThrottleOutcome {
	return reassign.ThrottleOutcome{Code: reassign.CodeUnreachable, Message: fmt.Sprintf("broker %d is down, and its settings go through it alone", id)}
}

// askSetRates changes a broker's rates through that broker, since any other refuses, and waits until it shows them.
func askSetRates(b *sarama.Broker, c *reassign.ThrottleChange) (reassign.ThrottleOutcome, error) {
	entries := map[string]sarama.IncrementalAlterConfigsEntry{}
	addRate(entries, leaderRateKey, c.LeaderRate)
	addRate(entries, followerRateKey, c.FollowerRate)
	if len(entries) == 0 {
		return reassign.ThrottleOutcome{}, nil
	}
	name := brokerName(c.Broker)
	results, err := askChange(b, []*sarama.IncrementalAlterConfigsResource{{Type: sarama.BrokerResource, Name: name, ConfigEntries: entries}}, false)
	if err != nil || results[name].Code != reassign.CodeOK {
		return results[name], err
	}
	for wait := 10 * time.Millisecond; wait < time.Second; wait *= 2 {
		now, err := askRates(b, c.Broker)
		if err != nil {
			return reassign.ThrottleOutcome{}, err
		}
		if showsRate(c.LeaderRate, now.Leader) && showsRate(c.FollowerRate, now.Follower) {
			return reassign.ThrottleOutcome{}, nil
		}
		time.Sleep(wait)
	}
	return notShown, nil
}

func addRate(entries map[string]sarama.IncrementalAlterConfigsEntry, key string, rate *int64) {
	switch {
	case rate == nil:
	case *rate < 0:
		entries[key] = change(sarama.IncrementalAlterConfigsOperationDelete, nil)
	default:
		text := strconv.FormatInt(*rate, 10)
		entries[key] = change(sarama.IncrementalAlterConfigsOperationSet, &text)
	}
}

func showsRate(want, now *int64) bool {
	switch {
	case want == nil:
		return true
	case *want < 0:
		return now == nil
	}
	return now != nil && *now == *want
}
