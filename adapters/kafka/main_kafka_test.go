//go:build kafka

package kafka

import (
	"os"
	"testing"
	"time"

	"github.com/kafka-pilot/pilot/internal/kafkatest"
)

// shared is the one real cluster of this package's tests. Tests that stop, pause or throttle something leave it as they
// found it.
var shared = kafkatest.Shared{Config: kafkatest.Config{
	Brokers: 5, LogDirs: 1, SASL: true, TLS: true, ACLs: true,
	PlainUsers:     map[string]string{"admin": "admin secret", "nobody": "nobody secret"},
	SuperUsers:     []string{"admin"},
	SessionTimeout: 4 * time.Second,
	BrokerProperties: map[string]string{ // tokens that nobody signed, as Kafka takes them in tests
		"sasl.enabled.mechanisms":                            "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER",
		"listener.name.sasl.oauthbearer.sasl.jaas.config":    tokenModule,
		"listener.name.sasltls.oauthbearer.sasl.jaas.config": tokenModule,
	},
}}

const tokenModule = `org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="admin";`

func TestMain(m *testing.M) { os.Exit(shared.Run(m)) }
