package pilot_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// station is a Service that runs over a simulated cluster, in a bubble in which time is virtual.
type station struct {
	*pilot.Service
	t      *testing.T
	world  *sim.Cluster
	client *sim.Client
	cancel context.CancelFunc
	ended  chan error
}

// inBubble runs a test over a skewed cluster of five brokers, whose time is that of the bubble.
func inBubble(t *testing.T, test func(t *testing.T, world *sim.Cluster)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		world := sim.Skewed(1, sim.WithBrokers(5))
		world.Follow(time.Now, 1)
		test(t, world)
	})
}

// start runs a Service until the end of the test, and waits for its first plan.
func start(t *testing.T, world *sim.Cluster, changes ...func(*pilot.Options)) *station {
	t.Helper()
	return startWith(t, world, nil, changes...)
}

// startWith is start with faults between the Service and the cluster.
func startWith(t *testing.T, world *sim.Cluster, faults sim.Faults, changes ...func(*pilot.Options)) *station {
	t.Helper()
	client := world.Client(faults)
	o := pilot.Options{Source: client, Executor: client, Journal: client.Journal()}
	o.Limits = reassign.Limits{Managed: true, Throttle: 50_000_000}
	o.ReadEvery = 10 * time.Minute // most tests are about something else, and plans take time to make
	for _, change := range changes {
		change(&o)
	}
	service, err := pilot.New(o)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	s := &station{Service: service, t: t, world: world, client: client, cancel: cancel, ended: make(chan error, 1)}
	go func() { s.ended <- service.Run(ctx) }()
	t.Cleanup(s.cancel)
	synctest.Wait()
	return s
}

// stop ends Run and returns what it returned.
func (s *station) stop() error {
	s.cancel()
	err := <-s.ended
	s.ended <- err
	return err
}

// plan returns the current proposal, which must be a plan that may be applied.
func (s *station) plan() pilot.ProposalView {
	s.t.Helper()
	p, err := s.Current(s.t.Context())
	require.NoError(s.t, err)
	require.Equal(s.t, balance.RebalanceRecommended, p.Decision.State, p.Decision.Message)
	require.True(s.t, p.Decision.ApplicationAllowed, p.Decision.Findings)
	return p
}

// apply starts the current plan.
func (s *station) apply() pilot.ExecutionView {
	s.t.Helper()
	x, err := s.Apply(s.t.Context(), s.plan().ID, pilot.ApplyOptions{Principal: "ada", Reason: "uneven"})
	require.NoError(s.t, err)
	return x
}

// execution returns an execution that must be known.
func (s *station) execution(id string) pilot.ExecutionView {
	s.t.Helper()
	x, err := s.Execution(s.t.Context(), id)
	require.NoError(s.t, err)
	return x
}

// wait lets time pass until an execution has ended.
func (s *station) wait(id string) pilot.ExecutionView {
	s.t.Helper()
	for range 24 * 3600 {
		if x := s.execution(id); x.EndedAt != nil {
			synctest.Wait()
			return s.execution(id)
		}
		time.Sleep(time.Second)
	}
	require.FailNow(s.t, "the execution does not end", s.execution(id).Message)
	return pilot.ExecutionView{}
}

// refused returns the refusal that an error must be.
func refused(t *testing.T, err error) *pilot.Refused {
	t.Helper()
	var r *pilot.Refused
	require.Error(t, err)
	require.True(t, errors.As(err, &r), "%v", err)
	require.NotEmpty(t, r.Code)
	require.NotEmpty(t, r.Message)
	return r
}

// noThrottles fails when a rate or a list is left anywhere.
func noThrottles(t *testing.T, world *sim.Cluster) {
	t.Helper()
	all := world.AllThrottles()
	for _, b := range all.Brokers {
		require.Nil(t, b.Leader, "broker %d", b.Broker)
		require.Nil(t, b.Follower, "broker %d", b.Broker)
	}
	for _, topic := range all.Topics {
		require.False(t, topic.Leader.Set || topic.Follower.Set, topic.Topic)
	}
}

// at returns a partition as the controller has it.
func at(t *testing.T, world *sim.Cluster, tp balance.TopicPartition) reassign.Live {
	t.Helper()
	live, found := world.Partition(tp)
	require.True(t, found, "%v", tp)
	return live
}

// hosts reports whether a broker holds anything.
func hosts(world *sim.Cluster, broker int32) bool {
	for _, p := range world.Partitions() {
		for _, b := range p.Replicas {
			if b == broker {
				return true
			}
		}
	}
	return false
}
