package kafkatest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/IBM/sarama"
)

// SASL mechanisms a listener offers, by the names Kafka uses.
var saslMechanisms = []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"}

const (
	plainModule = "org.apache.kafka.common.security.plain.PlainLoginModule"
	scramModule = "org.apache.kafka.common.security.scram.ScramLoginModule"
	// scramIterations is the least Kafka accepts; a test needs no slow hash.
	scramIterations = 4096
)

// authorizer is for controllers and brokers; nodes and the harness are anonymous on plain listeners and may do everything.
func (c *Cluster) authorizer() map[string]string {
	if !c.config.ACLs {
		return nil
	}
	super := []string{"User:ANONYMOUS"}
	for _, name := range c.config.SuperUsers {
		super = append(super, "User:"+name)
	}
	return map[string]string{
		"authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
		"super.users":           strings.Join(super, ";"),
	}
}

// security is what a broker's SASL and TLS listeners need.
func (c *Cluster) security() map[string]string {
	p := map[string]string{}
	if c.config.SASL {
		p["sasl.enabled.mechanisms"] = strings.Join(saslMechanisms, ",")
		for _, listener := range []string{saslListener, saslTLSListener} {
			for _, mechanism := range saslMechanisms {
				key := fmt.Sprintf("listener.name.%s.%s.sasl.jaas.config", strings.ToLower(listener), strings.ToLower(mechanism))
				p[key] = c.config.login(mechanism)
			}
		}
	}
	if c.config.TLS {
		p["ssl.keystore.type"] = "PEM"
		p["ssl.keystore.location"] = c.certificates.serverFile
		p["ssl.truststore.type"] = "PEM"
		p["ssl.truststore.location"] = c.certificates.caFile
		p["ssl.client.auth"] = "none"
	}
	return p
}

// login is a server's JAAS entry: PLAIN knows its users from there, SCRAM from the cluster's metadata.
func (c Config) login(mechanism string) string {
	if mechanism != "PLAIN" {
		return scramModule + " required;"
	}
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	entry := plainModule + " required"
	for _, name := range slices.Sorted(maps.Keys(c.PlainUsers)) {
		entry += fmt.Sprintf(` user_%s="%s"`, name, quote.Replace(c.PlainUsers[name]))
	}
	return entry + ";"
}

// CreateUser makes or changes a SCRAM user, for SCRAM-SHA-256 and SCRAM-SHA-512 alike. Brokers know it within a second.
func (c *Cluster) CreateUser(name, password string) error {
	return c.admin(func(a sarama.ClusterAdmin) error {
		for _, mechanism := range []sarama.ScramMechanismType{sarama.SCRAM_MECHANISM_SHA_256, sarama.SCRAM_MECHANISM_SHA_512} {
			// One request each: Kafka takes the same user twice in a request for a mistake.
			results, err := a.UpsertUserScramCredentials([]sarama.AlterUserScramCredentialsUpsert{{
				Name: name, Mechanism: mechanism, Iterations: scramIterations, Salt: []byte(newUUID()), Password: []byte(password),
			}})
			if err != nil {
				return fmt.Errorf("create user %s: %w", name, err)
			}
			for _, r := range results {
				if r.ErrorCode != sarama.ErrNoError {
					return fmt.Errorf("create user %s: %w", name, r.ErrorCode)
				}
			}
		}
		return nil
	})
}

// CreateACL allows one user the operations on one resource. The name "*" is every resource of the type, and
// "kafka-cluster" is the name of the cluster itself.
func (c *Cluster) CreateACL(user string, resource sarama.AclResourceType, name string, operations ...sarama.AclOperation) error {
	return c.admin(func(a sarama.ClusterAdmin) error {
		r := sarama.Resource{ResourceType: resource, ResourceName: name, ResourcePatternType: sarama.AclPatternLiteral}
		for _, operation := range operations {
			acl := sarama.Acl{Principal: "User:" + user, Host: "*", Operation: operation, PermissionType: sarama.AclPermissionAllow}
			if err := a.CreateACL(r, acl); err != nil {
				return fmt.Errorf("allow %s %v on %v %s: %w", user, operation, resource, name, err)
			}
		}
		return nil
	})
}
