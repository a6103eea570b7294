package kafka

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/IBM/sarama"
)

// unreachableError says that a broker could not be connected to: nothing was sent.
type unreachableError struct {
	address string
	cause   error
}

func (e *unreachableError) Error() string {
	return fmt.Sprintf("%s cannot be reached (%s)", e.address, plain(e.cause))
}

func (e *unreachableError) Unwrap() error { return e.cause }

// silentError says that a broker did not answer: whether it did what it was asked is not known.
type silentError struct {
	address string
	what    string
	cause   error // of the end of the caller's context; nil when the broker took too long
}

func (e *silentError) Error() string { return e.address + " " + e.what }
func (e *silentError) Unwrap() error { return e.cause }

// strangerError says that a port is not the one of a broker, or not of one that talks to us.
type strangerError struct{ what string }

func (e *strangerError) Error() string { return e.what }

// refusedError is an error code that a broker answered.
type refusedError struct {
	what string
	code sarama.KError
}

func (e *refusedError) Error() string { return e.what + ": " + sentence(e.code) }
func (e *refusedError) Unwrap() error { return e.code }

func refused(what string, code sarama.KError) error { return &refusedError{what, code} }

// plain is an error without the parts that a person has seen already.
func plain(err error) string {
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "no such host"
	case errors.As(err, &op) && op.Timeout():
		return "no answer to the connection attempt"
	case errors.As(err, &op):
		return strings.TrimPrefix(op.Err.Error(), "connect: ")
	}
	return err.Error()
}

// triesNext reports whether another broker may do better.
func triesNext(err error) bool {
	var code sarama.KError
	switch {
	case err == nil:
		return false
	case errors.As(err, &code):
		return code == sarama.ErrRequestTimedOut || code == sarama.ErrNotController || code == sarama.ErrNetworkException
	}
	return true
}

// isSilence reports whether a failure took as long as a call may.
func isSilence(err error) bool {
	var silent *silentError
	var timeout net.Error
	return errors.As(err, &silent) || errors.As(err, &timeout) && timeout.Timeout()
}

// mostTelling returns the failure that says most of what to do, the first among equals. A broker that cannot be
// reached says least, since others can.
func mostTelling(failures []error) error {
	var best error
	most := -1
	for _, err := range failures {
		if n := tells(err); n > most {
			best, most = err, n
		}
	}
	return best
}

func tells(err error) int {
	var unreachable *unreachableError
	var silent *silentError
	switch {
	case errors.As(err, &unreachable):
		return 0
	case errors.As(err, &silent):
		return 1
	}
	return 2
}

// decides reports whether a failure is the same with every broker.
func decides(err error) bool {
	var stranger *strangerError
	var certificate *tls.CertificateVerificationError
	return refusesLogin(err) || errors.As(err, &stranger) || errors.As(err, &certificate)
}

// refusesLogin reports whether a broker does not let this user in. It closes the connection.
func refusesLogin(err error) bool {
	return errors.Is(err, sarama.ErrSASLAuthenticationFailed) || errors.Is(err, sarama.ErrUnsupportedSASLMechanism) ||
		errors.Is(err, sarama.ErrIllegalSASLState)
}

// explain makes one sentence of a failure to connect, which says what to do.
func (c *Client) explain(err error) error {
	var unreachable *unreachableError
	var unknown x509.UnknownAuthorityError
	var wrongName x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	login := &c.base.Net.SASL
	say := func(format string, args ...any) error {
		return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
	}
	switch {
	case err == nil || errors.Is(err, context.Canceled) || errors.Is(err, ErrClosed):
		return err
	case errors.Is(err, sarama.ErrSASLAuthenticationFailed):
		return say("the brokers refuse user %q with %s: check the user name and the password", login.User, login.Mechanism)
	case errors.Is(err, sarama.ErrUnsupportedSASLMechanism):
		return say("the brokers do not offer the SASL mechanism %s: use another one", login.Mechanism)
	case errors.Is(err, sarama.ErrIllegalSASLState):
		return say("this listener knows no SASL: leave the mechanism out, or use the port of a listener with SASL")
	case errors.As(err, &unknown):
		return say("the brokers' certificate is signed by an authority that is not trusted: give its certificate as CA")
	case errors.As(err, &wrongName):
		return say("the brokers' certificate is for another name: give that one as server name")
	case errors.As(err, &invalid):
		return say("the brokers' certificate is not valid")
	case errors.As(err, &record):
		return say("this listener does not speak TLS: disable TLS, or use the port of a listener with TLS")
	case errors.As(err, &alert):
		return say("the broker broke off the TLS handshake: it may ask for a client certificate")
	case brokenPipe(err) && c.base.Net.TLS.Enable:
		return say("the broker closed the connection: the listener may not speak TLS, or ask for SASL")
	case brokenPipe(err):
		return say("the broker closed the connection: the listener may ask for SASL or TLS")
	case errors.As(err, &unreachable) || isSilence(err):
		return say("check the address, and that the brokers run")
	}
	return err
}

// notSent reports whether a failed call can have done nothing.
func notSent(err error) bool {
	var unreachable *unreachableError
	return errors.As(err, &unreachable)
}
