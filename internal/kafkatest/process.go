package kafkatest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// process is a child which does not outlive this process.
type process struct {
	pid  int
	done chan struct{}
	err  error // how it ended; read it after done
}

// killTime is how long the kernel gets to remove a killed process; a busy machine needs some of it.
const killTime = 15 * time.Second

// spawn starts cmd in a process group of its own, so that Ctrl-C reaches only the test, and on Linux asks the kernel
// to kill it when this process dies. The kernel watches the starting thread, not the process: hence one locked
// thread for as long as the child lives.
func spawn(cmd *exec.Cmd) (*process, error) {
	cmd.SysProcAttr = childAttributes()
	p := &process{done: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine, after the child
		if err := cmd.Start(); err != nil {
			close(p.done)
			started <- err
			return
		}
		p.pid = cmd.Process.Pid
		started <- nil
		p.err = cmd.Wait()
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	return p, nil
}

func (p *process) running() bool {
	if p == nil {
		return false
	}
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// signal reaches the whole group; a process that has ended is no error.
func (p *process) signal(s syscall.Signal) error {
	if !p.running() {
		return nil
	}
	if err := syscall.Kill(-p.pid, s); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("signal %v to process %d: %w", s, p.pid, err)
	}
	return nil
}

// ended waits for the process and says whether it ended in time.
func (p *process) ended(within time.Duration) bool {
	select {
	case <-p.done:
		return true
	case <-time.After(within):
		return false
	}
}

func (p *process) kill() error {
	if p == nil {
		return nil
	}
	if err := p.signal(syscall.SIGKILL); err != nil {
		return err
	}
	if !p.ended(killTime) {
		return fmt.Errorf("process %d is still there %v after SIGKILL", p.pid, killTime)
	}
	return nil
}

// run returns what cmd printed on both outputs, also when it failed. The output passes through a file in dir and not
// through a pipe, which a grandchild could keep open for ever.
func run(ctx context.Context, dir string, cmd *exec.Cmd) (string, error) {
	out, err := os.CreateTemp(dir, "output-")
	if err != nil {
		return "", err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	p, err := spawn(cmd)
	if err != nil {
		return "", err
	}
	select {
	case <-p.done:
		err = p.err
	case <-ctx.Done():
		err = errors.Join(ctx.Err(), p.kill())
	}
	text, readErr := os.ReadFile(out.Name())
	return string(bytes.TrimRight(text, "\n")), errors.Join(err, readErr)
}
