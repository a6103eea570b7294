package kafkatest

import (
	"cmp"
	"fmt"
	"os"
	"time"
)

// firstController is the node id of the first controller; brokers are numbered from 1.
const firstController = 1001

// Config describes a cluster. The zero value is one controller and three brokers in the racks r1, r2 and r3.
type Config struct {
	// Brokers is the number of brokers, ids 1 to Brokers; 0 means 3.
	Brokers int
	// Controllers is 1 or 3, ids 1001 onwards; 0 means 1. The other two are two more processes to start.
	Controllers int
	// Racks holds the rack of broker 1, 2 and so on, and starts again when it is shorter than Brokers; nil means r1, r2, r3.
	// An empty string is a broker without a rack, so []string{""} is a cluster without racks.
	Racks []string
	// LogDirs is the number of log directories of each broker; 0 means 1.
	LogDirs int

	// SASL adds a listener with SASL over plain text: PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512.
	SASL bool
	// TLS adds a listener with TLS; its certificate is for localhost and 127.0.0.1, see Cluster.CA.
	// With SASL set as well there is a fourth listener, SASL over TLS.
	TLS bool
	// PlainUsers maps the names known to SASL PLAIN to their passwords. SCRAM users are made later, with Cluster.CreateUser.
	PlainUsers map[string]string
	// ACLs turns Kafka's authoriser on: listeners with SASL or TLS then refuse what no Cluster.CreateACL allows.
	// Anonymous clients of the plain listener and those named in SuperUsers may do everything.
	ACLs bool
	// SuperUsers are the names, without "User:", that no ACL restricts.
	SuperUsers []string

	// SessionTimeout is how long a broker may miss heartbeats before the controller fences it, also the time a killed
	// broker needs before it may register again; 0 means 6 s, and below 2 s a busy machine fences healthy brokers.
	SessionTimeout time.Duration
	// AutoLeaderRebalance lets the controller move leaders back to the preferred replica on its own, every 5 s; Kafka's
	// default is on, here it is off so that a test alone decides who leads.
	AutoLeaderRebalance bool
	// BrokerProperties and ControllerProperties are added to the nodes' configuration and win over what is there.
	BrokerProperties, ControllerProperties map[string]string

	// Version is the Kafka release; "" means the environment variable KAFKA or DefaultVersion.
	Version string
}

// complete fills the defaults in and refuses what no cluster can be.
func (c Config) complete() (Config, error) {
	c.Brokers = cmp.Or(c.Brokers, 3)
	c.Controllers = cmp.Or(c.Controllers, 1)
	c.LogDirs = cmp.Or(c.LogDirs, 1)
	c.SessionTimeout = cmp.Or(c.SessionTimeout, 6*time.Second)
	c.Version = cmp.Or(c.Version, os.Getenv(VersionVariable), DefaultVersion)
	if c.Racks == nil {
		c.Racks = []string{"r1", "r2", "r3"}
	}
	switch {
	case c.Brokers < 1 || c.Brokers >= firstController:
		return c, fmt.Errorf("Config.Brokers is %d: give 1 to %d", c.Brokers, firstController-1)
	case c.Controllers != 1 && c.Controllers != 3:
		return c, fmt.Errorf("Config.Controllers is %d: give 1 or 3", c.Controllers)
	case c.LogDirs < 1:
		return c, fmt.Errorf("Config.LogDirs is %d: give 1 or more", c.LogDirs)
	case c.SessionTimeout < 2*heartbeat:
		return c, fmt.Errorf("Config.SessionTimeout is %v: give %v or more, two heartbeats", c.SessionTimeout, 2*heartbeat)
	case len(c.Racks) == 0:
		return c, fmt.Errorf("Config.Racks is empty but not nil: give []string{\"\"} for brokers without a rack")
	}
	return c, nil
}

func (c Config) rackOf(broker int32) string { return c.Racks[int(broker-1)%len(c.Racks)] }
