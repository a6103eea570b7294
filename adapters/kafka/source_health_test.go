package kafka

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/safety"
)

func TestHealth(t *testing.T) {
	w := newWorld(t, 4, &worldTopic{name: "orders", id: 1, settings: map[string]string{minISRKey: "2"}, parts: []worldPart{
		logOf(0, 0, 1, 2, 3), logOf(0, 0, 1, 2, 4), logOf(0, 0, 1, 4, 3),
	}})
	w.fenced[3] = true
	w.change(func() {
		w.topics[0].parts[0].isr = []int32{1}
		w.topics[0].parts[1].isr = []int32{1, 2} // 4 is being added
		w.topics[0].parts[2].isr = []int32{4, 1}
		w.listed = moves("orders", 1, []int32{4, 1, 2}, []int32{4}, nil)
	})
	h, err := w.source.Health(t.Context())
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), h.At, time.Minute)
	h.At = time.Time{}
	require.Equal(t, safety.Health{
		Controller: safety.ControllerHealthy, Registered: []int32{1, 2, 3, 4}, Alive: []int32{1, 2, 4},
		InFlight: []balance.TopicPartition{{Topic: "orders", Partition: 1}},
		Shrunk: []safety.ShrunkPartition{
			{TopicPartition: balance.TopicPartition{Topic: "orders"}, Replicas: 3, InSync: 1, MinISR: 2, Out: []int32{2, 3}},
			{TopicPartition: balance.TopicPartition{Topic: "orders", Partition: 2}, Replicas: 3, InSync: 2, MinISR: 2, Out: []int32{3}},
		},
	}, h)
	require.Empty(t, w.askedFor(kmsg.ListOffsets), "health is no measurement")
}

func TestHealthTellsOfTheController(t *testing.T) {
	list := func(code int16) kmsg.Response {
		r := kmsg.NewPtrListPartitionReassignmentsResponse()
		r.ErrorCode = code
		return r
	}
	for name, c := range map[string]struct {
		answer     kmsg.Response
		controller safety.ControllerState
	}{
		"it answers":              {list(0), safety.ControllerHealthy},
		"there is none":           {list(7), safety.ControllerUnhealthy},
		"brokers do not know one": {list(41), safety.ControllerUnhealthy},
		"nothing answers":         {hang, safety.ControllerUnknown},
		"connections break":       {nil, safety.ControllerUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 2, &worldTopic{name: "orders", id: 1, parts: []worldPart{logOf(0, 0, 1, 2)}})
			w.instead(kmsg.ListPartitionReassignments, func(*fakeBroker, kmsg.Request) kmsg.Response { return c.answer })
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			h, err := w.source.Health(ctx)
			require.NoError(t, err)
			require.Equal(t, c.controller, h.Controller)
			require.Equal(t, []int32{1, 2}, h.Alive)
			require.Empty(t, h.InFlight)
		})
	}
}

func TestHealthFailsWhenNothingCanBeSaid(t *testing.T) {
	w := newWorld(t, 2, &worldTopic{name: "orders", id: 1, parts: []worldPart{logOf(0, 0, 1, 2)}})
	w.instead(kmsg.ListPartitionReassignments, func(*fakeBroker, kmsg.Request) kmsg.Response {
		r := kmsg.NewPtrListPartitionReassignmentsResponse()
		r.ErrorCode = 31
		return r
	})
	_, err := w.source.Health(t.Context())
	require.ErrorContains(t, err, "asking the controller: the user lacks DESCRIBE on the cluster")

	w.instead(kmsg.ListPartitionReassignments, func(*fakeBroker, kmsg.Request) kmsg.Response { return hang })
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err = w.source.Health(ctx)
	require.ErrorIs(t, err, context.Canceled)

	w.instead(kmsg.Metadata, func(*fakeBroker, kmsg.Request) kmsg.Response { return nil })
	_, err = w.source.Health(t.Context())
	require.ErrorContains(t, err, "looking at the cluster: ")
}
