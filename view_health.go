package pilot

import (
	"context"
	"fmt"
	"time"

	"github.com/kafka-pilot/pilot/safety"
)

// Health says whether the service can work, from what it has seen by itself: asking reads nothing. It is ready while it
// runs and its latest reading is no older than three intervals.
func (s *Service) Health(context.Context) HealthView {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := HealthView{Reason: s.whyNotReady(time.Now()), Findings: []safety.Finding{}}
	v.Ready = v.Reason == ""
	if s.latest != nil {
		v.ReadAt = known(s.latest.cluster.TakenAt)
	}
	if s.life.stage == running {
		v.Findings = safety.Check(s.look, s.history, s.asking())
	}
	return v
}

// whyNotReady returns "" when the service is ready. The lock must be held.
func (s *Service) whyNotReady(now time.Time) string {
	if text, idle := notReady[s.life.stage]; idle {
		return text
	}
	if s.latest == nil {
		return s.notReadText()
	}
	age := now.Sub(s.readAt)
	if age <= 3*s.o.ReadEvery {
		return ""
	}
	text := fmt.Sprintf("The latest reading is %v old", age.Round(time.Second))
	if s.readError != nil {
		return fmt.Sprintf("%s: %v.", text, s.readError)
	}
	return text + "."
}
