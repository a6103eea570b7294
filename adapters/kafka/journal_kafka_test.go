//go:build kafka

package kafka

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/IBM/sarama"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/reassign"
)

func TestKafkaJournalKeepsWhatWasSaved(t *testing.T) {
	c := shared.Cluster(t)
	client := open(t, c, ClientConfig{})
	j, err := OpenJournal(t.Context(), client, StateTopic)
	require.NoError(t, err)
	values, err := j.Load(t.Context())
	require.NoError(t, err)
	require.Empty(t, values, "a new journal")

	require.NoError(t, j.Save(t.Context(), "execution/7", []byte("wave 1")))
	require.NoError(t, j.Save(t.Context(), "execution/7/moves/0", []byte("moves")))
	require.NoError(t, j.Save(t.Context(), "execution/7", []byte("wave 2")))
	require.NoError(t, j.Save(t.Context(), "gone", []byte("x")))
	require.NoError(t, j.Save(t.Context(), "gone", nil))
	require.NoError(t, j.Save(t.Context(), "empty", []byte{}))
	large := bytes.Repeat([]byte("x"), 900_000)
	require.NoError(t, j.Save(t.Context(), "large", large))
	want := map[string][]byte{"execution/7": []byte("wave 2"), "execution/7/moves/0": []byte("moves"), "empty": {}, "large": large}
	values, err = j.Load(t.Context())
	require.NoError(t, err)
	require.Equal(t, want, values)

	again, err := OpenJournal(t.Context(), open(t, c, ClientConfig{}), StateTopic)
	require.NoError(t, err)
	values, err = again.Load(t.Context())
	require.NoError(t, err)
	require.Equal(t, want, values, "another instance reads the same")

	placed, err := c.PlacementOf(StateTopic)
	require.NoError(t, err)
	require.Len(t, placed, 1, "one partition")
	require.Len(t, placed[0].Replicas, 3)
}

func TestKafkaSecondJournalFencesTheFirst(t *testing.T) {
	c := shared.Cluster(t)
	first, err := OpenJournal(t.Context(), open(t, c, ClientConfig{}), BrokerStateTopic)
	require.NoError(t, err)
	require.NoError(t, first.Save(t.Context(), "broker/4", []byte("draining")))

	second, err := OpenJournal(t.Context(), open(t, c, ClientConfig{}), BrokerStateTopic)
	require.NoError(t, err)
	for range 2 {
		err = first.Save(t.Context(), "broker/4", []byte("maintenance"))
		require.ErrorIs(t, err, reassign.ErrFenced)
	}
	require.NoError(t, second.Save(t.Context(), "broker/5", []byte("draining")))
	values, err := second.Load(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[string][]byte{"broker/4": []byte("draining"), "broker/5": []byte("draining")}, values)
}

// Between opening a transaction and its end the process may hang or die: what it wrote never counts.
func TestKafkaTakeoverAbortsAnOpenTransaction(t *testing.T) {
	c := shared.Cluster(t)
	topic := "journal-open-transaction"
	first, err := OpenJournal(t.Context(), open(t, c, ClientConfig{}), topic)
	require.NoError(t, err)
	require.NoError(t, first.Save(t.Context(), "k", []byte("committed")))
	begin(t, first, "k", "never committed")

	second, err := OpenJournal(t.Context(), open(t, c, ClientConfig{}), topic)
	require.NoError(t, err)
	values, err := second.Load(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[string][]byte{"k": []byte("committed")}, values)
	require.ErrorIs(t, first.Save(t.Context(), "k", []byte("too late")), reassign.ErrFenced)
}

// Who looks on neither waits for the end of an open transaction, nor sees what is in it, nor takes the journal over.
func TestKafkaPeekDoesNotDisturb(t *testing.T) {
	c := shared.Cluster(t)
	topic := "journal-peek"
	onlooker := open(t, c, ClientConfig{})
	values, err := PeekJournal(t.Context(), onlooker, topic)
	require.NoError(t, err)
	require.Nil(t, values, "there is no such topic yet")
	owner, err := OpenJournal(t.Context(), open(t, c, ClientConfig{}), topic)
	require.NoError(t, err)
	require.NoError(t, owner.Save(t.Context(), "k", []byte("committed")))
	begin(t, owner, "k", "not committed yet")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // an open transaction times out after a minute
	defer cancel()
	values, err = PeekJournal(ctx, onlooker, topic)
	require.NoError(t, err)
	require.Equal(t, map[string][]byte{"k": []byte("committed")}, values)
	require.NoError(t, owner.Save(t.Context(), "k", []byte("still ours")))
}

