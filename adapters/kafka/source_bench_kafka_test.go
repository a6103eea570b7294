//go:build kafka

package kafka

import (
	"fmt"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/IBM/sarama"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/internal/kafkatest"
)

// BenchmarkKafkaSourceReading is one full reading of 2,000 partitions on three brokers: a round with sizes, and the
// topology. It tells what that costs on the wire. The cluster is its own, since making that many logs keeps brokers from
// their heartbeats.
func BenchmarkKafkaSourceReading(b *testing.B) {
	const topics, partitions = 4, 500
	c := kafkatest.Start(b, kafkatest.Config{SessionTimeout: 30 * time.Second})
	for topic := range topics {
		assignment := make([][]int32, partitions)
		for i := range assignment {
			assignment[i] = []int32{int32(1 + i%3)}
		}
		name := fmt.Sprintf("many-%d", topic)
		require.NoError(b, c.CreateTopic(name, assignment, nil))
		b.Cleanup(func() { _ = c.DeleteTopic(name) })
		require.NoError(b, c.WaitInSync()) // brokers make a few hundred logs a second
	}
	wire := &meteredDialer{}
	conf := sarama.NewConfig()
	conf.Net.Proxy.Enable, conf.Net.Proxy.Dialer = true, wire
	client, err := Open(b.Context(), ClientConfig{Brokers: c.Bootstrap(), Sarama: conf})
	require.NoError(b, err)
	b.Cleanup(client.Close)
	s := NewSource(client, SourceConfig{Every: time.Hour})
	read := func() Round {
		r, err := s.sample(b.Context(), true)
		require.NoError(b, err)
		_, err = s.Read(b.Context())
		require.NoError(b, err)
		return r
	}
	require.True(b, eventually(func() bool { // connections, settings, and leaders that know that they lead
		r := read()
		b.Logf("%+v", r)
		return r.Answered == r.Partitions
	}))
	*wire = meteredDialer{}
	for b.Loop() {
		r := read()
		require.Equal(b, r.Partitions, r.Answered)
	}
	n := float64(b.N)
	b.ReportMetric(float64(wire.requests.Load())/n, "requests/op")
	b.ReportMetric(float64(wire.sent.Load())/n, "sent-B/op")
	b.ReportMetric(float64(wire.received.Load())/n, "received-B/op")
}

// meteredDialer counts what goes over its connections. Sarama writes each request in one piece.
type meteredDialer struct{ requests, sent, received atomic.Int64 }

func (d *meteredDialer) Dial(network, address string) (net.Conn, error) {
	conn, err := net.Dial(network, address)
	return &meteredConn{conn, d}, err
}

type meteredConn struct {
	net.Conn
	d *meteredDialer
}

func (c *meteredConn) Write(p []byte) (int, error) {
	c.d.requests.Add(1)
	n, err := c.Conn.Write(p)
	c.d.sent.Add(int64(n))
	return n, err
}

func (c *meteredConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.d.received.Add(int64(n))
	return n, err
}
