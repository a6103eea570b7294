package kafka

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

var orders = balance.TopicPartition{Topic: "orders"}

// scene is a cluster as fakes show it.
type scene struct {
	// metadata answers for one topic, by the broker asked and how often metadata of single topics was asked for.
	metadata func(broker int32, time int) *kmsg.MetadataResponse
	listed   *kmsg.ListPartitionReassignmentsResponse
	times    atomic.Int32
}

func (s *scene) answer(b *fakeBroker, request kmsg.Request) kmsg.Response {
	switch r := request.(type) {
	case *kmsg.ListPartitionReassignmentsRequest:
		if s.listed == nil {
			return kmsg.NewPtrListPartitionReassignmentsResponse()
		}
		return s.listed
	case *kmsg.MetadataRequest:
		if r.Topics == nil {
			return placed("orders", []int32{1, 2}, []int32{1, 2})
		}
		return s.metadata(b.id, int(s.times.Add(1)))
	case *kmsg.DescribeLogDirsRequest:
		return kmsg.NewPtrDescribeLogDirsResponse()
	case *kmsg.DescribeConfigsRequest:
		return described(r, map[string]string{minISRKey: "2"})
	}
	return nil
}

// described answers that every resource has these settings of its own.
func described(r *kmsg.DescribeConfigsRequest, settings map[string]string) kmsg.Response {
	response := kmsg.NewPtrDescribeConfigsResponse()
	for _, asked := range r.Resources {
		resource := kmsg.DescribeConfigsResponseResource{ResourceType: asked.ResourceType, ResourceName: asked.ResourceName}
		for _, key := range asked.ConfigNames {
			if value, set := settings[key]; set {
				resource.Configs = append(resource.Configs, kmsg.DescribeConfigsResponseResourceConfig{
					Name: key, Value: &value, Source: kmsg.ConfigSourceDynamicTopicConfig,
				})
			}
		}
		response.Resources = append(response.Resources, resource)
	}
	return response
}

// look looks at the orders on a scene of three brokers.
func look(t *testing.T, s *scene, prepare func(*Executor)) (reassign.View, error, *fakes) {
	t.Helper()
	f := newFakes(t, 3)
	f.fenced[3] = true
	x := NewExecutor(f.client())
	f.answers(s.answer)
	if prepare != nil {
		prepare(x)
	}
	view, err := x.Look(t.Context(), reassign.Query{Partitions: []balance.TopicPartition{orders}})
	return view, err, f
}

// always shows the same replicas.
func always(replicas ...int32) func(int32, int) *kmsg.MetadataResponse {
	return func(int32, int) *kmsg.MetadataResponse { return placed("orders", replicas) }
}

func TestLookShowsMetadata(t *testing.T) {
	view, err, _ := look(t, &scene{metadata: always(1, 2)}, nil)
	require.NoError(t, err)
	require.Equal(t, []int32{1, 2}, view.Alive, "3 is fenced")
	require.Equal(t, []reassign.Live{{
		TopicPartition: orders, TopicID: "AQAAAAAAAAAAAAAAAAAAAA", Leader: 1, Replicas: []int32{1, 2}, ISR: []int32{1, 2}, MinISR: 2,
	}}, view.Partitions)
}

// Metadata shows a move as more replicas; which are new and which go, the controller says.
func TestLookTakesMovesFromTheController(t *testing.T) {
	view, err, _ := look(t, &scene{
		metadata: always(1, 2), // not even begun, by this broker
		listed:   moves("orders", 0, []int32{3, 1, 2}, []int32{3}, []int32{2}),
	}, nil)
	require.NoError(t, err)
	l := view.Partitions[0]
	require.Equal(t, [][]int32{{3, 1, 2}, {3}, {2}}, [][]int32{l.Replicas, l.Adding, l.Removing})
	require.Empty(t, view.Foreign)
}

func TestLookNamesTheMovesOfOthers(t *testing.T) {
	view, err, _ := look(t, &scene{
		metadata: always(1, 2),
		listed:   moves("orders", 1, []int32{3, 1, 2}, []int32{3}, []int32{2}),
	}, nil)
	require.NoError(t, err)
	require.Equal(t, []balance.TopicPartition{{Topic: "orders", Partition: 1}}, view.Foreign)
}

// submitted lets an executor have moved the orders to 3, 1.
func submitted(x *Executor) { x.ends.submitted(orders, []int32{3, 1}) }

func TestLookAsksAnotherBrokerWhenMetadataTrails(t *testing.T) {
	s := &scene{metadata: func(broker int32, _ int) *kmsg.MetadataResponse {
		if broker == 1 {
			return placed("orders", []int32{3, 1, 2}) // still old and new together
		}
		return placed("orders", []int32{3, 1})
	}}
	view, err, f := look(t, s, submitted)
	require.NoError(t, err)
	require.Equal(t, []int32{3, 1}, view.Partitions[0].Replicas)
	require.Equal(t, []int32{1, 2}, f.askedFor(kmsg.ListPartitionReassignments))
}

// Somebody cancelled the move, for example: after a second the executor believes what it sees.
func TestLookBelievesMetadataInTheEnd(t *testing.T) {
	s := &scene{metadata: always(1, 2)}
	view, err, _ := look(t, s, submitted)
	require.NoError(t, err)
	require.Equal(t, []int32{1, 2}, view.Partitions[0].Replicas)
	require.Equal(t, len(rereads)+1, int(s.times.Load()))
}

