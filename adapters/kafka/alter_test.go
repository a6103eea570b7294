package kafka

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/IBM/sarama"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

func part(topic string, i int) balance.TopicPartition {
	return balance.TopicPartition{Topic: topic, Partition: int32(i)}
}

func target(topic string, i int, replicas ...int32) reassign.Target {
	return reassign.Target{TopicPartition: part(topic, i), Replicas: replicas}
}

// answersAlter answers with a code for each partition; the codes of those left out are 0.
func answersAlter(r *kmsg.AlterPartitionAssignmentsRequest, codes map[int32]int16) *kmsg.AlterPartitionAssignmentsResponse {
	response := kmsg.NewPtrAlterPartitionAssignmentsResponse()
	for _, t := range r.Topics {
		answered := kmsg.AlterPartitionAssignmentsResponseTopic{Topic: t.Topic}
		for _, p := range t.Partitions {
			message := fmt.Sprintf("code %d\nof partition %d", codes[p.Partition], p.Partition)
			answered.Partitions = append(answered.Partitions, kmsg.AlterPartitionAssignmentsResponseTopicPartition{
				Partition: p.Partition, ErrorCode: codes[p.Partition], ErrorMessage: &message,
			})
		}
		response.Topics = append(response.Topics, answered)
	}
	return response
}

