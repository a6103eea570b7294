package kafkatest

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
)

// Start launches a cluster for one test and closes it at the test's end. A failure to start fails the test; when the
// test fails later, the nodes' last warnings go to its log.
func Start(t testing.TB, config Config) *Cluster {
	t.Helper()
	c, err := Launch(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			c.explain(t, nil)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// explain logs every node's last warnings, from an offset of its log on.
func (c *Cluster) explain(t testing.TB, from map[int32]int64) {
	for _, n := range c.nodes() {
		if text := n.complaints(from[n.id]); text != "" {
			t.Logf("last warnings of %v:\n%s", n, text)
		}
	}
}

// Shared is one cluster for all tests of a package, launched by the first test that asks for it:
//
//	var shared = kafkatest.Shared{Config: kafkatest.Config{Brokers: 4}}
//
//	func TestMain(m *testing.M) { os.Exit(shared.Run(m)) }
//
// Tests that stop, kill or throttle something must not run in parallel with others and leave the cluster as they found it.
type Shared struct {
	Config Config

	once    sync.Once
	cluster *Cluster
	err     error
}

// Cluster launches the cluster once; a failed launch fails every test that asks, with the same sentence.
func (s *Shared) Cluster(t testing.TB) *Cluster {
	t.Helper()
	// The test's own context would end the launch with that one test.
	s.once.Do(func() { s.cluster, s.err = Launch(context.Background(), s.Config) })
	if s.err != nil {
		t.Fatal(s.err)
	}
	from := map[int32]int64{} // another test's warnings would only mislead
	for _, n := range s.cluster.nodes() {
		from[n.id] = n.logged()
	}
	t.Cleanup(func() {
		if t.Failed() {
			s.cluster.explain(t, from)
		}
	})
	return s.cluster
}

// Run runs the package's tests and then closes the cluster, if there is one. The result is for os.Exit.
func (s *Shared) Run(m *testing.M) int {
	code := m.Run()
	if s.cluster == nil {
		return code
	}
	if err := s.cluster.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return max(code, 1)
	}
	return code
}
