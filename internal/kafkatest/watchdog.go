package kafkatest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

// afterDeath runs in a shell and blocks until its standard input closes, which happens when the test process closes it or
// dies in any way. Then it kills the process groups noted under the directory $1 and removes the directory; the loop
// is for a node which is just writing a file.
const afterDeath = `
while read -r line; do :; done
for f in "$1"/pids/*; do
  [ -e "$f" ] && kill -KILL "-${f##*/}" 2>/dev/null
done
for i in 1 2 3 4 5 6 7 8 9 10; do
  rm -rf "$1" 2>/dev/null && break
  sleep 0.2
done`

// watchdog removes what a dead test process could not remove itself.
type watchdog struct {
	dir  string
	pipe *os.File
	cmd  *exec.Cmd
}

func watch(dir string) (*watchdog, error) {
	if err := os.MkdirAll(filepath.Join(dir, "pids"), 0o755); err != nil {
		return nil, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cmd := exec.Command("/bin/sh", "-c", afterDeath, "kafkatest-watchdog", dir)
	cmd.Stdin = r
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no signal of the terminal may reach it
	if err := cmd.Start(); err != nil {
		w.Close()
		return nil, fmt.Errorf("start the watchdog: %w", err)
	}
	return &watchdog{dir: dir, pipe: w, cmd: cmd}, nil
}

func (w *watchdog) note(p *process) error {
	if err := os.WriteFile(w.pidFile(p), nil, 0o644); err != nil {
		return err
	}
	return nil
}

func (w *watchdog) forget(p *process) { os.Remove(w.pidFile(p)) }

func (w *watchdog) pidFile(p *process) string {
	return filepath.Join(w.dir, "pids", strconv.Itoa(p.pid))
}

// close lets the watchdog remove the directory and waits for it.
func (w *watchdog) close() error {
	w.pipe.Close()
	if err := w.cmd.Wait(); err != nil {
		return fmt.Errorf("remove %s: %w", w.dir, err)
	}
	return nil
}
