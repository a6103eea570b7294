package kafka

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The environment variables that ClientConfigFromEnv reads.
const (
	envBrokers     = "KAFKA_BROKERS"           // host:port of some brokers, separated by commas
	envBootstrap   = "KAFKA_BOOTSTRAP_SERVERS" // another name for KAFKA_BROKERS
	envClientID    = "KAFKA_CLIENT_ID"
	envMechanism   = "KAFKA_SASL_MECHANISM" // PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512
	envUsername    = "KAFKA_SASL_USERNAME"
	envPassword    = "KAFKA_SASL_PASSWORD"
	envTLS         = "KAFKA_TLS_ENABLED"      // true or false
	envCAFile      = "KAFKA_TLS_CAFILEPATH"   // file with the authorities to trust, PEM
	envCertFile    = "KAFKA_TLS_CERTFILEPATH" // file with the client's certificate, PEM
	envKeyFile     = "KAFKA_TLS_KEYFILEPATH"  // file with its key, PEM
	envServerName  = "KAFKA_TLS_SERVER_NAME"
	fileSuffix     = "_FILE" // of the two below: the name of a file that holds the text
	envPrefix      = "KAFKA_"
	envServiceHost = "KAFKA_SERVICE_" // Kubernetes sets these in the namespace of a service that is called kafka
	envServicePort = "KAFKA_PORT"
)

// known are the variables with the prefix that are read.
var known = []string{
	envBrokers, envBootstrap, envClientID, envMechanism, envUsername, envPassword, envUsername + fileSuffix,
	envPassword + fileSuffix, envTLS, envCAFile, envCertFile, envKeyFile, envServerName,
}

// ClientConfigFromEnv makes a configuration of environment variables, given as os.Environ returns them. readFile reads
// a file as os.ReadFile does.
//
//	KAFKA_BROKERS or KAFKA_BOOTSTRAP_SERVERS   host:port of some brokers, separated by commas
//	KAFKA_CLIENT_ID                            kafka-pilot unless set
//	KAFKA_SASL_MECHANISM                       PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512
//	KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD   or each with _FILE added: a file that holds the text
//	KAFKA_TLS_ENABLED                          true or false
//	KAFKA_TLS_CAFILEPATH                       the authorities to trust, PEM; those of the system unless set
//	KAFKA_TLS_CERTFILEPATH, _KEYFILEPATH       the client's certificate and key, PEM
//	KAFKA_TLS_SERVER_NAME                      the name in the brokers' certificates
//
// The error names every variable that is wrong or, beginning with KAFKA_, unknown. A variable that is set to nothing
// counts as not set. Whether the whole makes sense is for Open to say.
func ClientConfigFromEnv(environ []string, readFile func(string) ([]byte, error)) (ClientConfig, error) {
	e := environment{values: map[string]string{}, readFile: readFile}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		e.take(name, value)
	}
	config := ClientConfig{
		Brokers:  e.brokers(),
		ClientID: e.values[envClientID],
		SASL: SASL{
			Mechanism: strings.ToUpper(e.values[envMechanism]),
			Username:  e.text(envUsername),
			Password:  Secret(e.text(envPassword)),
		},
		TLS: TLS{
			Enabled: e.truth(envTLS), ServerName: e.values[envServerName],
			CA: e.file(envCAFile), Certificate: e.file(envCertFile), Key: e.file(envKeyFile),
		},
	}
	if len(e.errs) > 0 {
		return ClientConfig{}, errors.Join(e.errs...)
	}
	return config, nil
}

type environment struct {
	values   map[string]string
	readFile func(string) ([]byte, error)
	errs     []error
}

func (e *environment) fail(format string, args ...any) {
	e.errs = append(e.errs, fmt.Errorf(format, args...))
}

func (e *environment) take(name, value string) {
	switch {
	case !strings.HasPrefix(name, envPrefix), value == "":
	case slices.Contains(known, name):
		e.values[name] = value
	case strings.HasPrefix(name, envServiceHost), strings.HasPrefix(name, envServicePort):
	default:
		e.fail("%s is not known: use one of %s", name, strings.Join(known, ", "))
	}
}

func (e *environment) brokers() []string {
	list := e.values[envBrokers]
	if other := e.values[envBootstrap]; other != "" {
		if list != "" && list != other {
			e.fail("%s and %s differ: set one of them", envBrokers, envBootstrap)
		}
		list = other
	}
	var brokers []string
	for address := range strings.SplitSeq(list, ",") {
		if address = strings.TrimSpace(address); address != "" {
			brokers = append(brokers, address)
		}
	}
	return brokers
}

// text returns a value that may be in a file instead. The line break that editors put at the end of a file is not
// part of it.
func (e *environment) text(name string) string {
	inFile := name + fileSuffix
	if e.values[inFile] == "" {
		return e.values[name]
	}
	if e.values[name] != "" {
		e.fail("%s and %s are both set: set one of them", name, inFile)
	}
	return strings.TrimRight(string(e.file(inFile)), "\r\n")
}

func (e *environment) file(name string) []byte {
	path := e.values[name]
	if path == "" {
		return nil
	}
	content, err := e.readFile(path)
	if err != nil {
		e.fail("%s: %w", name, err)
	}
	return content
}

func (e *environment) truth(name string) bool {
	if e.values[name] == "" {
		return false
	}
	truth, err := strconv.ParseBool(e.values[name])
	if err != nil {
		e.fail("%s is %q: write true or false", name, e.values[name])
	}
	return truth
}
