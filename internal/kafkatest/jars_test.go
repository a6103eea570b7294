package kafkatest

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// fakeMaven stands in for mvn: it notes each call and copies two jars to where -Djars says.
const fakeMaven = `
echo call >> "$HOME/calls"
for a in "$@"; do case $a in -Djars=*) jars=${a#-Djars=};; esac; done
/bin/mkdir -p "$jars"
echo > "$jars/b.jar"
echo > "$jars/a.jar"`

func withMaven(t *testing.T, text string) (home string) {
	t.Helper()
	home = t.TempDir()
	script(t, filepath.Join(home, "bin", "mvn"), text)
	t.Setenv("PATH", filepath.Join(home, "bin"))
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
	return home
}

func TestJarsAreFetchedOnceAndTheClasspathIsSorted(t *testing.T) {
	home := withMaven(t, fakeMaven)
	first, err := distributionOf(t.Context(), "4.2.1")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(first.dir, "jars", "a.jar")+":"+filepath.Join(first.dir, "jars", "b.jar"), first.classpath)
	second, err := distributionOf(t.Context(), "4.2.1")
	require.NoError(t, err)
	require.Equal(t, first, second)
	calls, err := os.ReadFile(filepath.Join(home, "calls"))
	require.NoError(t, err)
	require.Equal(t, "call\n", string(calls))

	other, err := distributionOf(t.Context(), "4.0.2")
	require.NoError(t, err)
	require.NotEqual(t, first.dir, other.dir, "each release has a directory of its own")
}

func TestAFailedFetchSaysWhyAndLeavesNothing(t *testing.T) {
	home := withMaven(t, `echo "[ERROR] Unknown host repo.maven.apache.org"; exit 1`)
	_, err := distributionOf(t.Context(), "4.2.1")
	require.ErrorContains(t, err, "check the network")
	require.ErrorContains(t, err, "Unknown host repo.maven.apache.org")
	left, err := filepath.Glob(filepath.Join(home, "cache", "kafka-pilot", "kafka-*-????????"))
	require.NoError(t, err)
	require.Empty(t, left, "the next run tries again")
}

func TestAReleaseIsNamedInFull(t *testing.T) {
	for _, version := range []string{"", "4", "4.2", "latest", "../../etc", "4.2.1 "} {
		_, err := distributionOf(t.Context(), version)
		saysWhatToDo(t, err, "4.2.1", "KAFKA")
	}
}

func TestTwoProcessesDoNotFetchAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "lock")
	unlock, err := lockFile(t.Context(), path)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = lockFile(ctx, path)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	unlock()
	unlock, err = lockFile(t.Context(), path)
	require.NoError(t, err)
	unlock()
}

func TestLastLines(t *testing.T) {
	require.Equal(t, "b\nc", lastLines("a\nb\nc\n", 2))
	require.Equal(t, "a", lastLines("a", 2))
	require.Equal(t, "", lastLines("", 2))
}
