package kafkatest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	startTime = 2 * time.Minute // a broker that was just killed may register only after its old session, on a busy machine
	stopTime  = 90 * time.Second

	// started is logged by a controller that answers, and by a broker once the controller has unfenced it.
	started = "Kafka Server started"
)

// errPortTaken is the one failure of a start that another attempt with other ports cures.
var errPortTaken = errors.New("a port is taken by another program")

// node is one controller or broker; all but the last three fields stay as they were made.
type node struct {
	id        int32
	rack      string
	dir       string
	disks     int
	listeners map[string]*reservation

	mu      sync.Mutex
	process *process // the last one, perhaps ended
	paused  bool
}

func newNode(parent string, id int32, rack string, disks int, listeners []string) (*node, error) {
	n := &node{id: id, rack: rack, dir: filepath.Join(parent, fmt.Sprintf("node-%d", id)), disks: disks, listeners: map[string]*reservation{}}
	for _, name := range listeners {
		r, err := reservePort()
		if err != nil {
			n.release()
			return nil, err
		}
		n.listeners[name] = r
	}
	for _, dir := range n.logDirs() {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			n.release()
			return nil, err
		}
	}
	return n, nil
}

func (n *node) controller() bool { return n.id >= firstController }

func (n *node) String() string {
	if n.controller() {
		return fmt.Sprintf("controller %d", n.id)
	}
	return fmt.Sprintf("broker %d", n.id)
}

func (n *node) logDirs() []string {
	dirs := make([]string, n.disks)
	for i := range dirs {
		dirs[i] = filepath.Join(n.dir, fmt.Sprintf("data-%d", i+1))
	}
	return dirs
}

// address is where clients, the harness among them, reach the node without security.
func (n *node) address() string { return n.listeners[plainListener].address() }

func (n *node) configFile() string { return filepath.Join(n.dir, "server.properties") }
func (n *node) logFile() string    { return filepath.Join(n.dir, "server.log") }

func (n *node) release() {
	for _, r := range n.listeners {
		r.release()
	}
}

// running says whether the node has a process that is not paused.
func (n *node) running() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.process.running() && !n.paused
}

// start runs the node and returns once it says that it is part of the cluster.
func (n *node) start(ctx context.Context, c *Cluster) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.process.running() {
		return fmt.Errorf("%v runs already", n)
	}
	log, err := os.OpenFile(n.logFile(), os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	from, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	cmd := c.jvm(nodeHeapMB, "INFO", "kafka.Kafka", n.configFile())
	cmd.Stdout, cmd.Stderr = log, log
	p, err := spawn(cmd)
	if err != nil {
		return err
	}
	n.process, n.paused = p, false
	if err := c.watchdog.note(p); err != nil {
		return errors.Join(err, p.kill())
	}
	go func() {
		<-p.done
		c.watchdog.forget(p)
	}()
	return n.await(ctx, from)
}

// await reads what the node logs from an offset of its log file on; a node that is not ready in time is killed.
func (n *node) await(ctx context.Context, from int64) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for {
		text, err := readFrom(n.logFile(), from)
		if err != nil {
			return errors.Join(err, n.process.kill())
		}
		switch {
		case bytes.Contains(text, []byte(started)):
			return nil
		case !n.process.running() && bytes.Contains(text, []byte("Address already in use")):
			return fmt.Errorf("%v: %w", n, errPortTaken)
		case !n.process.running():
			return fmt.Errorf("%v ended while starting (%w); the end of its log:\n%s", n, n.process.err, lastLines(string(text), 30))
		}
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return errors.Join(fmt.Errorf("%v is not ready (%w); the end of its log:\n%s", n, err, lastLines(string(text), 30)),
				n.process.kill())
		}
	}
}

func readFrom(path string, offset int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.NewSectionReader(f, offset, 1<<40))
	if err != nil {
		return nil, err
	}
	return text, nil
}

// stop asks the node to shut down, which moves a broker's leaders away first.
func (n *node) stop() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.process.running() {
		return nil
	}
	// A paused process cannot act on the request.
	if err := errors.Join(n.process.signal(syscall.SIGTERM), n.process.signal(syscall.SIGCONT)); err != nil {
		return err
	}
	n.paused = false
	if n.process.ended(stopTime) {
		return nil
	}
	return errors.Join(fmt.Errorf("%v did not stop within %v and was killed", n, stopTime), n.process.kill())
}

func (n *node) kill() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.paused = false
	return n.process.kill()
}

func (n *node) setPaused(paused bool) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.process.running() {
		return fmt.Errorf("%v is not running", n)
	}
	s := syscall.SIGCONT
	if paused {
		s = syscall.SIGSTOP
	}
	if err := n.process.signal(s); err != nil {
		return err
	}
	n.paused = paused
	return nil
}

// logged is the present size of the node's log.
func (n *node) logged() int64 {
	info, err := os.Stat(n.logFile())
	if err != nil {
		return 0
	}
	return info.Size()
}

// complaints are the last warnings and errors in the log from an offset on.
func (n *node) complaints(from int64) string {
	text, err := readFrom(n.logFile(), from)
	if err != nil {
		return err.Error()
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, " WARN ") || strings.Contains(line, " ERROR ") || strings.Contains(line, " FATAL ") {
			lines = append(lines, line)
		}
	}
	return lastLines(strings.Join(lines, ""), 15)
}
