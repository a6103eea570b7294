package kafka

import (
	"encoding/binary"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"
	"go.uber.org/goleak"
)

// fakes are brokers that speak the protocol, through another implementation than sarama's, and answer what a test
// says.
type fakes struct {
	t       *testing.T
	brokers []*fakeBroker

	mu     sync.Mutex
	answer func(b *fakeBroker, request kmsg.Request) kmsg.Response
	fenced map[int32]bool
	asked  map[int16][]int32 // by kind of request: the brokers that were asked
}

type fakeBroker struct {
	*fakes
	id       int32
	listener net.Listener

	mu    sync.Mutex
	conns []net.Conn
}

// hang is an answer that does not come.
var hang = &kmsg.ApiVersionsResponse{Version: -1}

// newFakes starts n brokers with ids from 1. DescribeCluster and ApiVersions are answered already.
func newFakes(t *testing.T, n int) *fakes {
	t.Helper()
	before := goleak.IgnoreCurrent()
	f := &fakes{t: t, fenced: map[int32]bool{}, asked: map[int16][]int32{}}
	var serving sync.WaitGroup
	for i := range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		b := &fakeBroker{fakes: f, id: int32(i + 1), listener: l}
		f.brokers = append(f.brokers, b)
		serving.Go(func() { b.accept(&serving) })
	}
	t.Cleanup(func() {
		for _, b := range f.brokers {
			b.stop()
		}
		serving.Wait()
		goleak.VerifyNone(t, before, goleak.IgnoreAnyFunction("github.com/rcrowley/go-metrics.(*meterArbiter).tick"))
	})
	return f
}

// client connects to the fakes, with little patience.
func (f *fakes) client() *Client {
	f.t.Helper()
	c, err := Open(f.t.Context(), ClientConfig{Brokers: []string{f.brokers[0].address()}})
	require.NoError(f.t, err)
	c.patience = [purposes]time.Duration{control: 300 * time.Millisecond, measure: 300 * time.Millisecond}
	f.t.Cleanup(c.Close)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = map[int16][]int32{}
	return c
}

// answers sets what is answered from now on. nil closes the connection, and hang never answers.
func (f *fakes) answers(answer func(b *fakeBroker, request kmsg.Request) kmsg.Response) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answer = answer
}

// askedFor returns the brokers that got requests of a kind, in order.
func (f *fakes) askedFor(key kmsg.Key) []int32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.asked[int16(key)])
}

func (b *fakeBroker) address() string { return b.listener.Addr().String() }

// stop refuses new connections and ends those there are.
func (b *fakeBroker) stop() {
	_ = b.listener.Close()
	b.disconnect()
}

// disconnect ends all connections, as a broker does with those that were idle.
func (b *fakeBroker) disconnect() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, conn := range b.conns {
		_ = conn.Close()
	}
	b.conns = nil
}

func (b *fakeBroker) accept(serving *sync.WaitGroup) {
	for {
		conn, err := b.listener.Accept()
		if err != nil {
			return
		}
		b.mu.Lock()
		b.conns = append(b.conns, conn)
		b.mu.Unlock()
		serving.Go(func() {
			defer conn.Close()
			for b.serve(conn) {
			}
		})
	}
}

// serve answers one request and reports whether the connection is still good.
func (b *fakeBroker) serve(conn net.Conn) bool {
	var length uint32
	if binary.Read(conn, binary.BigEndian, &length) != nil {
		return false
	}
	frame := make([]byte, length)
	if _, err := io.ReadFull(conn, frame); err != nil {
		return false
	}
	request, correlation := b.decode(frame)
	response := b.respond(request)
	switch {
	case response == nil:
		return false
	case response == kmsg.Response(hang):
		_, _ = conn.Read(make([]byte, 1)) // until the client gives up
		return false
	}
	response.SetVersion(request.GetVersion())
	answer := binary.BigEndian.AppendUint32(nil, correlation)
	if response.IsFlexible() && request.Key() != kmsg.ApiVersions.Int16() {
		answer = append(answer, 0)
	}
	answer = response.AppendTo(answer)
	_, err := conn.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(answer))), answer...))
	return err == nil
}

