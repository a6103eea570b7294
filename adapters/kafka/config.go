package kafka

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/IBM/sarama"
)

// The SASL mechanisms that a client can use.
const (
	PLAIN       = sarama.SASLTypePlaintext
	SCRAMSHA256 = sarama.SASLTypeSCRAMSHA256
	SCRAMSHA512 = sarama.SASLTypeSCRAMSHA512
	OAUTHBEARER = sarama.SASLTypeOAuth
)

const (
	defaultClientID = "kafka-pilot"
	dialTimeout     = 5 * time.Second
	// readTimeout is a backstop behind the patience of a call: without a reachable controller a broker itself answers
	// after 60 to 63 seconds.
	readTimeout = 75 * time.Second
)

// ClientConfig says how to reach a cluster and as whom. Only Brokers is needed.
type ClientConfig struct {
	Brokers  []string // host:port of some brokers, to find the others by
	ClientID string   // shows up in the brokers' logs, metrics and quotas; "" is kafka-pilot
	SASL     SASL
	TLS      TLS
	// Sarama takes the network part of a configuration that a program has already, in place of SASL and TLS: proxies,
	// Kerberos, own TLS settings. It is copied; what concerns producing, consuming, retries and versions is not used.
	Sarama *sarama.Config
}

// SASL says as whom to log in. The zero value is not to.
type SASL struct {
	Mechanism string // PLAIN, SCRAMSHA256, SCRAMSHA512 or OAUTHBEARER; "" is no SASL
	Username  string
	Password  Secret
	Tokens    sarama.AccessTokenProvider // for OAUTHBEARER alone
}

// TLS says whether and how to encrypt. All but Enabled is optional.
type TLS struct {
	Enabled     bool
	CA          []byte // PEM text of the authorities to trust; nil is those of the system
	Certificate []byte // PEM text of the client's certificate, for brokers that ask for one
	Key         []byte // PEM text of the key to Certificate
	ServerName  string // the name in the brokers' certificates; "" is the host connected to
}

// Secret is a text that is never printed.
type Secret string

// String hides the text.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return "(hidden)"
}

// GoString hides the text.
func (s Secret) GoString() string { return strconv.Quote(s.String()) }

// MarshalText hides the text.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Validate says everything that is wrong, naming the fields.
func (c ClientConfig) Validate() error {
	errs := []error{c.validateBrokers()}
	if c.Sarama != nil && (c.SASL.Mechanism != "" || c.TLS.Enabled) {
		errs = append(errs, errors.New("Sarama is given as well as SASL or TLS: give one of them"))
	}
	errs = append(errs, c.SASL.validate(), c.TLS.validate())
	return errors.Join(errs...)
}

func (c ClientConfig) validateBrokers() error {
	if len(c.Brokers) == 0 {
		return errors.New("Brokers is empty: give host:port of at least one broker")
	}
	var errs []error
	for _, address := range c.Brokers {
		host, port, err := net.SplitHostPort(address)
		n, notNumber := strconv.Atoi(port)
		if err != nil || notNumber != nil || host == "" || n < 1 || n > 65535 {
			errs = append(errs, fmt.Errorf("Brokers has %q: write host:port", address))
		}
	}
	return errors.Join(errs...)
}

func (s SASL) validate() error {
	var errs []error
	fail := func(text string) { errs = append(errs, errors.New(text)) }
	switch s.Mechanism {
	case PLAIN, SCRAMSHA256, SCRAMSHA512:
		if s.Username == "" {
			fail("SASL.Username is empty, and " + s.Mechanism + " needs one")
		}
		if s.Password == "" {
			fail("SASL.Password is empty, and " + s.Mechanism + " needs one")
		}
	case OAUTHBEARER:
		if s.Tokens == nil {
			fail("SASL.Tokens is nil, and OAUTHBEARER needs it")
		}
	case "":
		if s.Username != "" || s.Password != "" || s.Tokens != nil {
			fail("SASL.Mechanism is empty, but there is something to log in with: name a mechanism")
		}
	default:
		fail(fmt.Sprintf("SASL.Mechanism is %q: use one of %s", s.Mechanism, strings.Join(mechanisms, ", ")))
	}
	return errors.Join(errs...)
}

var mechanisms = []string{PLAIN, SCRAMSHA256, SCRAMSHA512, OAUTHBEARER}

func (t TLS) validate() error {
	if !t.Enabled {
		if t.CA != nil || t.Certificate != nil || t.Key != nil || t.ServerName != "" {
			return errors.New("TLS.Enabled is false, but there are TLS settings: enable it or remove them")
		}
		return nil
	}
	_, err := t.config()
	return err
}

func (t TLS) config() (*tls.Config, error) {
	var errs []error
	config := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: t.ServerName}
	if t.CA != nil {
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(t.CA) {
			errs = append(errs, errors.New("TLS.CA holds no certificate in PEM form"))
		}
	}
	if t.Certificate != nil || t.Key != nil {
		pair, err := tls.X509KeyPair(t.Certificate, t.Key)
		if err != nil {
			errs = append(errs, fmt.Errorf("TLS.Certificate and TLS.Key do not belong together: %w", err))
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, errors.Join(errs...)
}

// build returns the configuration that every connection starts from.
func (c ClientConfig) build() (*sarama.Config, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	conf := sarama.NewConfig()
	conf.ClientID = cmp.Or(c.ClientID, defaultClientID)
	if c.Sarama != nil {
		conf.Net = c.Sarama.Net
		conf.ClientID = cmp.Or(c.ClientID, ownClientID(c.Sarama), defaultClientID)
	}
	conf.Version = sarama.V4_0_0_0 // asks for the newest form of every call; brokers negotiate downwards
	conf.ApiVersionsRequest = true
	conf.Metadata.AllowAutoTopicCreation = false
	conf.Metadata.RefreshFrequency = 0
	conf.Metadata.Retry.Max, conf.Admin.Retry.Max = 0, 0 // retries are ours
	conf.Net.DialTimeout = dialTimeout
	conf.Net.ReadTimeout, conf.Net.WriteTimeout = readTimeout, readTimeout
	c.SASL.apply(conf)
	if c.TLS.Enabled {
		conf.Net.TLS.Enable = true
		conf.Net.TLS.Config, _ = c.TLS.config() // Validate has looked at it
	}
	if err := conf.Validate(); err != nil {
		return nil, fmt.Errorf("the client's configuration: %w", err)
	}
	return conf, nil
}

// ownClientID returns the client ID unless it is what sarama itself puts there.
func ownClientID(conf *sarama.Config) string {
	if conf.ClientID == sarama.NewConfig().ClientID {
		return ""
	}
	return conf.ClientID
}

func (s SASL) apply(conf *sarama.Config) {
	if !slices.Contains(mechanisms, s.Mechanism) {
		return
	}
	conf.Net.SASL.Enable, conf.Net.SASL.Handshake = true, true
	conf.Net.SASL.Version = sarama.SASLHandshakeV1
	conf.Net.SASL.Mechanism = sarama.SASLMechanism(s.Mechanism)
	conf.Net.SASL.User, conf.Net.SASL.Password = s.Username, string(s.Password)
	conf.Net.SASL.TokenProvider = s.Tokens
	conf.Net.SASL.SCRAMClientGeneratorFunc = scramGenerator(s.Mechanism)
}