// altering is an executor, and what its brokers are asked to alter.
func altering(t *testing.T, answer func(*kmsg.AlterPartitionAssignmentsRequest) kmsg.Response) (x *Executor, sent func() []*kmsg.AlterPartitionAssignmentsRequest) {
	f := newFakes(t, 2)
	x = NewExecutor(f.client())
	var mu sync.Mutex
	var requests []*kmsg.AlterPartitionAssignmentsRequest
	f.answers(func(_ *fakeBroker, request kmsg.Request) kmsg.Response {
		r, ok := request.(*kmsg.AlterPartitionAssignmentsRequest)
		if !ok {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		requests = append(requests, r)
		return answer(r)
	})
	return x, func() []*kmsg.AlterPartitionAssignmentsRequest {
		mu.Lock()
		defer mu.Unlock()
		return requests
	}
}

// sarama keeps the codes in a type that it does not export: this fails when it renames their fields.
func TestCodesOfAnAnswerCanBeRead(t *testing.T) {
	answer := &sarama.AlterPartitionReassignmentsResponse{}
	message := "duplicate replica"
	answer.AddError("orders", 3, sarama.ErrInvalidReplicaAssignment, &message)
	answer.AddError("orders", 4, sarama.ErrNoError, nil)
	code, text := alterCode(answer, "orders", 3)
	require.Equal(t, sarama.ErrInvalidReplicaAssignment, code)
	require.Equal(t, message, text)
	code, text = alterCode(answer, "orders", 4)
	require.Equal(t, sarama.ErrNoError, code)
	require.Empty(t, text)
	code, _ = alterCode(answer, "orders", 5)
	require.Equal(t, noAnswer, code)
	code, _ = alterCode(answer, "others", 3)
	require.Equal(t, noAnswer, code)
}

// A slice by partition number would cancel partitions 0 to 16.
func TestSubmitNamesOnlyWhatItMoves(t *testing.T) {
	x, sent := altering(t, func(r *kmsg.AlterPartitionAssignmentsRequest) kmsg.Response { return answersAlter(r, nil) })
	outcomes, err := x.Submit(t.Context(), []reassign.Target{target("orders", 17, 4, 2, 1)})
	require.NoError(t, err)
	require.Equal(t, []reassign.Outcome{{TopicPartition: part("orders", 17)}}, outcomes)
	require.Len(t, sent(), 1)
	require.Equal(t, []kmsg.AlterPartitionAssignmentsRequestTopic{{Topic: "orders", Partitions: []kmsg.AlterPartitionAssignmentsRequestTopicPartition{
		{Partition: 17, Replicas: []int32{4, 2, 1}},
	}}}, sent()[0].Topics)
}

func TestCancelSendsNoReplicas(t *testing.T) {
	x, sent := altering(t, func(r *kmsg.AlterPartitionAssignmentsRequest) kmsg.Response {
		return answersAlter(r, map[int32]int16{1: 85, 2: 39})
	})
	outcomes, err := x.Cancel(t.Context(), []balance.TopicPartition{part("orders", 0), part("orders", 1), part("orders", 2)})
	require.NoError(t, err)
	require.Equal(t, []reassign.Outcome{
		{TopicPartition: part("orders", 0)},
		{TopicPartition: part("orders", 1), Code: reassign.CodeNothingInFlight, Message: "it is not being reassigned"},
		{TopicPartition: part("orders", 2), Code: reassign.CodeInvalid, Message: "code 39 of partition 2"},
	}, outcomes)
	for _, p := range sent()[0].Topics[0].Partitions {
		require.Nil(t, p.Replicas, "an empty list would be another thing")
	}
}

func TestSubmitTakesFiveHundredPartitionsAtATime(t *testing.T) {
	x, sent := altering(t, func(r *kmsg.AlterPartitionAssignmentsRequest) kmsg.Response { return answersAlter(r, nil) })
	var targets []reassign.Target
	for i := range 1_100 {
		targets = append(targets, target("orders", i, 1))
	}
	outcomes, err := x.Submit(t.Context(), targets)
	require.NoError(t, err)
	require.Len(t, outcomes, 1_100)
	var sizes []int
	for _, r := range sent() {
		sizes = append(sizes, len(r.Topics[0].Partitions))
	}
	require.Equal(t, []int{500, 500, 100}, sizes)
}

func TestSubmitKeepsWhatIsKnownWhenALaterRequestFails(t *testing.T) {
	requests := 0
	x, _ := altering(t, func(r *kmsg.AlterPartitionAssignmentsRequest) kmsg.Response {
		if requests++; requests > 1 {
			return nil
		}
		return answersAlter(r, nil)
	})
	var targets []reassign.Target
	for i := range 501 {
		targets = append(targets, target("orders", i, 1))
	}
	outcomes, err := x.Submit(t.Context(), targets)
	require.NoError(t, err)
	require.Equal(t, reassign.CodeOK, outcomes[499].Code)
	require.Equal(t, reassign.CodeUnknown, outcomes[500].Code)
	require.NotEmpty(t, outcomes[500].Message)
	require.NotContains(t, outcomes[500].Message, "\n")

	_, err = x.Submit(t.Context(), targets[:1])
	require.Error(t, err, "of the first request nothing is known")
}

func TestWhatTheControllerRefusesAsAWhole(t *testing.T) {
	for _, row := range []struct {
		code    int16
		want    reassign.Code
		failure string
	}{
		{31, reassign.CodeDenied, ""},
		{7, 0, "altering reassignments: the controller did not answer in time"},
		{41, 0, "altering reassignments: there is no active controller"},
		{-1, 0, "altering reassignments: the controller failed on it"},
	} {
		x, _ := altering(t, func(*kmsg.AlterPartitionAssignmentsRequest) kmsg.Response {
			whole := kmsg.NewPtrAlterPartitionAssignmentsResponse()
			whole.ErrorCode = row.code
			return whole
		})
		outcomes, err := x.Submit(t.Context(), []reassign.Target{target("orders", 0, 1)})
		if row.failure != "" {
			require.ErrorContains(t, err, row.failure)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, row.want, outcomes[0].Code)
	}
}

// Past 10,000 records the controller fails partitions with -1 though it says that all is well.
func TestPartitionsThatTheAnswerLeavesOpenAreUnknown(t *testing.T) {
	x, _ := altering(t, func(r *kmsg.AlterPartitionAssignmentsRequest) kmsg.Response {
		answer := answersAlter(r, map[int32]int16{0: -1, 1: 7, 2: 77})
		answer.Topics[0].Partitions = slices.DeleteFunc(answer.Topics[0].Partitions,
			func(p kmsg.AlterPartitionAssignmentsResponseTopicPartition) bool { return p.Partition == 3 })
		return answer
	})
	outcomes, err := x.Submit(t.Context(), []reassign.Target{target("o", 0, 1), target("o", 1, 1), target("o", 2, 1), target("o", 3, 1)})
	require.NoError(t, err)
	for _, o := range outcomes {
		require.Equal(t, reassign.CodeUnknown, o.Code, "%v", o)
	}
}

func TestElectionsAreJudgedOneByOne(t *testing.T) {
	f := newFakes(t, 1)
	x := NewExecutor(f.client())
	codes := map[int32]int16{1: 84, 2: 80, 3: 3, 4: 31}
	f.answers(func(_ *fakeBroker, request kmsg.Request) kmsg.Response {
		r, ok := request.(*kmsg.ElectLeadersRequest)
		if !ok {
			return nil
		}
		response := kmsg.NewPtrElectLeadersResponse()
		answered := kmsg.ElectLeadersResponseTopic{Topic: r.Topics[0].Topic}
		for _, p := range r.Topics[0].Partitions {
			if p < 5 {
				answered.Partitions = append(answered.Partitions, kmsg.ElectLeadersResponseTopicPartition{Partition: p, ErrorCode: codes[p]})
			}
		}
		if r.ElectionType != 0 {
			return nil // never an unclean one
		}
		response.Topics = append(response.Topics, answered)
		return response
	})
	var asked []balance.TopicPartition
	for i := range 6 {
		asked = append(asked, part("orders", i))
	}
	outcomes, err := x.Elect(t.Context(), asked)
	require.NoError(t, err)
	want := []reassign.Code{reassign.CodeOK, reassign.CodeOK, reassign.CodeNotInSync, reassign.CodeMissing, reassign.CodeDenied, reassign.CodeUnknown}
	for i, o := range outcomes {
		require.Equal(t, asked[i], o.TopicPartition)
		require.Equal(t, want[i], o.Code, "partition %d", i)
	}
}

func TestWhatACodeMeans(t *testing.T) {
	for _, row := range []struct {
		code    sarama.KError
		message string
		want    reassign.Code
		says    string
	}{
		{sarama.ErrNoError, "fine", reassign.CodeOK, ""},
		{sarama.ErrElectionNotNeeded, "", reassign.CodeOK, ""},
		{sarama.ErrUnknownTopicOrPartition, "This server does not host this", reassign.CodeMissing, "there is no such topic or partition"},
		{sarama.ErrInvalidReplicaAssignment, "broker 9 is\n\tnot registered", reassign.CodeInvalid, "broker 9 is not registered"},
		{sarama.ErrClusterAuthorizationFailed, "Request(processor=1,\nconnectionId=…", reassign.CodeDenied, "the user lacks a permission on the cluster"},
		{sarama.ErrRequestTimedOut, "", reassign.CodeUnknown, "the controller did not answer in time"},
		{sarama.ErrThrottlingQuotaExceeded, "", reassign.CodeUnknown, "The throttling quota has been exceeded"},
		{sarama.KError(1234), "", reassign.CodeUnknown, "Unknown error, how did this happen? Error code = 1234"},
	} {
		code, says := judged(row.code, row.message)
		require.Equal(t, row.want, code, "%v", row.code)
		require.Equal(t, row.says, says)
	}
}

func TestMessagesAreOneLineOfBoundedLength(t *testing.T) {
	require.Equal(t, "a b c", oneLine("a\n\tb  \r\nc "))
	long := oneLine(fmt.Sprint(make([]string, 50), "ä", make([]int, 500)))
	require.LessOrEqual(t, len(long), longestMessage+len(" …"))
	require.True(t, errors.Is(refused("x", sarama.ErrNotController), sarama.ErrNotController))
}
