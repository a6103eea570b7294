package kafkatest

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const formatTime = time.Minute

// newUUID is 16 random bytes in Kafka's notation; a leading dash would read as a flag on a command line.
func newUUID() string {
	for {
		var b [16]byte
		rand.Read(b[:])
		if s := base64.RawURLEncoding.EncodeToString(b[:]); s[0] != '-' {
			return s
		}
	}
}

// voters is the first controllers' entry in the metadata log.
func (c *Cluster) voters() string {
	var all []string
	for _, n := range c.controllers {
		all = append(all, fmt.Sprintf("%d@%s:%s", n.id, n.listeners[controllerListener].address(), newUUID()))
	}
	return strings.Join(all, ",")
}

// formatController runs Kafka's own tool, since a controller's first metadata snapshot is a binary file.
func (c *Cluster) formatController(ctx context.Context, n *node, voters string) error {
	if err := c.controllerProperties(n).write(n.configFile()); err != nil {
		return err
	}
	return c.formatNode(ctx, n, voters)
}

func (c *Cluster) formatNode(ctx context.Context, n *node, voters string) error {
	ctx, cancel := context.WithTimeout(ctx, formatTime)
	defer cancel()
	out, err := run(ctx, c.dir, c.jvm(toolHeapMB, "WARN", "kafka.tools.StorageTool", "format", "--cluster-id", c.id,
		"--config", n.configFile(), "--initial-controllers", voters))
	if err != nil {
		return fmt.Errorf("format %v: %w:\n%s", n, err, lastLines(out, 20))
	}
	return nil
}

// formatBroker does by hand what the tool would do for a broker: the one file that says whose directory this is.
func (c *Cluster) formatBroker(n *node) error {
	for _, dir := range n.logDirs() {
		p := properties{"version": "1", "cluster.id": c.id, "node.id": strconv.Itoa(int(n.id)), "directory.id": newUUID()}
		if err := p.write(filepath.Join(dir, "meta.properties")); err != nil {
			return err
		}
	}
	return nil
}
