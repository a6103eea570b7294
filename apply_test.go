package pilot_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
	"github.com/kafka-pilot/pilot/safety"
)

// TestApply is the whole path: read, review, apply, watch, done.
func TestApply(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world)
		require.True(t, s.Health(t.Context()).Ready)
		plan := s.plan()
		require.Equal(t, "ready", plan.Stored)

		x := s.apply()
		require.Equal(t, "PROPOSAL", x.Strategy)
		require.Equal(t, plan.ID, x.ProposalID)
		require.Len(t, x.Moves, len(plan.Proposal.Moves))
		time.Sleep(20 * time.Second)
		x = s.execution(x.ID)
		require.Equal(t, pilot.StateActive, x.State)
		require.Positive(t, x.Completed, "leadership goes first")
		require.Positive(t, x.Active)
		require.EqualValues(t, 50_000_000, *x.ThrottleBytes)
		require.Equal(t, x.Submitted, x.Completed+x.Active+x.Pending)

		x = s.wait(x.ID)
		require.Equal(t, pilot.StateCompleted, x.State, x.Message)
		require.Equal(t, x.Submitted, x.Completed)
		for _, m := range plan.Proposal.Moves {
			live := at(t, world, m.Name())
			require.Equal(t, m.To, live.Replicas)
			require.Equal(t, m.ToLeader, live.Leader)
		}
		noThrottles(t, world)
		applied, err := s.Proposal(t.Context(), plan.ID)
		require.NoError(t, err)
		require.Equal(t, "applied", applied.Stored)
		now, err := s.Current(t.Context())
		require.NoError(t, err)
		require.Equal(t, balance.NoneNeeded, now.Decision.State, "the cluster was read as soon as the moves had ended")
	})
}

func TestWhileMovesRun(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world)
		plan := s.plan()
		x := s.apply()

		_, err := s.Apply(t.Context(), plan.ID, pilot.ApplyOptions{Force: true})
		r := refused(t, err)
		require.Equal(t, "reassignment_running", r.Code)
		require.Equal(t, pilot.RefusedConflict, r.Kind)
		require.False(t, r.Overridable)
		require.Contains(t, r.Message, x.ID)
		_, err = s.Drain(t.Context(), 3, pilot.DrainOptions{Force: true})
		require.Equal(t, "reassignment_running", refused(t, err).Code)
		_, err = s.Generate(t.Context(), true)
		require.Equal(t, "reassignment_running", refused(t, err).Code)

		time.Sleep(10 * time.Second)
		now, err := s.Current(t.Context())
		require.NoError(t, err)
		require.Equal(t, plan.ID, now.ID)
		require.Equal(t, safety.Running, now.Decision.State)
		require.False(t, now.Decision.ApplicationAllowed)
		require.Contains(t, now.Decision.Message, "in progress")
		require.Empty(t, s.Health(t.Context()).Findings, "our own moves are no finding")
	})
}

// TestStalePlan changes the cluster between the plan and its application.
func TestStalePlan(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world)
		plan := s.plan()
		moved := plan.Proposal.Moves[0]
		require.NoError(t, world.Reassign(moved.Name(), reversed(moved.From)...))

		_, err := s.Apply(t.Context(), plan.ID, pilot.ApplyOptions{})
		r := refused(t, err)
		require.Equal(t, "stale_topology_fingerprint", r.Code)
		require.False(t, r.Overridable, "what is left of an optional plan was not reviewed")
		require.Equal(t, []string{moved.Name().String()}, r.Subjects)
		require.Contains(t, r.Message, "Generate a new proposal.")

		_, err = s.Apply(t.Context(), plan.ID, pilot.ApplyOptions{Force: true})
		r = refused(t, err)
		require.Equal(t, "plan_altered", r.Code)
		require.False(t, r.Overridable)
		require.Empty(t, s.AuditLog(t.Context()))

		fresh, err := s.Generate(t.Context(), true)
		require.NoError(t, err)
		require.NotEqual(t, plan.ID, fresh.ID)
		_, err = s.Apply(t.Context(), fresh.ID, pilot.ApplyOptions{})
		require.NoError(t, err)
	})
}

// TestChangeElsewhere changes a partition that the plan leaves alone: a soft reason.
func TestChangeElsewhere(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world)
		plan := s.plan()
		other := outside(t, world, plan.Proposal)
		require.NoError(t, world.Reassign(other.TopicPartition, reversed(other.Replicas)...))

		_, err := s.Apply(t.Context(), plan.ID, pilot.ApplyOptions{})
		r := refused(t, err)
		require.Equal(t, "stale_topology_fingerprint", r.Code)
		require.True(t, r.Overridable)

		_, err = s.Apply(t.Context(), plan.ID, pilot.ApplyOptions{Force: true, Principal: "ada", Reason: "reviewed"})
		require.NoError(t, err)
		log := s.AuditLog(t.Context())
		require.Len(t, log, 1)
		require.Equal(t, []safety.Code{safety.StaleFingerprint}, log[0].Overridden)
		require.Equal(t, "ada", log[0].Principal)
		require.Equal(t, "reviewed", log[0].Reason)
	})
}

