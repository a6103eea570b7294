package kafkatest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// archiveTime covers a start, a little work and the dump at the end, on a machine with other work.
const archiveTime = 3 * time.Minute

// archive returns the class-data archive for this Java and these jars: Kafka's classes already parsed, which halves the
// processor time of every start. It is made once, when a node that was controller and broker shuts down. For a Java
// which makes none there is an empty file, and the result is "".
func (d distribution) archive(ctx context.Context, j java) (string, error) {
	path := filepath.Join(d.dir, "classes-"+fingerprint([]byte(j.about))+".jsa")
	unlock, err := lockFile(ctx, path+".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(path); err != nil {
		if err := d.dump(ctx, j, path); err != nil {
			return "", fmt.Errorf("make a class-data archive: %w", err)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() == 0 {
		return "", err
	}
	return path, nil
}

func (d distribution) dump(ctx context.Context, j java, path string) error {
	ctx, cancel := context.WithTimeout(ctx, archiveTime)
	defer cancel()
	dir, err := os.MkdirTemp("", "kafkatest-")
	if err != nil {
		return err
	}
	c := &Cluster{java: j, distribution: d, id: newUUID(), dir: dir}
	if c.config, err = (Config{Brokers: 1}).complete(); err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	if c.watchdog, err = watch(dir); err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	return errors.Join(c.dumpClasses(ctx, path), c.Close())
}

// dumpClasses lets one node in both roles serve a topic and shut down in good order, with the archive as its last act.
func (c *Cluster) dumpClasses(ctx context.Context, path string) error {
	n, err := newNode(c.dir, firstController, "r1", 1, []string{controllerListener, plainListener})
	if err != nil {
		return err
	}
	c.controllers, c.list = []*node{n}, []*node{n}
	p := c.brokerProperties(n)
	p["process.roles"] = "broker,controller"
	p["listeners"] = c.advertised(n) + "," + controllerListener + "://" + n.listeners[controllerListener].address()
	if err := p.write(n.configFile()); err != nil {
		return err
	}
	if err := c.formatNode(ctx, n, c.voters()); err != nil {
		return err
	}
	part := path + ".part"
	defer os.Remove(part)
	c.classData = []string{"-XX:ArchiveClassesAtExit=" + part}
	if err := n.start(ctx, c); err != nil {
		return err
	}
	if err := c.CreateTopic("topic", [][]int32{{n.id}, {n.id}}, nil); err != nil {
		return err
	}
	if err := c.Fill("topic", 1<<20); err != nil {
		return err
	}
	if err := n.stop(); err != nil {
		return err
	}
	if err := os.Rename(part, path); errors.Is(err, fs.ErrNotExist) {
		return os.WriteFile(path, nil, 0o644)
	} else if err != nil {
		return err
	}
	return nil
}