func (b *fakeBroker) decode(frame []byte) (kmsg.Request, uint32) {
	request := kmsg.RequestForKey(int16(binary.BigEndian.Uint16(frame)))
	request.SetVersion(int16(binary.BigEndian.Uint16(frame[2:])))
	body := frame[10+int(int16(binary.BigEndian.Uint16(frame[8:]))):] // behind the client's ID
	if request.IsFlexible() {
		body = body[1:]
	}
	if err := request.ReadFrom(body); err != nil {
		b.t.Errorf("%s v%d cannot be read: %v", kmsg.NameForKey(request.Key()), request.GetVersion(), err)
	}
	return request, binary.BigEndian.Uint32(frame[4:])
}

func (b *fakeBroker) respond(request kmsg.Request) kmsg.Response {
	b.fakes.mu.Lock()
	b.asked[request.Key()] = append(b.asked[request.Key()], b.id)
	answer := b.answer
	b.fakes.mu.Unlock()
	if request.Key() == kmsg.ApiVersions.Int16() {
		return everyVersion()
	}
	if answer != nil {
		if response := answer(b, request); response != nil || request.Key() != kmsg.DescribeCluster.Int16() {
			return response
		}
	}
	if request.Key() == kmsg.DescribeCluster.Int16() {
		return b.cluster()
	}
	return nil
}

func everyVersion() kmsg.Response {
	response := kmsg.NewPtrApiVersionsResponse()
	for key := range kmsg.MaxKey + 1 {
		if request := kmsg.RequestForKey(int16(key)); request != nil {
			response.ApiKeys = append(response.ApiKeys, kmsg.ApiVersionsResponseApiKey{ApiKey: int16(key), MaxVersion: request.MaxVersion()})
		}
	}
	return response
}

func (f *fakes) cluster() kmsg.Response {
	f.mu.Lock()
	defer f.mu.Unlock()
	response := kmsg.NewPtrDescribeClusterResponse()
	for _, b := range f.brokers {
		host, port, _ := net.SplitHostPort(b.address())
		n, _ := strconv.Atoi(port)
		response.Brokers = append(response.Brokers, kmsg.DescribeClusterResponseBroker{
			NodeID: b.id, Host: host, Port: int32(n), IsFenced: f.fenced[b.id],
		})
	}
	return response
}

// moves is an answer to a list of reassignments.
func moves(topic string, partition int32, replicas, adding, removing []int32) *kmsg.ListPartitionReassignmentsResponse {
	response := kmsg.NewPtrListPartitionReassignmentsResponse()
	response.Topics = []kmsg.ListPartitionReassignmentsResponseTopic{{Topic: topic, Partitions: []kmsg.ListPartitionReassignmentsResponseTopicPartition{
		{Partition: partition, Replicas: replicas, AddingReplicas: adding, RemovingReplicas: removing},
	}}}
	return response
}

// placed is metadata of one topic: partition i has replicas[i] and is led by the first.
func placed(topic string, replicas ...[]int32) *kmsg.MetadataResponse {
	response := kmsg.NewPtrMetadataResponse()
	t := kmsg.NewMetadataResponseTopic()
	t.Topic, t.TopicID = &topic, [16]byte{1}
	for i, list := range replicas {
		p := kmsg.NewMetadataResponseTopicPartition()
		p.Partition, p.Leader, p.Replicas, p.ISR = int32(i), list[0], list, list
		t.Partitions = append(t.Partitions, p)
	}
	response.Topics = append(response.Topics, t)
	return response
}

// absent is metadata of a topic that does not exist.
func absent(topic string) *kmsg.MetadataResponse {
	response := kmsg.NewPtrMetadataResponse()
	t := kmsg.NewMetadataResponseTopic()
	t.Topic, t.ErrorCode = &topic, 3
	response.Topics = append(response.Topics, t)
	return response
}
