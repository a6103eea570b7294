package kafka

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/reassign"
)

// Check finds out whether the user may do all that an execution needs, without changing anything. A *DeniedError names
// everything that is lacking; any other error means that it could not be found out. Of the permissions on topics,
// those to read and change settings are tried on one topic.
func (x *Executor) Check(ctx context.Context) error {
	brokers, err := x.brokers(ctx)
	if err != nil {
		return err
	}
	if len(alive(brokers)) == 0 {
		return errors.New("no broker is alive")
	}
	var missing []string
	var code sarama.KError
	probes := []func(context.Context) error{x.mayList, x.mayAlter, x.mayReadRates, x.maySetRates, x.maySee, x.mayReadLists, x.maySetLists}
	for _, probe := range probes {
		var lacks *DeniedError
		switch err := probe(ctx); {
		case err == nil:
		case errors.As(err, &lacks):
			code = lacks.Code
			if !slices.Contains(missing, lacks.Permission) {
				missing = append(missing, lacks.Permission)
			}
		default:
			return fmt.Errorf("finding out about permissions: %w", err)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return denied(strings.Join(missing, "; "), code)
}

func (x *Executor) mayList(ctx context.Context) error {
	return x.client.onAny(ctx, control, func(b *sarama.Broker) error {
		_, err := askListing(b, nil)
		return err
	})
}

// mayAlter submits nothing.
func (x *Executor) mayAlter(ctx context.Context) error {
	return x.client.onAny(ctx, control, func(b *sarama.Broker) error {
		answer, err := b.AlterPartitionReassignments(&sarama.AlterPartitionReassignmentsRequest{TimeoutMs: serverTimeoutMs})
		if err != nil {
			return err
		}
		return permits("ALTER on the cluster", answer.ErrorCode)
	})
}

func (x *Executor) mayReadRates(ctx context.Context) error {
	return x.onFirst(ctx, func(b *sarama.Broker, id int32) error {
		_, err := askRates(b, id)
		return err
	})
}

func (x *Executor) maySetRates(ctx context.Context) error {
	return x.onFirst(ctx, func(b *sarama.Broker, id int32) error {
		return tryChange(b, sarama.BrokerResource, strconv.Itoa(int(id)), leaderRateKey, "ALTER_CONFIGS on the cluster")
	})
}

// onFirst asks the brokers about themselves, until one answers.
func (x *Executor) onFirst(ctx context.Context, ask func(b *sarama.Broker, id int32) error) (err error) {
	for _, n := range x.client.candidates() {
		if n.id < 0 {
			continue
		}
		err = x.client.onBroker(ctx, n.id, control, func(b *sarama.Broker) error { return ask(b, n.id) })
		if !triesNext(err) || ctx.Err() != nil {
			return err
		}
	}
	return err
}

func (x *Executor) maySee(ctx context.Context) error {
	_, err := x.known(ctx)
	return err
}

func (x *Executor) mayReadLists(ctx context.Context) error {
	topic, err := x.someTopic(ctx)
	if topic == "" || err != nil {
		return err
	}
	_, err = x.lists(ctx, []string{topic})
	return err
}

func (x *Executor) maySetLists(ctx context.Context) error {
	topic, err := x.someTopic(ctx)
	if topic == "" || err != nil {
		return err
	}
	return x.client.onAny(ctx, control, func(b *sarama.Broker) error {
		return tryChange(b, sarama.TopicResource, topic, leaderListKey, fmt.Sprintf("ALTER_CONFIGS on topic %q, and perhaps on others", topic))
	})
}

// someTopic returns the first topic by name, "" when none can be seen.
func (x *Executor) someTopic(ctx context.Context) (string, error) {
	counts, err := x.known(ctx)
	var lacks *DeniedError
	if errors.As(err, &lacks) { // which maySee says
		return "", nil
	}
	for _, topic := range slices.Sorted(maps.Keys(counts)) {
		return topic, err
	}
	return "", err
}

// tryChange asks whether a setting might be removed.
func tryChange(b *sarama.Broker, kind sarama.ConfigResourceType, name, key, permission string) error {
	results, err := askChange(b, []*sarama.IncrementalAlterConfigsResource{{
		Type: kind, Name: name,
		ConfigEntries: map[string]sarama.IncrementalAlterConfigsEntry{key: {Operation: sarama.IncrementalAlterConfigsOperationDelete}},
	}}, true)
	if err == nil && results[name].Code == reassign.CodeDenied {
		return denied(permission, sarama.ErrClusterAuthorizationFailed)
	}
	return err
}

// permits turns a code into an error.
func permits(permission string, code sarama.KError) error {
	switch code {
	case sarama.ErrNoError:
		return nil
	case sarama.ErrClusterAuthorizationFailed, sarama.ErrTopicAuthorizationFailed:
		return denied(permission, code)
	}
	return refused("asking for "+permission, code)
}
