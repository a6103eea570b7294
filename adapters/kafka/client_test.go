package kafka

import (
	"context"
	"testing"
	"time"

	"github.com/IBM/sarama"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"
)

func TestAnyBrokerIsTheFirstThatIsAlive(t *testing.T) {
	f := newFakes(t, 3)
	f.fenced[1] = true
	c := f.client()
	for range 3 {
		require.NoError(t, c.onAny(t.Context(), control, ping))
	}
	require.Equal(t, []int32{2, 2, 2}, f.askedFor(kmsg.DescribeCluster))
	require.NoError(t, c.onAnyFrom(t.Context(), control, 1, ping))
	require.NoError(t, c.onAnyFrom(t.Context(), control, 2, ping))
	require.Equal(t, []int32{2, 2, 2, 3, 2}, f.askedFor(kmsg.DescribeCluster), "another opinion is asked of another broker")
}

func TestBrokerThatFailedLatelyIsAskedLast(t *testing.T) {
	f := newFakes(t, 3)
	c := f.client()
	f.answers(stuck(1))
	for range 3 {
		require.NoError(t, c.onAny(t.Context(), control, ping))
	}
	require.Equal(t, []int32{1, 2, 2, 2}, f.askedFor(kmsg.DescribeCluster), "it holds up one call alone")
	f.answers(nil)
	require.NoError(t, c.onBroker(t.Context(), 1, control, ping))
	require.NoError(t, c.onAny(t.Context(), control, ping))
	require.Equal(t, []int32{1, 2, 2, 2, 1, 1}, f.askedFor(kmsg.DescribeCluster), "until it has answered")
}

func TestCallersDeadlineLeavesTimeForASecondBroker(t *testing.T) {
	f := newFakes(t, 3)
	c := f.client()
	f.answers(stuck(1))
	c.patience[control] = time.Hour
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	require.NoError(t, c.onAny(ctx, control, ping))
}

func TestBrokersWithoutAControllerPassACallOn(t *testing.T) {
	f := newFakes(t, 3)
	c := f.client()
	tried := 0
	err := c.onAny(t.Context(), control, func(b *sarama.Broker) error {
		if tried++; tried < 3 {
			return refused("altering", sarama.ErrRequestTimedOut)
		}
		return ping(b)
	})
	require.NoError(t, err)
	require.Equal(t, []int32{3}, f.askedFor(kmsg.DescribeCluster))
	tried = 0
	err = c.onAny(t.Context(), control, func(*sarama.Broker) error {
		tried++
		return denied("ALTER", sarama.ErrClusterAuthorizationFailed)
	})
	require.ErrorContains(t, err, "lacks ALTER")
	require.Equal(t, 1, tried, "another broker would say the same")
}

func TestThreeSilentBrokersAreEnough(t *testing.T) {
	f := newFakes(t, 5)
	c := f.client()
	f.answers(stuck(1, 2, 3, 4, 5))
	require.ErrorContains(t, c.onAny(t.Context(), control, ping), "has not answered")
	require.Equal(t, []int32{1, 2, 3}, f.askedFor(kmsg.DescribeCluster))
}

func TestBrokersThatAreGoneAreForgotten(t *testing.T) {
	f := newFakes(t, 3)
	c := f.client()
	all, err := c.describeCluster(t.Context())
	require.NoError(t, err)
	moved := all[1]
	moved.Host = "localhost" // broker 2 has another address, broker 3 is unregistered
	c.learn([]brokerInfo{all[0], moved})
	require.True(t, notSent(c.onBroker(t.Context(), 3, control, ping)))
	require.NoError(t, c.onBroker(t.Context(), 2, control, ping))
	f.brokers[0].stop()
	f.brokers[1].stop()
	require.ErrorContains(t, c.onAny(t.Context(), control, ping), "cannot be reached")
}

func TestOpenReachesAClusterThroughAnyOfItsAddresses(t *testing.T) {
	f := newFakes(t, 2)
	c, err := Open(t.Context(), ClientConfig{Brokers: []string{"127.0.0.1:1", f.brokers[1].address()}})
	require.NoError(t, err)
	defer c.Close()
	brokers, err := c.describeCluster(t.Context())
	require.NoError(t, err)
	require.Equal(t, []int32{1, 2}, alive(brokers))
}

func TestOpenSaysThatAdvertisedAddressesCannotBeReached(t *testing.T) {
	f := newFakes(t, 1)
	f.answers(func(_ *fakeBroker, _ kmsg.Request) kmsg.Response {
		elsewhere := kmsg.NewPtrDescribeClusterResponse()
		elsewhere.Brokers = []kmsg.DescribeClusterResponseBroker{{NodeID: 1, Host: "kafka-0.invalid", Port: 9092}}
		return elsewhere
	})
	_, err := Open(t.Context(), ClientConfig{Brokers: []string{f.brokers[0].address()}})
	require.ErrorContains(t, err, "answers, but the address that its brokers advertise does not")
	require.ErrorContains(t, err, "kafka-0.invalid:9092 cannot be reached (no such host)")
}

func TestOpenSaysWhatIsWrongWithTheConfiguration(t *testing.T) {
	_, err := Open(t.Context(), ClientConfig{})
	require.EqualError(t, err, "Brokers is empty: give host:port of at least one broker")
}

func TestAskEachKeepsTheOrder(t *testing.T) {
	f := newFakes(t, 4)
	c := f.client()
	f.answers(stuck(3))
	answers := askEach(t.Context(), c, []int32{4, 3, 2, 1}, control, 200*time.Millisecond, func(b *sarama.Broker, id int32) (int32, error) {
		return 10 * id, ping(b)
	})
	require.Len(t, answers, 4)
	for i, want := range []int32{40, 30, 20, 10} {
		require.Equal(t, want, 10*answers[i].broker)
		if want == 30 {
			require.Error(t, answers[i].err, "it hangs, and holds up no other")
			continue
		}
		require.NoError(t, answers[i].err)
		require.Equal(t, want, answers[i].value)
	}
}
