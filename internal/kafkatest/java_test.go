package kafkatest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestJavaVersionsAsTheyAreWritten(t *testing.T) {
	for about, want := range map[string]int{
		`openjdk version "17.0.15" 2025-04-15`:     17,
		`openjdk version "21" 2023-09-19`:          21,
		`java version "1.8.0_402"`:                 8,
		`openjdk version "11.0.22" 2024-01-16 LTS`: 11,
		`openjdk version "25-ea" 2025-09-16`:       25,
	} {
		got, err := javaMajor(about)
		require.NoError(t, err, about)
		require.Equal(t, want, got, about)
	}
	_, err := javaMajor("command not found")
	require.Error(t, err)
}

func TestMissingJavaIsOneSentence(t *testing.T) {
	empty := t.TempDir()
	t.Setenv("PATH", empty)
	t.Setenv("JAVA_HOME", "")
	_, err := findJava()
	saysWhatToDo(t, err, "install a JDK 17 or newer", "make test-unit")

	t.Setenv("JAVA_HOME", empty)
	_, err = findJava()
	saysWhatToDo(t, err, empty, "JAVA_HOME", "make test-unit")
}

func TestOldJavaIsRefused(t *testing.T) {
	home := t.TempDir()
	script(t, filepath.Join(home, "bin", "java"), `echo 'openjdk version "11.0.22" 2024-01-16' >&2`)
	t.Setenv("JAVA_HOME", home)
	_, err := findJava()
	saysWhatToDo(t, err, "Java 11", "17", "make test-unit")
}

func TestMissingMavenIsOneSentence(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := findMaven()
	saysWhatToDo(t, err, "Maven", "make test-unit")
}

func TestLaunchFailsWithoutJavaAndNeverSkips(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("JAVA_HOME", "")
	_, err := Launch(t.Context(), Config{})
	saysWhatToDo(t, err, "kafkatest: no java found", "make test-unit")
}

func saysWhatToDo(t *testing.T, err error, words ...string) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, 1, len(strings.Split(err.Error(), "\n")), "one line: %s", err)
	for _, word := range words {
		require.ErrorContains(t, err, word)
	}
}

// script installs a shell script as a program.
func script(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755))
}
