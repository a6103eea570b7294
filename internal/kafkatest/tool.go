package kafkatest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

const (
	toolHeapMB = 192
	toolTime   = 2 * time.Minute
)

// tools maps the names of Kafka's scripts to their classes; all of them take --bootstrap-server.
var tools = map[string]string{
	"kafka-acls":                "org.apache.kafka.tools.AclCommand",
	"kafka-configs":             "kafka.admin.ConfigCommand",
	"kafka-consumer-groups":     "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
	"kafka-features":            "org.apache.kafka.tools.FeatureCommand",
	"kafka-leader-election":     "org.apache.kafka.tools.LeaderElectionCommand",
	"kafka-log-dirs":            "org.apache.kafka.tools.LogDirsCommand",
	"kafka-metadata-quorum":     "org.apache.kafka.tools.MetadataQuorumCommand",
	"kafka-reassign-partitions": "org.apache.kafka.tools.reassign.ReassignPartitionsCommand",
	"kafka-topics":              "org.apache.kafka.tools.TopicCommand",
}

// Tool runs one of Kafka's own command-line tools, one to four seconds a call, and returns all it printed, also when it
// failed. The tool is named as its script, for example "kafka-topics"; --bootstrap-server is then added unless args
// name a server. Any other name is the full name of a Java class, whose args stay as they are.
func (c *Cluster) Tool(tool string, args ...string) (string, error) {
	class := tool
	if known, ok := tools[tool]; ok {
		class = known
		if !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--bootstrap-") }) {
			args = append([]string{"--bootstrap-server", strings.Join(c.runningBootstrap(), ",")}, args...)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), toolTime)
	defer cancel()
	out, err := run(ctx, c.dir, c.jvm(toolHeapMB, "WARN", class, args...))
	if err != nil {
		return out, fmt.Errorf("%s %s: %w:\n%s", tool, strings.Join(args, " "), err, lastLines(out, 20))
	}
	return out, nil
}

// runningBootstrap leaves paused brokers out: a tool would wait for one until its own time-out.
func (c *Cluster) runningBootstrap() []string {
	var all []string
	for _, n := range c.brokers() {
		if n.running() {
			all = append(all, n.address())
		}
	}
	return all
}
