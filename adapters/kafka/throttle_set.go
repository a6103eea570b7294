package kafka

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/reassign"
)

// SetThrottles implements reassign.Executor. Lists are edited in the controller, so that what another tool changes at
// the same time is kept; a list that becomes empty is removed. Rates are set through the broker that they are for.
// Lists come before rates.
//
// CodeOK means that the brokers asked show the change, too: metadata trails the controller, and what is read back too
// early looks as if somebody had undone it.
func (x *Executor) SetThrottles(ctx context.Context, changes []reassign.ThrottleChange) ([]reassign.ThrottleOutcome, error) {
	e := edit{x: x, changes: changes, outcomes: make([]reassign.ThrottleOutcome, len(changes))}
	for _, round := range rounds(changes) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		isTopic := func(i int) bool { return changes[i].Topic != "" }
		brokers := slices.DeleteFunc(slices.Clone(round), isTopic)
		topics := slices.DeleteFunc(round, func(i int) bool { return !isTopic(i) })
		for part := range slices.Chunk(topics, batch) {
			e.lists(ctx, part)
		}
		if len(brokers) > 0 {
			e.rates(ctx, brokers)
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return e.outcomes, nil
}

// rounds splits changes, as indexes, so that each resource is in a round once: a request may not name one twice.
func rounds(changes []reassign.ThrottleChange) [][]int {
	type resource struct {
		topic  string
		broker int32
	}
	var all [][]int
	seen := map[resource]int{}
	for i := range changes {
		r := resource{topic: changes[i].Topic}
		if r.topic == "" {
			r.broker = changes[i].Broker
		}
		if seen[r] == len(all) {
			all = append(all, nil)
		}
		all[seen[r]] = append(all[seen[r]], i)
		seen[r]++
	}
	return all
}

// edit is one SetThrottles at work.
type edit struct {
	x        *Executor
	changes  []reassign.ThrottleChange
	outcomes []reassign.ThrottleOutcome
}

// well reports whether nothing is in the way of a change so far.
func (e edit) well(i int) bool { return e.outcomes[i].Code == reassign.CodeOK }

// fail gives every change that was well the outcome of a failed call.
func (e edit) fail(which []int, err error) {
	for _, i := range which {
		if e.well(i) {
			e.outcomes[i] = failed(err)
		}
	}
}

func failed(err error) reassign.ThrottleOutcome {
	var lacks *DeniedError
	if errors.As(err, &lacks) {
		return reassign.ThrottleOutcome{Code: reassign.CodeDenied, Message: lacks.Error()}
	}
	return reassign.ThrottleOutcome{Code: reassign.CodeUnknown, Message: oneLine(err.Error())}
}

// notShown is the outcome of a change that was accepted and cannot be read back yet.
var notShown = reassign.ThrottleOutcome{Code: reassign.CodeUnknown, Message: "it was accepted, but the broker does not show it yet"}

// askChange changes settings, or with onlyTry finds out whether it could. Each resource has an outcome by its name.
func askChange(b *sarama.Broker, resources []*sarama.IncrementalAlterConfigsResource, onlyTry bool) (map[string]reassign.ThrottleOutcome, error) {
	answer, err := b.IncrementalAlterConfigs(&sarama.IncrementalAlterConfigsRequest{Version: 1, Resources: resources, ValidateOnly: onlyTry})
	if err != nil {
		return nil, err
	}
	results := map[string]reassign.ThrottleOutcome{}
	for _, r := range resources {
		results[r.Name] = reassign.ThrottleOutcome{Code: reassign.CodeUnknown, Message: "the answer leaves it out"}
	}
	lost := 0
	for _, r := range answer.Resources {
		code := sarama.KError(r.ErrorCode)
		outcome, message := judged(code, r.ErrorMsg)
		results[r.Name] = reassign.ThrottleOutcome{Code: outcome, Message: message}
		if code == sarama.ErrRequestTimedOut || code == sarama.ErrNotController {
			lost++
		}
	}
	if lost > 0 && lost == len(resources) { // the broker has no controller; another one may
		return nil, refused("changing settings", sarama.ErrRequestTimedOut)
	}
	return results, nil
}

// change is one operation on one setting; a nil value is for Delete.
func change(op sarama.IncrementalAlterConfigsOperation, value *string) sarama.IncrementalAlterConfigsEntry {
	return sarama.IncrementalAlterConfigsEntry{Operation: op, Value: value}
}

func brokerName(id int32) string { return strconv.Itoa(int(id)) }
