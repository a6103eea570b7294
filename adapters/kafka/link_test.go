package kafka

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/IBM/sarama"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// ping asks for the cluster.
func ping(b *sarama.Broker) error {
	_, err := askCluster(b)
	return err
}

// stuck answers DescribeCluster only for brokers that are not stuck.
func stuck(ids ...int32) func(*fakeBroker, kmsg.Request) kmsg.Response {
	return func(b *fakeBroker, _ kmsg.Request) kmsg.Response {
		for _, id := range ids {
			if b.id == id {
				return hang
			}
		}
		return nil
	}
}

func TestCallOnAConnectionThatWasClosedWhileIdleIsMadeAgain(t *testing.T) {
	f := newFakes(t, 1)
	c := f.client()
	require.NoError(t, c.onBroker(t.Context(), 1, measure, ping))
	f.brokers[0].disconnect()
	require.NoError(t, c.onBroker(t.Context(), 1, measure, ping))
}

func TestBrokerThatIsDownWasSentNothing(t *testing.T) {
	f := newFakes(t, 2)
	c := f.client()
	f.brokers[1].stop()
	err := c.onBroker(t.Context(), 2, control, ping)
	require.True(t, notSent(err), "%v", err)
	require.ErrorContains(t, err, "cannot be reached (connection refused)")
	err = c.onBroker(t.Context(), 9, control, ping)
	require.True(t, notSent(err))
	require.ErrorContains(t, err, "broker 9 cannot be reached (it is not registered)")
}

// sarama fails every call on a connection that had one time-out, until it is closed.
func TestSilentBrokerIsCutOffAndAskedOnANewConnection(t *testing.T) {
	f := newFakes(t, 1)
	c := f.client()
	f.answers(stuck(1))
	err := c.onBroker(t.Context(), 1, control, ping)
	require.ErrorContains(t, err, "has not answered within 300ms")
	require.False(t, notSent(err), "its outcome is unknown")
	f.answers(nil)
	require.NoError(t, c.onBroker(t.Context(), 1, control, ping))
}

func TestEndOfTheContextEndsTheCall(t *testing.T) {
	f := newFakes(t, 1)
	c := f.client()
	f.answers(stuck(1))
	c.patience[control] = time.Hour
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("the operator went home")
	var calls sync.WaitGroup
	for range 3 { // one is at work, the others queue
		calls.Go(func() { require.ErrorIs(t, c.onBroker(ctx, 1, control, ping), why) })
	}
	require.Eventually(t, func() bool { return len(f.askedFor(kmsg.DescribeCluster)) > 0 }, 5*time.Second, time.Millisecond)
	cancel(why)
	calls.Wait()
	require.ErrorIs(t, c.onBroker(ctx, 1, control, ping), why)
	f.answers(nil)
	require.NoError(t, c.onBroker(t.Context(), 1, control, ping))
}

func TestEachPurposeHasItsOwnConnection(t *testing.T) {
	f := newFakes(t, 1)
	c := f.client()
	f.answers(stuck(1))
	c.patience[measure] = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	var slow sync.WaitGroup
	slow.Go(func() { require.Error(t, c.onBroker(ctx, 1, measure, ping)) })
	require.Eventually(t, func() bool { return len(f.askedFor(kmsg.DescribeCluster)) > 0 }, 5*time.Second, time.Millisecond)
	f.answers(nil)
	require.NoError(t, c.onBroker(t.Context(), 1, control, ping), "a slow measurement is not in its way")
	cancel()
	slow.Wait()
}

func TestClosingEndsWhatIsUnderWay(t *testing.T) {
	f := newFakes(t, 1)
	c := f.client()
	f.answers(stuck(1))
	c.patience[control] = time.Hour
	var call sync.WaitGroup
	call.Go(func() { require.ErrorIs(t, c.onAny(t.Context(), control, ping), ErrClosed) })
	require.Eventually(t, func() bool { return len(f.askedFor(kmsg.DescribeCluster)) > 0 }, 5*time.Second, time.Millisecond)
	c.Close()
	call.Wait()
	require.ErrorIs(t, c.onAny(t.Context(), control, ping), ErrClosed)
	require.ErrorIs(t, c.onBroker(t.Context(), 1, control, ping), ErrClosed)
	c.Close()
}

func TestWhatDropsAConnection(t *testing.T) {
	for _, row := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{refused("listing", sarama.ErrClusterAuthorizationFailed), false},
		{denied("ALTER", sarama.ErrClusterAuthorizationFailed), false},
		{sarama.ErrSASLAuthenticationFailed, true},
		{io.EOF, true},
		{sarama.ErrNotConnected, true},
		{&net.OpError{Op: "read", Err: errors.New("i/o timeout")}, true},
		{sarama.PacketDecodingError{Info: "nonsense"}, true},
	} {
		require.Equal(t, row.want, dropsConnection(row.err), "%v", row.err)
	}
}
