package pilot

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/kafka-pilot/pilot/maintenance"
)

// maintenanceKey is the key of the record of all brokers in maintenance.
const maintenanceKey = "maintenance"

// maintained returns which brokers are in maintenance.
func (s *Service) maintained() maintenance.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// recoverMaintenance reads which brokers are in maintenance.
func (s *Service) recoverMaintenance(ctx context.Context) error {
	values, err := s.o.MaintenanceJournal.Load(ctx)
	if err != nil {
		return fmt.Errorf("the journal of brokers in maintenance cannot be read: %w", err)
	}
	var state maintenance.State
	if text, found := values[maintenanceKey]; found {
		if err := json.Unmarshal(text, &state); err != nil {
			return fmt.Errorf("the journal of brokers in maintenance cannot be read: %w", err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = state
	return nil
}

// change changes which brokers are in maintenance: in the journal first, then for everything that is decided from now
// on. When the set of brokers changes, the current proposal is dropped and a new one is asked for (row MAINT-09).
func (s *Service) change(ctx context.Context, to func(maintenance.State) (maintenance.State, error)) error {
	if err := s.changing.take(ctx); err != nil {
		return err
	}
	defer s.changing.give()
	before := s.maintained()
	after, err := to(before)
	if err != nil {
		return refuseDrain(err)
	}
	text, err := json.Marshal(after)
	if err != nil {
		return fmt.Errorf("brokers in maintenance: %w", err)
	}
	if err := s.save(ctx, s.o.MaintenanceJournal, maintenanceKey, text); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = after
	if slices.Equal(before.Brokers(), after.Brokers()) {
		return nil
	}
	s.eligibility++
	s.proposals.drop()
	if s.latest != nil {
		s.latest = s.latest.under(after, s.o.Policy)
	}
	s.readNow.send()
	return nil
}

// InMaintenance returns the brokers in maintenance, those that are being drained included, sorted.
func (s *Service) InMaintenance(context.Context) ([]int32, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkServing(); err != nil {
		return nil, err
	}
	return s.state.Brokers(), nil
}

// EndMaintenance marks a broker as online again. It moves nothing: the next plan counts the broker in. A drain of the
// broker has to end or be cancelled first.
func (s *Service) EndMaintenance(ctx context.Context, broker int32) (DrainView, error) {
	if err := s.mayEndMaintenance(broker); err != nil {
		return DrainView{}, err
	}
	err := s.change(ctx, func(m maintenance.State) (maintenance.State, error) { return m.Exit(broker) })
	if err != nil {
		return DrainView{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record(AuditEvent{Action: actionEndMaintenance, Broker: &broker})
	return s.drainView(broker, nil, nil), nil
}

func (s *Service) mayEndMaintenance(broker int32) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkRunning(); err != nil {
		return err
	}
	if s.state.Phase(broker) == maintenance.Online && s.latest != nil && !s.latest.knows(broker) {
		return refuseMissing(codeUnknownBroker, "The cluster has no broker %d.", broker)
	}
	if x := s.executions.slot; x != nil && x.Broker != nil && *x.Broker == broker {
		return refuseConflict(codeDrainRunning, "Broker %d is being drained by execution %s: wait until it has ended, or cancel it first.", broker, x.id)
	}
	return nil
}

// settleDrains marks the brokers as drained that a reading shows to be empty. It looks at the state and not at the end
// of an execution, so that a restart in between changes nothing.
func (s *Service) settleDrains(ctx context.Context, r *reading) {
	for _, broker := range s.maintained().Brokers() {
		if s.beingDrained(broker) || len(maintenance.Hosted(r.cluster, broker)) > 0 {
			continue
		}
		if err := s.drained(ctx, broker); err != nil && ctx.Err() == nil {
			s.o.Logger.Warn("a drained broker could not be marked as such", "broker", broker, "error", err)
		}
	}
}

// drained marks a broker as empty, if it was not already.
func (s *Service) drained(ctx context.Context, broker int32) error {
	if s.maintained().Phase(broker) != maintenance.Draining {
		return nil
	}
	return s.change(ctx, func(m maintenance.State) (maintenance.State, error) { return m.Drained(broker, time.Now()) })
}

func (s *Service) beingDrained(broker int32) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.executions.slot
	return x != nil && x.Broker != nil && *x.Broker == broker
}
