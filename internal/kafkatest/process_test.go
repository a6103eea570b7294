package kafkatest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func init() {
	roles["watched parent"] = func() error { return parent(true) }
	roles["unwatched parent"] = func() error { return parent(false) }
}

// parent has one child and a directory, and lets the watchdog know of the child or not.
func parent(watched bool) error {
	dir, err := os.MkdirTemp("", "kafkatest-parent-")
	if err != nil {
		return err
	}
	w, err := watch(dir)
	if err != nil {
		return err
	}
	p, err := spawn(exec.Command("sleep", "3600"))
	if err != nil {
		return err
	}
	if watched {
		err = w.note(p)
	}
	fmt.Printf("%s\n%d\nready\n", dir, p.pid)
	return err
}

func TestChildrenAndFilesDoNotOutliveAKilledTest(t *testing.T) {
	for _, role := range []string{"watched parent", "unwatched parent"} {
		t.Run(role, func(t *testing.T) {
			actor, said := play(t, role)
			dir, pid := said[0], atoi(t, said[1])
			require.DirExists(t, dir)
			require.NoError(t, syscall.Kill(pid, 0), "the child lives as long as its parent")

			require.NoError(t, actor.Process.Kill())
			require.Eventually(t, func() bool { return gone(pid) }, 10*time.Second, 10*time.Millisecond, "the child")
			require.Eventually(t, func() bool { return !exists(dir) }, 10*time.Second, 10*time.Millisecond, "the directory")
			actor.Wait()
		})
	}
}

func TestCtrlCOfTheTerminalReachesOnlyTheTest(t *testing.T) {
	p, err := spawn(exec.Command("sleep", "3600"))
	require.NoError(t, err)
	group, err := syscall.Getpgid(p.pid)
	require.NoError(t, err)
	require.Equal(t, p.pid, group, "a terminal signals the foreground group, in which the child is not")
	require.NoError(t, p.kill())
	require.False(t, p.running())
	require.NoError(t, p.kill(), "killing it again is no error")
	require.NoError(t, p.signal(syscall.SIGTERM), "nor is a signal")
}

func TestAKillReachesGrandchildren(t *testing.T) {
	dir := t.TempDir()
	p, err := spawn(exec.Command("/bin/sh", "-c", "sleep 3600 & echo $! > "+filepath.Join(dir, "pid")+"; wait"))
	require.NoError(t, err)
	var text []byte
	require.Eventually(t, func() bool {
		text, _ = os.ReadFile(filepath.Join(dir, "pid"))
		return len(text) > 1
	}, 10*time.Second, 10*time.Millisecond)
	require.NoError(t, p.kill())
	grandchild := atoi(t, string(text[:len(text)-1]))
	require.Eventually(t, func() bool { return gone(grandchild) }, 10*time.Second, 10*time.Millisecond)
}

func TestSpawnNamesTheProgramThatIsMissing(t *testing.T) {
	_, err := spawn(exec.Command("/no/such/program"))
	require.ErrorContains(t, err, "/no/such/program")
}

func TestRunReturnsBothOutputsAlsoOfAFailure(t *testing.T) {
	dir := t.TempDir()
	out, err := run(t.Context(), dir, exec.Command("/bin/sh", "-c", "echo one; echo two >&2; exit 3"))
	require.Equal(t, "one\ntwo", out)
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 3, exit.ExitCode())
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestRunKillsAtTheDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := run(ctx, t.TempDir(), exec.Command("sleep", "3600"))
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestWatchdogRemovesTheDirectoryAndEndsWithItsOwner(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w, err := watch(dir)
	require.NoError(t, err)
	p, err := spawn(exec.Command("sleep", "3600"))
	require.NoError(t, err)
	require.NoError(t, w.note(p))
	require.NoError(t, w.close())
	require.NoDirExists(t, dir)
	require.True(t, p.ended(killTime), "what was not forgotten is killed")
}

func atoi(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	require.NoError(t, err)
	return n
}

// gone also takes a killed process for gone which its new parent has not collected yet.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(state), ") Z ")
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
