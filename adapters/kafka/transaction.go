package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/IBM/sarama"
)

// transactor writes single records to a topic of one partition, each in a transaction of its own. It speaks the
// protocol itself: sarama's producer knows no contexts, and after a failure it takes the transactional ID again, which
// would fence an instance that has rightly taken over.
type transactor struct {
	client *Client
	topic  string
	id     string // transactional

	producer int64
	epoch    int16
	sequence int32
	pending  *sarama.RecordBatch // not known to be committed

	coordinator, leader int32
}

// nobody stands for a broker that has to be looked up.
const nobody int32 = -1

// transactionTimeout is when the coordinator aborts a transaction that was left open. While it is open, nobody can
// read what comes after it; a new owner ends it at once.
const transactionTimeout = time.Minute

var (
	// errFenced says that the transactional ID has a new user.
	errFenced = errors.New("another instance has taken the transactional ID")
	// errExpired says that the coordinator has forgotten the transactional ID: it was not used for a week.
	errExpired = errors.New("the transactional ID has expired")
)

func isFenced(err error) bool { return errors.Is(err, errFenced) }

// begin takes the transactional ID. What was written and not committed under it is aborted.
func (t *transactor) begin(ctx context.Context) error {
	t.pending = nil
	return t.persist(ctx, func() error {
		return t.onCoordinator(ctx, func(b *sarama.Broker) error {
			answer, err := b.InitProducerID(&sarama.InitProducerIDRequest{
				Version: 4, TransactionalID: &t.id, TransactionTimeout: transactionTimeout, ProducerID: -1, ProducerEpoch: -1,
			})
			if err != nil {
				return err
			}
			if err := t.judge("taking the transactional ID", answer.Err); err != nil {
				return err
			}
			t.producer, t.epoch, t.sequence = answer.ProducerID, answer.ProducerEpoch, 0
			return nil
		})
	})
}

// write commits a record. What an earlier call left unfinished is committed first, since it may have been already.
func (t *transactor) write(ctx context.Context, key string, value []byte) error {
	if err := t.finish(ctx); err != nil {
		return err
	}
	now := time.Now()
	t.pending = &sarama.RecordBatch{
		Version: 2, FirstTimestamp: now, MaxTimestamp: now, PartitionLeaderEpoch: -1, IsTransactional: true,
		ProducerID: t.producer, ProducerEpoch: t.epoch, FirstSequence: t.sequence,
		Records: []*sarama.Record{{Key: []byte(key), Value: value}},
	}
	return t.finish(ctx)
}

// finish commits the pending record. Each of its steps may be repeated: Kafka recognises what it has done already.
func (t *transactor) finish(ctx context.Context) error {
	if t.pending == nil {
		return nil
	}
	if err := t.persist(ctx, func() error { return t.onCoordinator(ctx, t.enlist) }); err != nil {
		return err
	}
	err := t.persist(ctx, func() error { return t.onLeader(ctx, t.produce) })
	var refusal *refusedRecord
	if errors.As(err, &refusal) {
		if ended := t.end(ctx, false); ended != nil {
			return errors.Join(err, ended)
		}
		t.pending = nil
		return err
	}
	if err == nil {
		err = t.end(ctx, true)
	}
	if err == nil {
		t.pending = nil
		t.sequence++
	}
	return err
}

// enlist opens a transaction on the topic.
func (t *transactor) enlist(b *sarama.Broker) error {
	answer, err := b.AddPartitionsToTxn(&sarama.AddPartitionsToTxnRequest{
		Version: 3, TransactionalID: t.id, ProducerID: t.producer, ProducerEpoch: t.epoch,
		TopicPartitions: map[string][]int32{t.topic: {0}},
	})
	if err != nil {
		return err
	}
	for _, partition := range answer.Errors[t.topic] {
		return t.judge("opening a transaction", partition.Err)
	}
	return errors.New("opening a transaction: the answer says nothing of the topic")
}

// refusedRecord says that a record cannot be stored, however often it is sent.
type refusedRecord struct{ error }

func (e *refusedRecord) Unwrap() error { return e.error }

func (t *transactor) produce(b *sarama.Broker) error {
	request := &sarama.ProduceRequest{
		Version: 9, TransactionalID: &t.id, RequiredAcks: sarama.WaitForAll, Timeout: int32(t.client.patience[control] / time.Millisecond),
	}
	request.AddBatch(t.topic, 0, t.pending)
	answer, err := b.Produce(request)
	if err != nil {
		return err
	}
	block := answer.GetBlock(t.topic, 0)
	if block == nil {
		return errors.New("writing: the answer says nothing of the topic")
	}
	switch block.Err {
	case sarama.ErrDuplicateSequenceNumber:
		return nil
	case sarama.ErrMessageSizeTooLarge, sarama.ErrMessageSetSizeTooLarge, sarama.ErrInvalidRecord, sarama.ErrInvalidMessage:
		return &refusedRecord{refused(fmt.Sprintf("a record of %d bytes is refused", len(t.pending.Records[0].Value)), block.Err)}
	}
	return t.judge("writing", block.Err)
}

