package kafkatest

import (
	"encoding/binary"
	"io"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// server answers one request with the bytes given, after reading the request.
func server(t *testing.T, answer []byte) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	go func() {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		defer connection.Close()
		var length uint32
		if binary.Read(connection, binary.BigEndian, &length) == nil {
			io.CopyN(io.Discard, connection, int64(length))
			connection.Write(answer)
		}
	}()
	return listener.Addr().String()
}

func metadataRequest() *kmsg.MetadataRequest {
	request := kmsg.NewPtrMetadataRequest()
	request.Version = 12
	return request
}

func TestAnAnswerIsRead(t *testing.T) {
	response := kmsg.NewPtrMetadataResponse()
	response.Version = 12
	response.ClusterID = kmsg.StringPtr("abc")
	body := response.AppendTo([]byte{0, 0, 0, 1, 0}) // correlation id and no tagged fields
	frame := append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), body...)
	answer, err := call[*kmsg.MetadataResponse](server(t, frame), metadataRequest())
	require.NoError(t, err)
	require.Equal(t, "abc", *answer.ClusterID)
}

func TestAnswersThatAreNoneAreErrors(t *testing.T) {
	for name, answer := range map[string][]byte{
		"closed at once":        nil,
		"shorter than a length": {0, 0},
		"shorter than told":     {0, 0, 0, 9, 1, 2},
		"a web server's":        []byte("HTTP/1.1 400 Bad Request\r\n"),
		"no header":             {0, 0, 0, 2, 0, 0},
		"tags in the header":    {0, 0, 0, 5, 0, 0, 0, 1, 9},
		"no body":               {0, 0, 0, 5, 0, 0, 0, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			address := server(t, answer)
			_, err := call[*kmsg.MetadataResponse](address, metadataRequest())
			require.ErrorContains(t, err, "Metadata to "+address)
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 0})
	f.Add([]byte{0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, body []byte) {
		response, err := decode(metadataRequest(), body)
		if err == nil {
			require.NotNil(t, response)
		}
	})
}
