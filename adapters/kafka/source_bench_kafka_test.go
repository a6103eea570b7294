//go:build kafka

package kafka

import (
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/IBM/sarama"
	"github.com/stretchr/testify/require"
)

// BenchmarkKafkaSourceReading is one full reading of a thousand partitions on each of five brokers: a round with sizes,
// and the topology. It tells what that costs on the wire.
func BenchmarkKafkaSourceReading(b *testing.B) {
	const partitions = 5000
	c := shared.Cluster(b)
	assignment := make([][]int32, partitions)
	for i := range assignment {
		assignment[i] = []int32{int32(1 + i%5)}
	}
	require.NoError(b, c.CreateTopic("many", assignment, nil))
	b.Cleanup(func() { _ = c.DeleteTopic("many") })
	wire := &meteredDialer{}
	conf := sarama.NewConfig()
	conf.Net.Proxy.Enable, conf.Net.Proxy.Dialer = true, wire
	client, err := Open(b.Context(), ClientConfig{Brokers: c.Bootstrap(), Sarama: conf})
	require.NoError(b, err)
	b.Cleanup(client.Close)
	s := NewSource(client, SourceConfig{Every: time.Hour})
	read := func() {
		r, err := s.sample(b.Context(), true)
		require.NoError(b, err)
		require.GreaterOrEqual(b, r.Answered, partitions)
		_, err = s.Read(b.Context())
		require.NoError(b, err)
	}
	read() // connections, settings and seeds
	*wire = meteredDialer{}
	for b.Loop() {
		read()
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
