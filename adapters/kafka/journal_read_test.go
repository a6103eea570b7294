package kafka

import (
	"testing"

	"github.com/IBM/sarama"
	"github.com/stretchr/testify/require"
)

// stored is a batch of one record, as a transaction of a producer writes it.
func stored(offset, producer int64, key, value string) *sarama.Records {
	record := &sarama.Record{Key: []byte(key)}
	if value != "" {
		record.Value = []byte(value)
	}
	return &sarama.Records{RecordBatch: &sarama.RecordBatch{
		FirstOffset: offset, ProducerID: producer, IsTransactional: producer > 0, Records: []*sarama.Record{record},
	}}
}

// marker is what the coordinator writes at the end of a transaction.
func marker(offset, producer int64, commit bool) *sarama.Records {
	key := []byte{0, 0, 0, 0}
	if commit {
		key[3] = 1
	}
	return &sarama.Records{RecordBatch: &sarama.RecordBatch{
		FirstOffset: offset, ProducerID: producer, IsTransactional: true, Control: true, Records: []*sarama.Record{{Key: key}},
	}}
}

func block(aborted []*sarama.AbortedTransaction, records ...*sarama.Records) *sarama.FetchResponseBlock {
	return &sarama.FetchResponseBlock{RecordsSet: records, AbortedTransactions: aborted}
}

func newFold() *fold { return &fold{values: map[string][]byte{}, aborted: map[int64]bool{}} }

func TestLatestCommittedValueOfEachKeyCounts(t *testing.T) {
	f := newFold()
	next := f.take(block([]*sarama.AbortedTransaction{{ProducerID: 8, FirstOffset: 2}},
		stored(0, 7, "a", "1"), marker(1, 7, true),
		stored(2, 8, "a", "aborted"), stored(3, 7, "b", "in between"), marker(4, 7, true), marker(5, 8, false),
		stored(6, 8, "a", "2"), marker(7, 8, true),
		stored(8, 0, "c", "no transaction"), stored(9, 7, "gone", "x"), stored(10, 7, "gone", ""), marker(11, 7, true),
	), 0)
	require.Equal(t, int64(12), next)
	require.Equal(t, map[string][]byte{"a": []byte("2"), "b": []byte("in between"), "c": []byte("no transaction")}, f.values)
}

// An answer begins with the batch that holds the offset asked for, so what was read before comes again; and a
// transaction that was aborted may go over from one answer to the next.
func TestAnswersMeetAtAnyOffset(t *testing.T) {
	f := newFold()
	next := f.take(block([]*sarama.AbortedTransaction{{ProducerID: 8, FirstOffset: 1}}, stored(0, 7, "a", "1"), stored(1, 8, "b", "aborted")), 0)
	require.Equal(t, int64(2), next)
	f.values["a"] = []byte("kept")
	next = f.take(block(nil, stored(0, 7, "a", "1"), stored(2, 8, "b", "aborted, too"), marker(3, 8, false)), next)
	require.Equal(t, int64(4), next)
	require.Equal(t, map[string][]byte{"a": []byte("kept")}, f.values)
	require.Empty(t, f.aborted)
}

// Compaction leaves batches without records, and the end of an answer may be cut off.
func TestGapsAndPartsOfBatches(t *testing.T) {
	f := newFold()
	empty := &sarama.Records{RecordBatch: &sarama.RecordBatch{FirstOffset: 5, LastOffsetDelta: 4, IsTransactional: true}}
	cut := stored(20, 7, "a", "cut")
	cut.RecordBatch.PartialTrailingRecord = true
	bare := &sarama.Records{RecordBatch: &sarama.RecordBatch{FirstOffset: 11, Control: true}}
	require.Equal(t, int64(12), f.take(block(nil, empty, stored(10, 7, "k", "v"), bare, &sarama.Records{}, cut), 5))
	require.Equal(t, map[string][]byte{"k": []byte("v")}, f.values)
	require.Equal(t, int64(12), f.take(block(nil), 12))
}

func TestLeaderOfAJournal(t *testing.T) {
	topic := func(code sarama.KError, leaders ...int32) *sarama.MetadataResponse {
		m := &sarama.TopicMetadata{Name: "j", Err: code}
		for _, leader := range leaders {
			m.Partitions = append(m.Partitions, &sarama.PartitionMetadata{Leader: leader})
		}
		return &sarama.MetadataResponse{Topics: []*sarama.TopicMetadata{{Name: "other"}, m}}
	}
	leader, err := leaderIn(topic(0, 3), "j")
	require.NoError(t, err)
	require.Equal(t, int32(3), leader)
	for name, row := range map[string]struct {
		answer *sarama.MetadataResponse
		wants  error
		passes bool
	}{
		"no leader now":     {topic(sarama.ErrLeaderNotAvailable, -1), sarama.ErrLeaderNotAvailable, true},
		"not there":         {topic(sarama.ErrUnknownTopicOrPartition), sarama.ErrUnknownTopicOrPartition, true},
		"not in the answer": {&sarama.MetadataResponse{}, sarama.ErrUnknownTopicOrPartition, true},
		"two partitions":    {topic(0, 1, 2), errUnsuitable, false},
		"no permission":     {topic(sarama.ErrTopicAuthorizationFailed), sarama.ErrTopicAuthorizationFailed, false},
	} {
		_, err := leaderIn(row.answer, "j")
		require.ErrorIs(t, err, row.wants, name)
		require.Equal(t, row.passes, passes(err), name)
	}
}
