package kafkatest

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	loopback  = "127.0.0.1"
	heartbeat = 500 * time.Millisecond
)

// properties is a Java properties file.
type properties map[string]string

func (p properties) add(more map[string]string) { maps.Copy(p, more) }

func (p properties) String() string {
	escape := strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(p)) {
		fmt.Fprintf(&b, "%s=%s\n", key, escape.Replace(p[key]))
	}
	return b.String()
}

func (p properties) write(path string) error {
	if err := os.WriteFile(path, []byte(p.String()), 0o600); err != nil {
		return err
	}
	return nil
}

// forEveryNode are the settings of brokers and controllers alike; thread pools are as small as Kafka allows.
func (c *Cluster) forEveryNode(n *node) properties {
	var controllers []string
	for _, other := range c.controllers {
		controllers = append(controllers, other.listeners[controllerListener].address())
	}
	p := properties{
		"node.id":                                 strconv.Itoa(int(n.id)),
		"log.dirs":                                strings.Join(n.logDirs(), ","),
		"controller.quorum.bootstrap.servers":     strings.Join(controllers, ","),
		"controller.listener.names":               controllerListener,
		"broker.heartbeat.interval.ms":            millis(heartbeat),
		"broker.session.timeout.ms":               millis(c.config.SessionTimeout),
		"auto.leader.rebalance.enable":            strconv.FormatBool(c.config.AutoLeaderRebalance),
		"leader.imbalance.check.interval.seconds": "5",
		"auto.create.topics.enable":               "false",
		"default.replication.factor":              c.internalFactor(),
		"num.network.threads":                     "1",
		"num.io.threads":                          "2",
		"background.threads":                      "2",
	}
	p.add(c.authorizer())
	return p
}

func (c *Cluster) controllerProperties(n *node) properties {
	p := c.forEveryNode(n)
	p.add(map[string]string{
		"process.roles":                  "controller",
		"listeners":                      controllerListener + "://" + n.listeners[controllerListener].address(),
		"listener.security.protocol.map": c.protocols(),
		// A new active controller within about two seconds of the old one's death.
		"controller.quorum.election.timeout.ms": "1000",
		"controller.quorum.fetch.timeout.ms":    "2000",
	})
	p.add(c.config.ControllerProperties)
	return p
}

func (c *Cluster) brokerProperties(n *node) properties {
	p := c.forEveryNode(n)
	p.add(map[string]string{
		"process.roles":                  "broker",
		"listeners":                      c.advertised(n),
		"advertised.listeners":           c.advertised(n),
		"listener.security.protocol.map": c.protocols(),
		"inter.broker.listener.name":     plainListener,

		// Replication: followers answer quickly, and one throttle window is short enough to watch.
		"replica.lag.time.max.ms":               "10000",
		"replica.fetch.wait.max.ms":             "200",
		"replication.quota.window.num":          "11",
		"replication.quota.window.size.seconds": "1",

		// Logs: small segments and indexes, deleted files gone within seconds, a cleaner that fits into a small heap.
		"log.segment.bytes":                 "16777216",
		"log.index.size.max.bytes":          "262144",
		"log.segment.delete.delay.ms":       "1000",
		"log.retention.check.interval.ms":   "5000",
		"log.initial.task.delay.ms":         "5000",
		"log.cleaner.threads":               "1",
		"log.cleaner.dedupe.buffer.size":    "4194304",
		"log.cleaner.io.buffer.size":        "131072",
		"num.recovery.threads.per.data.dir": "1",

		// Internal topics: few partitions, present on as many brokers as there are.
		"offsets.topic.num.partitions":                     "4",
		"offsets.topic.replication.factor":                 c.internalFactor(),
		"transaction.state.log.num.partitions":             "2",
		"transaction.state.log.replication.factor":         c.internalFactor(),
		"transaction.state.log.min.isr":                    "1",
		"share.coordinator.state.topic.num.partitions":     "1",
		"share.coordinator.state.topic.replication.factor": c.internalFactor(),
		"share.coordinator.state.topic.min.isr":            "1",
		"group.initial.rebalance.delay.ms":                 "0",
	})
	if n.rack != "" {
		p["broker.rack"] = n.rack
	}
	p.add(c.security())
	p.add(c.config.BrokerProperties)
	return p
}

// internalFactor is the replication factor of Kafka's own topics: 3, or all brokers of a smaller cluster.
func (c *Cluster) internalFactor() string { return strconv.Itoa(min(3, c.config.Brokers)) }

func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }
