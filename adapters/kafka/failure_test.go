package kafka

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"syscall"
	"testing"

	"github.com/IBM/sarama"
	"github.com/stretchr/testify/require"
)

func refusedConnection() error {
	return &net.OpError{Op: "dial", Net: "tcp", Err: &net.OpError{Op: "connect", Err: syscall.ECONNREFUSED}}
}

func TestFailuresToConnectSayWhatToDo(t *testing.T) {
	plainText, err := ClientConfig{Brokers: []string{"a:1"}, SASL: sasl(PLAIN, "admin", "secret")}.build()
	require.NoError(t, err)
	encrypted, err := ClientConfig{Brokers: []string{"a:1"}, TLS: TLS{Enabled: true}}.build()
	require.NoError(t, err)
	for _, row := range []struct {
		conf *sarama.Config
		err  error
		want string
	}{
		{plainText, &unreachableError{"a:1", refusedConnection()}, "check the address, and that the brokers run: a:1 cannot be reached (connection refused)"},
		{plainText, &unreachableError{"a:1", &net.DNSError{IsNotFound: true, Name: "a"}}, "a:1 cannot be reached (no such host)"},
		{plainText, &silentError{"a:1", "has not answered within 10s", nil}, "check the address, and that the brokers run: a:1 has not answered within 10s"},
		{plainText, sarama.ErrSASLAuthenticationFailed, `the brokers refuse user "admin" with PLAIN`},
		{plainText, sarama.ErrUnsupportedSASLMechanism, "the brokers do not offer the SASL mechanism PLAIN"},
		{plainText, sarama.ErrIllegalSASLState, "this listener knows no SASL"},
		{plainText, io.EOF, "the listener may ask for SASL or TLS: EOF"},
		{encrypted, io.EOF, "the listener may not speak TLS, or ask for SASL: EOF"},
		{encrypted, x509.UnknownAuthorityError{}, "signed by an authority that is not trusted"},
		{encrypted, x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{"b"}}, Host: "a"}, "certificate is for another name"},
		{encrypted, x509.CertificateInvalidError{Reason: x509.Expired}, "certificate is not valid: x509: certificate has expired"},
		{encrypted, tls.RecordHeaderError{Msg: "first record does not look like a TLS handshake"}, "this listener does not speak TLS"},
		{encrypted, tls.AlertError(116), "it may ask for a client certificate"},
		{plainText, &strangerError{"what answers at a:1 is not Kafka"}, "what answers at a:1 is not Kafka"},
	} {
		c := newClient(row.conf, nil)
		err := c.explain(row.err)
		require.ErrorContains(t, err, row.want)
		require.ErrorIs(t, err, row.err)
		require.NotContains(t, err.Error(), "secret")
		require.NotContains(t, err.Error(), "\n")
	}
}

// Of several brokers the one that talks to us says why; one that is down says nothing of the others.
func TestTheMostTellingFailureIsKept(t *testing.T) {
	down := &unreachableError{"a:1", errors.New("connection refused")}
	silent := &silentError{"b:1", "has not answered", nil}
	require.Equal(t, io.EOF, mostTelling([]error{down, silent, io.EOF, sarama.ErrNotConnected}))
	require.Equal(t, error(silent), mostTelling([]error{down, silent, down}))
	require.Equal(t, error(down), mostTelling([]error{down}))
	require.NoError(t, mostTelling(nil))
}

func TestWhenAnotherBrokerIsTried(t *testing.T) {
	for _, row := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{io.EOF, true},
		{&silentError{"a:1", "had not answered when the call ended", context.DeadlineExceeded}, true},
		{refused("altering", sarama.ErrRequestTimedOut), true},
		{refused("altering", sarama.ErrNotController), true},
		{refused("altering", sarama.ErrClusterAuthorizationFailed), false},
		{denied("ALTER", sarama.ErrClusterAuthorizationFailed), false},
	} {
		require.Equal(t, row.want, triesNext(row.err), "%v", row.err)
	}
	require.True(t, isSilence(&silentError{}))
	require.True(t, isSilence(&net.OpError{Op: "read", Err: syscall.ETIMEDOUT}))
	require.False(t, isSilence(io.EOF))
}
