package kafka

import (
	"errors"
	"io"
	"testing"

	"github.com/IBM/sarama"
	"github.com/stretchr/testify/require"
)

func TestWhatTheCoordinatorAnswers(t *testing.T) {
	txn := &transactor{topic: "__pilot_state", id: "__pilot_state"}
	require.NoError(t, txn.judge("writing", sarama.ErrNoError))
	for _, row := range []struct {
		code   sarama.KError
		want   error
		says   string
		passes bool
	}{
		{sarama.ErrProducerFenced, errFenced, "another instance", false},
		{sarama.ErrInvalidProducerEpoch, errFenced, "another instance", false},
		{sarama.ErrInvalidProducerIDMapping, errExpired, "has expired", false},
		{sarama.ErrInvalidTxnState, errExpired, "has expired", false},
		{sarama.ErrTopicAuthorizationFailed, sarama.ErrTopicAuthorizationFailed, "lacks WRITE on topic __pilot_state", false},
		{sarama.ErrTransactionalIDAuthorizationFailed, sarama.ErrTransactionalIDAuthorizationFailed, "lacks WRITE on the transactional ID __pilot_state", false},
		{sarama.ErrConcurrentTransactions, sarama.ErrConcurrentTransactions, "writing: ", true},
		{sarama.ErrNotCoordinatorForConsumer, sarama.ErrNotCoordinatorForConsumer, "writing: ", true},
		{sarama.ErrUnsupportedVersion, sarama.ErrUnsupportedVersion, "writing: ", false},
	} {
		err := txn.judge("writing", row.code)
		require.ErrorIs(t, err, row.want)
		require.ErrorIs(t, err, row.code, "the code itself is kept")
		require.ErrorContains(t, err, row.says)
		require.Equal(t, row.passes, passes(err), "%v", err)
	}
}

func TestWhatPassesByItself(t *testing.T) {
	require.True(t, passes(io.EOF))
	require.True(t, passes(&silentError{"a:1", "has not answered", nil}))
	require.True(t, passes(&unreachableError{"a:1", errors.New("connection refused")}))
	require.False(t, passes(ErrClosed))
	require.False(t, passes(&refusedRecord{refused("a record", sarama.ErrMessageSizeTooLarge)}))
}

func TestWhatMakesAJournalImpossible(t *testing.T) {
	for _, row := range []struct {
		err  error
		want bool
	}{
		{denied("WRITE on topic t", sarama.ErrTopicAuthorizationFailed), true},
		{errUnsuitable, true},
		{refused("finding the transaction coordinator", sarama.ErrConsumerCoordinatorNotAvailable), true},
		{io.EOF, false},
		{refused("writing", sarama.ErrNotEnoughReplicas), false},
		{errFenced, false},
	} {
		err := final(row.err)
		require.ErrorIs(t, err, row.err)
		require.Equal(t, row.want, errors.Is(err, ErrNoJournal), "%v", err)
	}
}
