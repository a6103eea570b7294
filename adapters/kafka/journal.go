package kafka

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/reassign"
)

// The topics that the state is kept in, one partition each, compacted.
const (
	StateTopic       = "__pilot_state"        // of executions
	BrokerStateTopic = "__pilot_broker_state" // of brokers in maintenance
)

// ErrNoJournal is wrapped by what OpenJournal answers when the cluster or the user's permissions do not allow a
// journal. It is possible to go on without one, with what this says.
var ErrNoJournal = errors.New("without a journal only one instance may run against this cluster, and throttles stay behind when it crashes")

// ownerKey is the key under which the owner says who it is.
const ownerKey = ".owner"

// How long a call goes on trying when its context has no earlier end. Opening may have to wait until Kafka has made the
// topic of its transactions.
const (
	openFor = time.Minute
	saveFor = 30 * time.Second
)

// Journal keeps values by key in a compacted topic. It belongs to one instance: opening it, with Kafka's transactions,
// fences the instance that had it before. It implements reassign.Journal and may be used from several goroutines.
type Journal struct {
	topic string
	log   reader
	slot  chan struct{} // held by the call under way
	txn   *transactor
	owner owner
	lost  error // what took the journal over, for good
}

var _ reassign.Journal = (*Journal)(nil)

// owner is the record of who has the journal.
type owner struct {
	Instance string    `json:"instance"` // random
	Host     string    `json:"host"`
	Since    time.Time `json:"since"`
}

// OpenJournal takes the journal of a topic over, and creates the topic where it lacks. The user needs READ, WRITE,
// DESCRIBE and DESCRIBE_CONFIGS on the topic, CREATE on it where it lacks, and WRITE and DESCRIBE on the transactional
// ID, which is the topic's name. An error that wraps ErrNoJournal will not go away by itself.
func OpenJournal(ctx context.Context, client *Client, topic string) (*Journal, error) {
	ctx, cancel := context.WithTimeout(ctx, openFor)
	defer cancel()
	j := &Journal{
		topic: topic,
		log:   reader{client: client, topic: topic},
		slot:  make(chan struct{}, 1),
		txn:   &transactor{client: client, topic: topic, id: topic, coordinator: nobody, leader: nobody},
		owner: owner{Instance: rand.Text(), Since: time.Now().UTC().Truncate(time.Second)},
	}
	j.owner.Host, _ = os.Hostname() // only for people
	err := client.ensureJournalTopic(ctx, topic)
	if err == nil {
		err = j.open(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("opening the journal in topic %s: %w", topic, final(err))
	}
	return j, nil
}

// PeekJournal reads what the journal of a topic holds without taking it over; nil where the topic does not exist. It is
// for looking only; what it returns may be out of date at once. The user needs READ and DESCRIBE on the topic.
func PeekJournal(ctx context.Context, client *Client, topic string) (map[string][]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, openFor)
	defer cancel()
	log := reader{client: client, topic: topic, stable: true}
	values, err := log.once(ctx)
	if errors.Is(err, sarama.ErrUnknownTopicOrPartition) {
		return nil, nil
	}
	if err != nil {
		values, err = log.read(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("reading topic %s: %w", topic, final(err))
	}
	delete(values, ownerKey)
	return values, nil
}

// takeovers is how often opening tries, when the present owner defends itself in the moment between.
const takeovers = 3

func (j *Journal) open(ctx context.Context) error {
	err := error(nil)
	for range takeovers {
		if err = j.take(ctx); !isFenced(err) {
			return err
		}
	}
	return err
}

// take fences whoever has the journal, and returns once everybody can read that it is ours.
func (j *Journal) take(ctx context.Context) error {
	if err := j.txn.begin(ctx); err != nil {
		return err
	}
	record, err := json.Marshal(j.owner)
	if err != nil {
		return err
	}
	if err := j.txn.write(ctx, ownerKey, record); err != nil {
		return err
	}
	now, err := j.ownerNow(ctx)
	if err == nil && now.Instance != j.owner.Instance {
		return errFenced
	}
	return err
}

// ownerNow reads who has the journal.
func (j *Journal) ownerNow(ctx context.Context) (owner, error) {
	values, err := j.log.read(ctx)
	if err != nil {
		return owner{}, err
	}
	var o owner
	if err := json.Unmarshal(values[ownerKey], &o); err != nil {
		return owner{}, fmt.Errorf("the record of the owner cannot be read: %w", err)
	}
	return o, nil
}

// Save implements reassign.Journal. After an error the value may have been stored, or may yet be by the next Save.
func (j *Journal) Save(ctx context.Context, key string, value []byte) error {
	if key == "" || key == ownerKey {
		return fmt.Errorf("journal %s: %q cannot be a key", j.topic, key)
	}
	ctx, cancel := context.WithTimeout(ctx, saveFor)
	defer cancel()
	if err := j.enter(ctx); err != nil {
		return err
	}
	defer j.leave()
	err := j.txn.write(ctx, key, value)
	if isFenced(err) || errors.Is(err, errExpired) {
		if err = j.reclaim(ctx); err == nil {
			err = j.txn.write(ctx, key, value)
		}
	}
	if isFenced(err) {
		err = reassign.ErrFenced
	}
	if err != nil {
		return fmt.Errorf("saving %s in topic %s: %w", key, j.topic, err)
	}
	return nil
}

// reclaim takes the journal again when Kafka has put an end to our transactions, though nobody else owns it: one was
// open for too long while the cluster was not to be reached, or none was made for a week.
func (j *Journal) reclaim(ctx context.Context) error {
	now, err := j.ownerNow(ctx)
	if err != nil {
		return err
	}
	if now.Instance != j.owner.Instance {
		j.lost = fmt.Errorf("%w (it runs on %s since %s)", reassign.ErrFenced, cmp.Or(now.Host, "another host"), now.Since.Format(time.RFC3339))
		return j.lost
	}
	return j.take(ctx)
}

// Load implements reassign.Journal.
func (j *Journal) Load(ctx context.Context) (map[string][]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, saveFor)
	defer cancel()
	if err := j.enter(ctx); err != nil {
		return nil, err
	}
	defer j.leave()
	values, err := j.log.read(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading topic %s: %w", j.topic, err)
	}
	delete(values, ownerKey)
	return values, nil
}

func (j *Journal) enter(ctx context.Context) error {
	select {
	case j.slot <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if j.lost != nil {
		defer j.leave()
		return j.lost
	}
	return nil
}

func (j *Journal) leave() { <-j.slot }
