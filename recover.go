package pilot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kafka-pilot/pilot/reassign"
)

// about is what an execution is for. The journal keeps it beside the record of package reassign, which knows moves
// alone.
type about struct {
	Strategy   string `json:"strategy"`
	ProposalID string `json:"proposalId,omitempty"`
	Broker     *int32 `json:"broker,omitempty"`
}

// aboutPrefix is the start of the keys of these records, before the ID of the execution.
const aboutPrefix = "about/"

// saveAbout stores what an execution is for. It comes before anything of the execution itself.
func (s *Service) saveAbout(ctx context.Context, x *execution) error {
	text, err := json.Marshal(x.about)
	if err != nil {
		return fmt.Errorf("execution %s: %w", x.id, err)
	}
	return s.save(ctx, s.o.Journal, aboutPrefix+x.id, text)
}

// forgetAbout removes it after the end. What cannot be removed now is removed at the next start.
func (s *Service) forgetAbout(ctx context.Context, x *execution) {
	if err := s.save(ctx, s.o.Journal, aboutPrefix+x.id, nil); err != nil {
		s.o.Logger.Warn("a record of the journal could not be removed", "error", err)
	}
}

// save stores a value; a journal that another process has taken over ends Run.
func (s *Service) save(ctx context.Context, j reassign.Journal, key string, value []byte) error {
	err := j.Save(ctx, key, value)
	if errors.Is(err, reassign.ErrFenced) {
		s.fail(err)
	}
	if err != nil {
		return fmt.Errorf("the journal cannot be written: %s: %w", key, err)
	}
	return nil
}

// recover reads the journals and returns the executions that are to be taken up, oldest first.
func (s *Service) recover(ctx context.Context) ([]*execution, error) {
	if err := s.recoverMaintenance(ctx); err != nil {
		return nil, err
	}
	values, err := s.o.Journal.Load(ctx)
	if err != nil {
		return nil, fmt.Errorf("the journal cannot be read: %w", err)
	}
	restored, err := reassign.Restore(values)
	if err != nil {
		return nil, fmt.Errorf("the journal holds what cannot be taken up: %w", err)
	}
	var unfinished []*execution
	for _, machine := range restored {
		x := &execution{about: aboutOf(machine, values), id: machine.ID(), machine: machine, stop: make(chan struct{})}
		x.progress = machine.Progress()
		x.claimedAt = x.progress.StartedAt
		unfinished = append(unfinished, x)
		s.o.Logger.Info("execution is taken up", "id", x.id, "strategy", x.Strategy)
	}
	s.removeStray(ctx, values, unfinished)
	return unfinished, nil
}

// aboutOf returns what an execution was for. A record that is lost or cannot be read costs no more than the names.
func aboutOf(machine *reassign.Execution, values map[string][]byte) about {
	a := about{Strategy: strategyProposal}
	if err := json.Unmarshal(values[aboutPrefix+machine.ID()], &a); err != nil {
		return about{Strategy: strategyProposal}
	}
	return a
}

// removeStray removes records of executions that ended or never began.
func (s *Service) removeStray(ctx context.Context, values map[string][]byte, unfinished []*execution) {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		id, ours := strings.CutPrefix(key, aboutPrefix)
		if ours && !slices.ContainsFunc(unfinished, func(x *execution) bool { return x.id == id }) {
			s.forgetAbout(ctx, &execution{id: id})
		}
	}
}

// resume takes up what a former Run left, one after the other. The lock must be held.
func (s *Service) resume(unfinished []*execution) {
	s.executions.waiting = unfinished
	s.resumeNext()
}

// resumeNext starts the next execution that waits to be taken up. The lock must be held and the slot be free.
func (s *Service) resumeNext() {
	if len(s.executions.waiting) == 0 || s.life.stage != running {
		return
	}
	x := s.executions.waiting[0]
	s.executions.waiting = s.executions.waiting[1:]
	s.start(x, x.machine)
}
