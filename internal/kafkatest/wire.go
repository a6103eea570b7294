package kafkatest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

const (
	callTime = 30 * time.Second
	dialTime = 2 * time.Second
	clientID = "kafkatest"
	// largestAnswer guards against reading the answer of something that is no Kafka as a length.
	largestAnswer = 256 << 20
)

// call sends one request to one node over a connection of its own and returns the answer. The request's version must be
// set: nothing is negotiated, since all versions used here are known to every release this harness starts.
func call[R kmsg.Response](address string, request kmsg.Request) (answer R, err error) {
	connection, err := net.DialTimeout("tcp", address, dialTime)
	if err != nil {
		return answer, err
	}
	defer connection.Close()
	response, err := exchange(connection, request)
	if err != nil {
		return answer, fmt.Errorf("%s to %s: %w", kmsg.NameForKey(request.Key()), address, err)
	}
	answer, ok := response.(R)
	if !ok {
		return answer, fmt.Errorf("%s answered with %T", kmsg.NameForKey(request.Key()), response)
	}
	return answer, nil
}

func exchange(connection net.Conn, request kmsg.Request) (kmsg.Response, error) {
	if err := connection.SetDeadline(time.Now().Add(callTime)); err != nil {
		return nil, err
	}
	frame := kmsg.NewRequestFormatter(kmsg.FormatterClientID(clientID)).AppendRequest(nil, request, 1)
	if _, err := connection.Write(frame); err != nil {
		return nil, err
	}
	var length uint32
	if err := binary.Read(connection, binary.BigEndian, &length); err != nil {
		return nil, err
	}
	if length < 4 || length > largestAnswer {
		return nil, fmt.Errorf("an answer of %d bytes", length)
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(connection, body); err != nil {
		return nil, err
	}
	return decode(request, body)
}

// decode skips the header: a correlation id and, in flexible versions, tagged fields.
func decode(request kmsg.Request, body []byte) (kmsg.Response, error) {
	response := request.ResponseKind()
	if len(body) < 4 {
		return nil, errors.New("an answer without a header")
	}
	body = body[4:]
	if response.IsFlexible() {
		if len(body) == 0 || body[0] != 0 {
			return nil, errors.New("an answer whose header has tagged fields, which no Kafka release sends")
		}
		body = body[1:]
	}
	return response, response.ReadFrom(body)
}
