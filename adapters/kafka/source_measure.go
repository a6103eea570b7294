package kafka

import (
	"context"
	"fmt"
	"time"
)

// Progress is how far Measure has come.
type Progress struct {
	Elapsed    time.Duration // since the first round
	Total      time.Duration
	Rounds     int
	Partitions int     // that exist
	Known      int     // of which all rates are known
	Silent     []int32 // brokers that did not answer in the latest round, sorted
}

const (
	quickest = time.Second // between two rounds of Measure
	quickly  = 30          // rounds that Measure wants
	restful  = 4           // times the duration of a round that pass between two of them
)

// Measure takes rounds in quick succession for a time, at least a minute for good rates, so that the next Read knows
// them. It tells its progress after each round; tell may be nil.
func (s *Source) Measure(ctx context.Context, total time.Duration, tell func(Progress)) error {
	if total < s.config.Enough {
		return fmt.Errorf("measuring for %v is too short: it takes at least %v", total, s.config.Enough)
	}
	if tell == nil {
		tell = func(Progress) {}
	}
	p := Progress{Total: total}
	var began time.Time
	for last := false; ; {
		round, err := s.sample(ctx, p.Rounds == 0 || last)
		if err != nil {
			return err
		}
		if p.Rounds == 0 {
			began = round.At.Add(round.Took) // all that it found is known to be from before
		}
		p.Rounds++
		p.Elapsed, p.Silent = min(time.Since(began), total), round.Silent
		p.Partitions, p.Known = s.coverage()
		tell(p)
		if last {
			return nil
		}
		wait := min(max(quickest, total/quickly, restful*round.Took), s.config.Every)
		if left := total - time.Since(began); wait >= left {
			wait, last = left, true
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

func (s *Source) coverage() (partitions, known int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.history.Coverage(time.Now())
	return c.Partitions, c.Known
}