// TestHardBlockers are never passed by force.
func TestHardBlockers(t *testing.T) {
	for code, damage := range map[string]func(t *testing.T, world *sim.Cluster, plan *balance.Proposal){
		"controller_unhealthy":            func(_ *testing.T, world *sim.Cluster, _ *balance.Proposal) { world.StopController() },
		"majority_of_brokers_unavailable": func(t *testing.T, world *sim.Cluster, _ *balance.Proposal) { kill(t, world, 1, 2, 3) },
		"sustained_isr_shrink": func(t *testing.T, world *sim.Cluster, plan *balance.Proposal) {
			p := plan.Moves[0]
			require.NoError(t, world.Stall(p.Name(), follower(p)))
			time.Sleep(4 * time.Minute)
		},
	} {
		t.Run(code, func(t *testing.T) {
			inBubble(t, func(t *testing.T, world *sim.Cluster) {
				s := start(t, world)
				plan := s.plan()
				damage(t, world, plan.Proposal)
				time.Sleep(time.Minute)
				before := world.Partitions()
				for _, force := range []bool{false, true} {
					_, err := s.Apply(t.Context(), plan.ID, pilot.ApplyOptions{Force: force})
					r := refused(t, err)
					require.Equal(t, code, r.Code)
					require.Equal(t, pilot.RefusedConflict, r.Kind)
					require.False(t, r.Overridable)
					_, err = s.Drain(t.Context(), 5, pilot.DrainOptions{Force: force})
					require.Equal(t, code, refused(t, err).Code)
				}
				require.Len(t, world.Partitions(), len(before))
				require.Empty(t, s.AuditLog(t.Context()))
				in, err := s.InMaintenance(t.Context())
				require.NoError(t, err)
				require.Empty(t, in)
				require.Equal(t, safety.Code(code), s.Health(t.Context()).Findings[0].Code)
			})
		})
	}
}

// TestReceiverDied loses one broker that the plan gives replicas to.
func TestReceiverDied(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world)
		plan := s.plan()
		kill(t, world, receiver(t, plan.Proposal))
		time.Sleep(15 * time.Second)
		_, err := s.Apply(t.Context(), plan.ID, pilot.ApplyOptions{Force: true})
		require.Equal(t, "plan_altered", refused(t, err).Code)
	})
}

func TestThrottlesOfOthers(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world, func(o *pilot.Options) { o.Limits.Managed = false })
		p, err := s.Current(t.Context())
		require.NoError(t, err)
		require.False(t, p.Decision.ApplicationAllowed)
		require.Equal(t, safety.ExternalThrottles, p.Decision.Reason)
		_, err = s.Apply(t.Context(), p.ID, pilot.ApplyOptions{})
		r := refused(t, err)
		require.Equal(t, "throttles_externally_managed", r.Code)
		require.True(t, r.Overridable)
		x, err := s.Apply(t.Context(), p.ID, pilot.ApplyOptions{Force: true})
		require.NoError(t, err)
		require.Nil(t, x.ThrottleBytes)
	})
}

// TestZeroLimits manage throttles, and set none without a rate.
func TestZeroLimits(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world, func(o *pilot.Options) { o.Limits = reassign.Limits{} })
		require.Nil(t, s.apply().ThrottleBytes)
	})
}

// TestThrottleTooLow asks before it starts moves that would never end.
func TestThrottleTooLow(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world, func(o *pilot.Options) { o.Limits.Throttle = 2000 })
		p, err := s.Current(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, "throttle_too_low", p.Decision.Reason)
		_, err = s.Apply(t.Context(), p.ID, pilot.ApplyOptions{})
		r := refused(t, err)
		require.Equal(t, "throttle_too_low", r.Code)
		require.True(t, r.Overridable)
	})
}

func TestEntitlement(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		var asked []pilot.Request
		s := start(t, world, func(o *pilot.Options) {
			o.Authorize = func(_ context.Context, r pilot.Request) error {
				asked = append(asked, r)
				return errors.New("The licence has expired.")
			}
		})
		_, err := s.Apply(t.Context(), s.plan().ID, pilot.ApplyOptions{Principal: "ada", Force: true})
		r := refused(t, err)
		require.Equal(t, pilot.RefusedLicence, r.Kind)
		require.Equal(t, "not_entitled", r.Code)
		require.Equal(t, "The licence has expired.", r.Message)
		_, err = s.Drain(t.Context(), 3, pilot.DrainOptions{})
		require.Equal(t, "not_entitled", refused(t, err).Code)
		three := int32(3)
		require.Equal(t, []pilot.Request{
			{Action: "proposals.apply", ProposalID: s.plan().ID, Principal: "ada", Force: true},
			{Action: "maintenance.enter", Broker: &three},
		}, asked)
	})
}

func TestNothingToApply(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world)
		_, err := s.Apply(t.Context(), "no-such-plan", pilot.ApplyOptions{})
		r := refused(t, err)
		require.Equal(t, "unknown_proposal", r.Code)
		require.Equal(t, pilot.RefusedMissing, r.Kind)

		s.wait(s.apply().ID)
		now, err := s.Current(t.Context())
		require.NoError(t, err)
		require.Empty(t, now.Proposal.Moves)
		_, err = s.Apply(t.Context(), now.ID, pilot.ApplyOptions{Force: true})
		require.Equal(t, "nothing_to_apply", refused(t, err).Code)
	})
}

// TestClientGone ends the request while the cluster is being looked at: nothing starts and the slot is free.
func TestClientGone(t *testing.T) {
	inBubble(t, func(t *testing.T, world *sim.Cluster) {
		s := start(t, world)
		ctx, gone := context.WithCancel(t.Context())
		gone()
		_, err := s.Apply(ctx, s.plan().ID, pilot.ApplyOptions{})
		require.ErrorIs(t, err, context.Canceled)
		synctest.Wait()
		s.apply()
	})
}