func (t *transactor) end(ctx context.Context, commit bool) error {
	return t.persist(ctx, func() error {
		return t.onCoordinator(ctx, func(b *sarama.Broker) error {
			answer, err := b.EndTxn(&sarama.EndTxnRequest{
				Version: 3, TransactionalID: t.id, ProducerID: t.producer, ProducerEpoch: t.epoch, TransactionResult: commit,
			})
			if err != nil {
				return err
			}
			return t.judge("ending a transaction", answer.Err)
		})
	})
}

// judge turns a code into an error.
func (t *transactor) judge(what string, code sarama.KError) error {
	switch code {
	case sarama.ErrNoError:
		return nil
	case sarama.ErrProducerFenced, sarama.ErrInvalidProducerEpoch:
		return fmt.Errorf("%w: %w", errFenced, refused(what, code))
	case sarama.ErrInvalidProducerIDMapping, sarama.ErrUnknownProducerID, sarama.ErrInvalidTxnState, sarama.ErrOutOfOrderSequenceNumber:
		return fmt.Errorf("%w: %w", errExpired, refused(what, code))
	case sarama.ErrTopicAuthorizationFailed:
		return denied("WRITE on topic "+t.topic, code)
	case sarama.ErrTransactionalIDAuthorizationFailed:
		return denied("WRITE on the transactional ID "+t.id, code)
	}
	return refused(what, code)
}

// persist repeats a step while what is in its way passes.
func (t *transactor) persist(ctx context.Context, step func() error) error {
	for wait := 20 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		err := step()
		if err == nil || !passes(err) || ctx.Err() != nil {
			return err
		}
		t.coordinator, t.leader = nobody, nobody
		if pause(ctx, wait) != nil {
			return err
		}
	}
}

// passes reports whether a failure goes away by itself.
func passes(err error) bool {
	var code sarama.KError
	var refusal *refusedRecord
	if isFenced(err) || errors.Is(err, ErrClosed) || errors.As(err, &refusal) {
		return false
	}
	if !errors.As(err, &code) {
		return !errors.Is(err, errUnsuitable) // the network
	}
	switch code {
	case sarama.ErrConcurrentTransactions, sarama.ErrOffsetsLoadInProgress, sarama.ErrConsumerCoordinatorNotAvailable,
		sarama.ErrNotCoordinatorForConsumer, sarama.ErrNotLeaderForPartition, sarama.ErrLeaderNotAvailable,
		sarama.ErrUnknownTopicOrPartition, sarama.ErrNotEnoughReplicas, sarama.ErrNotEnoughReplicasAfterAppend,
		sarama.ErrRequestTimedOut, sarama.ErrNotController, sarama.ErrNetworkException, sarama.ErrKafkaStorageError,
		sarama.ErrFencedLeaderEpoch, sarama.ErrUnknownLeaderEpoch, sarama.ErrOffsetNotAvailable, sarama.ErrReplicaNotAvailable,
		sarama.ErrTransactionCoordinatorFenced, sarama.ErrBrokerNotAvailable, sarama.ErrThrottlingQuotaExceeded,
		sarama.ErrOffsetOutOfRange:
		return true
	}
	return false
}

// final marks an error that goes with what the cluster or the user is.
func final(err error) error {
	var lacks *DeniedError
	var code sarama.KError
	lasting := errors.As(err, &lacks) || errors.Is(err, errUnsuitable) ||
		errors.As(err, &code) && (code == sarama.ErrConsumerCoordinatorNotAvailable || code == sarama.ErrInvalidTransactionTimeout ||
			code == sarama.ErrInvalidReplicationFactor || code == sarama.ErrPolicyViolation || code == sarama.ErrUnsupportedVersion)
	if !lasting {
		return err
	}
	return fmt.Errorf("%w: %w", err, ErrNoJournal)
}

// onCoordinator runs f on the broker that coordinates the transactional ID.
func (t *transactor) onCoordinator(ctx context.Context, f func(*sarama.Broker) error) error {
	if t.coordinator == nobody {
		found, err := asked(t.client.any(ctx, control), func(b *sarama.Broker) (int32, error) {
			answer, err := b.FindCoordinator(&sarama.FindCoordinatorRequest{
				Version: 3, CoordinatorKey: t.id, CoordinatorType: sarama.CoordinatorTransaction,
			})
			if err != nil {
				return nobody, err
			}
			if answer.Err != sarama.ErrNoError {
				return nobody, t.judge("finding the transaction coordinator", answer.Err)
			}
			return answer.Coordinator.ID(), nil
		})
		if err != nil {
			return err
		}
		t.coordinator = found
	}
	return t.client.onBroker(ctx, t.coordinator, control, f)
}

// onLeader runs f on the broker that leads the topic's partition.
func (t *transactor) onLeader(ctx context.Context, f func(*sarama.Broker) error) error {
	if t.leader == nobody {
		leader, err := t.client.leaderOf(ctx, t.topic)
		if err != nil {
			return err
		}
		t.leader = leader
	}
	return t.client.onBroker(ctx, t.leader, control, f)
}
