package kafkatest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
)

const (
	nodeHeapMB = 256
	// attempts to launch a cluster whose ports another program takes between the choice and the start.
	launches = 3
)

// Cluster is a running Kafka cluster. Its methods may be called from several goroutines; every one of them ends by
// itself, at the latest after about two minutes.
type Cluster struct {
	config       Config
	java         java
	distribution distribution
	classData    []string // flags of the virtual machines which use, or write, a class-data archive
	id           string
	dir          string
	watchdog     *watchdog
	certificates *certificates // nil without TLS
	controllers  []*node

	mu     sync.Mutex
	list   []*node // brokers by id, never removed
	adding sync.Mutex

	closing sync.Once
	closed  error
}

// Launch starts a cluster and returns when every broker is registered and unfenced. The caller closes it; a cluster whose
// test process dies in any way, SIGKILL included, is ended and its directory removed all the same. The first launch of a
// Kafka release on a machine fetches its jars, about half a minute.
//
// The error is one sentence that says what to do when Java, Maven or the network is missing.
func Launch(ctx context.Context, config Config) (*Cluster, error) {
	c, err := launchAny(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("kafkatest: %w", err)
	}
	return c, nil
}

// launchAny launches on whatever ports are free.
func launchAny(ctx context.Context, config Config) (*Cluster, error) {
	config, err := config.complete()
	if err != nil {
		return nil, err
	}
	j, err := findJava()
	if err != nil {
		return nil, err
	}
	d, err := distributionOf(ctx, config.Version)
	if err != nil {
		return nil, err
	}
	archive, err := d.archive(ctx, j)
	if err != nil {
		return nil, err
	}
	for range launches {
		var c *Cluster
		if c, err = launch(ctx, config, j, d, archive); err == nil {
			return c, nil
		}
		if !errors.Is(err, errPortTaken) {
			break
		}
	}
	return nil, err
}

func launch(ctx context.Context, config Config, j java, d distribution, archive string) (*Cluster, error) {
	dir, err := os.MkdirTemp("", "kafkatest-")
	if err != nil {
		return nil, err
	}
	c := &Cluster{config: config, java: j, distribution: d, id: newUUID(), dir: dir}
	if archive != "" {
		c.classData = []string{"-XX:SharedArchiveFile=" + archive, "-Xshare:auto"}
	}
	if c.watchdog, err = watch(dir); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err = c.prepare(); err == nil {
		err = c.startAll(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// prepare makes the nodes with their ports, and the certificates.
func (c *Cluster) prepare() (err error) {
	if c.config.TLS {
		if c.certificates, err = newCertificates(c.dir); err != nil {
			return err
		}
	}
	for k := range c.config.Controllers {
		n, err := newNode(c.dir, int32(firstController+k), "", 1, []string{controllerListener})
		if err != nil {
			return err
		}
		c.controllers = append(c.controllers, n)
	}
	for i := range c.config.Brokers {
		id := int32(i + 1)
		if _, err := c.newBroker(id, c.config.rackOf(id)); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cluster) newBroker(id int32, rack string) (*node, error) {
	n, err := newNode(c.dir, id, rack, c.config.LogDirs, c.config.clientListeners())
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.list = append(c.list, n)
	c.mu.Unlock()
	if err := c.brokerProperties(n).write(n.configFile()); err != nil {
		return nil, err
	}
	return n, c.formatBroker(n)
}

// startAll starts the controllers and then the brokers, which would only burn processor time waiting for a controller.
func (c *Cluster) startAll(ctx context.Context) error {
	voters := c.voters()
	err := inParallel(ctx, c.controllers, func(ctx context.Context, n *node) error {
		if err := c.formatController(ctx, n, voters); err != nil {
			return err
		}
		return n.start(ctx, c)
	})
	if err != nil {
		return err
	}
	if err := inParallel(ctx, c.brokers(), func(ctx context.Context, n *node) error { return n.start(ctx, c) }); err != nil {
		return err
	}
	return c.WaitReady()
}

// inParallel ends all when one fails, and returns that one's error.
func inParallel(ctx context.Context, nodes []*node, do func(context.Context, *node) error) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, n := range nodes {
		g.Go(func() error { return do(ctx, n) })
	}
	return g.Wait()
}

func (c *Cluster) brokers() []*node {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.list)
}

// nodes are the controllers and then the brokers.
func (c *Cluster) nodes() []*node { return append(slices.Clone(c.controllers), c.brokers()...) }

func (c *Cluster) node(id int32) (*node, error) {
	for _, n := range c.nodes() {
		if n.id == id {
			return n, nil
		}
	}
	return nil, fmt.Errorf("the cluster has no node %d", id)
}

// jvm is a command of this cluster's Kafka release, which logs from that level on.
func (c *Cluster) jvm(heapMB int, level, class string, args ...string) *exec.Cmd {
	flags := append(c.distribution.logging(level), c.classData...)
	return c.java.command(c.distribution.classpath, heapMB, flags, class, args...)
}

// Close kills every node and removes all files. Calling it again returns the first call's result.
func (c *Cluster) Close() error {
	c.closing.Do(func() {
		var all []error
		for _, n := range c.nodes() {
			all = append(all, n.kill())
			n.release()
		}
		all = append(all, c.watchdog.close())
		c.closed = errors.Join(all...)
	})
	return c.closed
}