func TestLookAsksTwiceBeforeAPartitionIsMissing(t *testing.T) {
	gone := &scene{metadata: func(int32, int) *kmsg.MetadataResponse { return absent("orders") }}
	view, err, _ := look(t, gone, nil)
	require.NoError(t, err)
	require.Equal(t, []balance.TopicPartition{orders}, view.Missing)
	require.Equal(t, int32(2), gone.times.Load())

	created := &scene{metadata: func(broker int32, _ int) *kmsg.MetadataResponse {
		if broker == 1 {
			return absent("orders")
		}
		return placed("orders", []int32{1, 2})
	}}
	view, err, _ = look(t, created, nil)
	require.NoError(t, err)
	require.Empty(t, view.Missing, "the other broker knows it")
	require.Len(t, view.Partitions, 1)
}

func TestLookFailsWhenNoBrokerKnowsAPartitionThatMoves(t *testing.T) {
	_, err, _ := look(t, &scene{
		metadata: func(int32, int) *kmsg.MetadataResponse { return absent("orders") },
		listed:   moves("orders", 0, []int32{3, 1, 2}, []int32{3}, []int32{2}),
	}, nil)
	require.ErrorContains(t, err, "no broker knows yet of partitions that are being reassigned, for example orders-0")
}

func TestLookNeverTakesAnErrorForAnEmptyList(t *testing.T) {
	for code, want := range map[int16]string{
		31: "the user lacks DESCRIBE on the cluster",
		7:  "listing reassignments: the controller did not answer in time",
		-1: "listing reassignments: the controller failed on it",
	} {
		refusal := kmsg.NewPtrListPartitionReassignmentsResponse()
		refusal.ErrorCode = code
		_, err, _ := look(t, &scene{metadata: always(1, 2), listed: refusal}, nil)
		require.ErrorContains(t, err, want)
	}
}

func TestLookFailsWhenATopicIsHidden(t *testing.T) {
	_, err, _ := look(t, &scene{metadata: func(int32, int) *kmsg.MetadataResponse {
		hidden := absent("orders")
		hidden.Topics[0].ErrorCode = 29
		return hidden
	}}, nil)
	require.ErrorContains(t, err, `the user lacks DESCRIBE on topic "orders": grant it with an ACL`)
}

// The brokers hold a topic that metadata leaves out, for want of a permission.
func TestLookNoticesThatMetadataLeavesTopicsOut(t *testing.T) {
	f := newFakes(t, 1)
	x := NewExecutor(f.client())
	s := &scene{}
	f.answers(func(b *fakeBroker, request kmsg.Request) kmsg.Response {
		switch r := request.(type) {
		case *kmsg.DescribeLogDirsRequest:
			held := kmsg.NewPtrDescribeLogDirsResponse()
			held.Dirs = []kmsg.DescribeLogDirsResponseDir{{Dir: "/d", Topics: []kmsg.DescribeLogDirsResponseDirTopic{
				{Topic: "orders"}, {Topic: "secret"}, {Topic: "deleted"},
			}}}
			return held
		case *kmsg.MetadataRequest:
			if r.Topics != nil {
				answer := absent("deleted")
				answer.Topics = append(answer.Topics, absent("secret").Topics...)
				answer.Topics[1].ErrorCode = 29
				return answer
			}
		}
		return s.answer(b, request)
	})
	_, err := x.Look(t.Context(), reassign.Query{})
	require.ErrorContains(t, err, `the user lacks DESCRIBE on topic "secret", and perhaps on others`)
}

// Every partition of every topic is named to the controller, and all topics are read only now and then.
func TestLookNamesAllPartitionsToTheController(t *testing.T) {
	f := newFakes(t, 1)
	x := NewExecutor(f.client())
	s := &scene{metadata: always(1, 2)}
	var named []kmsg.ListPartitionReassignmentsRequestTopic
	f.answers(func(b *fakeBroker, request kmsg.Request) kmsg.Response {
		if r, ok := request.(*kmsg.ListPartitionReassignmentsRequest); ok {
			named = r.Topics
		}
		return s.answer(b, request)
	})
	asked := reassign.Query{Partitions: []balance.TopicPartition{orders, {Topic: "new", Partition: 2}}}
	for range 3 {
		_, err := x.Look(t.Context(), reassign.Query{})
		require.NoError(t, err)
	}
	require.Len(t, f.askedFor(kmsg.Metadata), 1)
	require.Equal(t, "orders", named[0].Topic)
	require.Equal(t, []int32{0, 1}, named[0].Partitions)
	s.metadata = func(int32, int) *kmsg.MetadataResponse {
		answer := placed("orders", []int32{1, 2})
		answer.Topics = append(answer.Topics, absent("new").Topics...)
		return answer
	}
	_, err := x.Look(t.Context(), asked)
	require.NoError(t, err)
	i := slices.IndexFunc(named, func(t kmsg.ListPartitionReassignmentsRequestTopic) bool { return t.Topic == "new" })
	require.Equal(t, []int32{0, 1, 2}, named[i].Partitions, "also of what is asked about and not known")
}

func TestLookEndsWithItsContext(t *testing.T) {
	f := newFakes(t, 1)
	x := NewExecutor(f.client())
	ctx, cancel := context.WithCancel(t.Context())
	s := &scene{metadata: func(int32, int) *kmsg.MetadataResponse {
		cancel()
		return placed("orders", []int32{1, 2})
	}}
	f.answers(s.answer)
	submitted(x) // so that it would ask again
	_, err := x.Look(ctx, reassign.Query{Partitions: []balance.TopicPartition{orders}})
	require.ErrorIs(t, err, context.Canceled)
}
