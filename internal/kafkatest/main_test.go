package kafkatest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// shared serves all tests of this package with build tag kafka; it has everything that can be had.
var shared = Shared{Config: Config{
	Brokers: 4, LogDirs: 2, SASL: true, TLS: true, ACLs: true,
	PlainUsers:     map[string]string{"admin": "admin secret", "bob": `bob "quoted" \secret`},
	SuperUsers:     []string{"admin"},
	SessionTimeout: 4 * time.Second,
}}

// roleVariable makes this test binary play one of the roles instead of running tests, so that a test can kill it.
const roleVariable = "KAFKATEST_ROLE"

var roles = map[string]func() error{}

func TestMain(m *testing.M) {
	if role, ok := roles[os.Getenv(roleVariable)]; ok {
		if err := role(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		time.Sleep(time.Hour) // until the test kills it
	}
	os.Exit(shared.Run(m))
}

// play starts this binary in a role and returns what it prints up to a line "ready".
func play(t *testing.T, role string) (actor *exec.Cmd, said []string) {
	t.Helper()
	actor = exec.Command(os.Args[0])
	actor.Env = append(os.Environ(), roleVariable+"="+role)
	actor.Stderr = os.Stderr
	out, err := actor.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, actor.Start())
	t.Cleanup(func() { actor.Process.Kill() })
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if lines.Text() == "ready" {
			return actor, said
		}
		said = append(said, strings.TrimSpace(lines.Text()))
	}
	require.NoError(t, actor.Wait())
	t.Fatalf("the %s said only %q", role, said)
	return nil, nil
}