// begin writes in a transaction that stays open.
func begin(t *testing.T, j *Journal, key, value string) {
	t.Helper()
	j.txn.pending = &sarama.RecordBatch{
		Version: 2, PartitionLeaderEpoch: -1, IsTransactional: true, ProducerID: j.txn.producer, ProducerEpoch: j.txn.epoch,
		FirstSequence: j.txn.sequence, Records: []*sarama.Record{{Key: []byte(key), Value: []byte(value)}},
	}
	require.NoError(t, j.txn.persist(t.Context(), func() error { return j.txn.onCoordinator(t.Context(), j.txn.enlist) }))
	require.NoError(t, j.txn.onLeader(t.Context(), j.txn.produce))
}

// The answer to a commit, or to any step before, may be lost: the next save makes it certain.
func TestKafkaJournalFinishesWhatWasLeftHalfDone(t *testing.T) {
	c := shared.Cluster(t)
	j, err := OpenJournal(t.Context(), open(t, c, ClientConfig{}), "journal-half-done")
	require.NoError(t, err)
	begin(t, j, "a", "half done")
	require.NoError(t, j.Save(t.Context(), "b", []byte("next")))

	begin(t, j, "c", "committed, but nobody heard")
	require.NoError(t, j.txn.end(t.Context(), true))
	require.NoError(t, j.Save(t.Context(), "d", []byte("last")))
	values, err := j.Load(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[string][]byte{
		"a": []byte("half done"), "b": []byte("next"), "c": []byte("committed, but nobody heard"), "d": []byte("last"),
	}, values)
}

func TestKafkaJournalSurvivesTheLossOfItsBrokers(t *testing.T) {
	c := shared.Cluster(t)
	client := open(t, c, ClientConfig{})
	j, err := OpenJournal(t.Context(), client, "journal-losses")
	require.NoError(t, err)
	leader, err := client.leaderOf(t.Context(), "journal-losses")
	require.NoError(t, err)
	require.NoError(t, c.Kill(leader))
	require.NoError(t, j.Save(t.Context(), "k", []byte("leader killed")))
	require.NoError(t, c.StartBroker(leader))
	require.NoError(t, c.WaitInSync())
	values, err := j.Load(t.Context())
	require.NoError(t, err)
	require.Equal(t, "leader killed", string(values["k"]))
}

// When Kafka itself ends our transactions, nobody else owns the journal and we go on.
func TestKafkaJournalGoesOnWhenOnlyItsEpochIsStale(t *testing.T) {
	c := shared.Cluster(t)
	client := open(t, c, ClientConfig{})
	j, err := OpenJournal(t.Context(), client, "journal-stale")
	require.NoError(t, err)
	other := *j.txn // as the coordinator does after the transaction's time is up
	require.NoError(t, other.begin(t.Context()))
	require.NoError(t, j.Save(t.Context(), "k", []byte("v")))
	values, err := j.Load(t.Context())
	require.NoError(t, err)
	require.Equal(t, "v", string(values["k"]))
}

func TestKafkaJournalRefusals(t *testing.T) {
	c := shared.Cluster(t)
	client := open(t, c, ClientConfig{})
	require.NoError(t, c.CreateTopic("journal-two", [][]int32{{1}, {2}}, map[string]string{"cleanup.policy": "compact"}))
	require.NoError(t, c.CreateTopic("journal-deletes", [][]int32{{1}}, nil))
	for topic, why := range map[string]string{
		"journal-two":     "has 2 partitions and must have one",
		"journal-deletes": "cleanup.policy of topic journal-deletes must be compact alone",
	} {
		_, err := OpenJournal(t.Context(), client, topic)
		require.ErrorIs(t, err, ErrNoJournal)
		require.ErrorContains(t, err, why)
	}
	j, err := OpenJournal(t.Context(), client, "journal-refusals")
	require.NoError(t, err)
	require.ErrorContains(t, j.Save(t.Context(), ownerKey, nil), "cannot be a key")
	err = j.Save(t.Context(), "k", []byte(strings.Repeat("x", 2_000_000)))
	require.ErrorContains(t, err, "a record of 2000000 bytes is refused")
	require.NoError(t, j.Save(t.Context(), "k", []byte("small")), "the refusal is no obstacle to the next")
	ended, end := context.WithCancel(t.Context())
	end()
	require.ErrorIs(t, j.Save(ended, "k", nil), context.Canceled)
	_, err = j.Load(ended)
	require.ErrorIs(t, err, context.Canceled)
	values, err := j.Load(t.Context())
	require.NoError(t, err)
	require.Equal(t, "small", string(values["k"]), fmt.Sprint(values))
}
