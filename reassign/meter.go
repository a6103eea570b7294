package reassign

import (
	"fmt"
	"time"

	"github.com/kafka-pilot/pilot/internal/units"
)

// meterSpan is how far back the measured speed looks. Kafka's quota lets bytes through in bursts of ten seconds and
// more, so that less says nothing.
const meterSpan = 2 * time.Minute

// throttledShare is the part of a throttle that a copy gets in practice.
const throttledShare = 0.75

// meter measures how fast bytes are copied.
type meter struct {
	samples []meterSample // oldest first, the oldest about meterSpan ago
	copying int           // steps in flight that copy
}

type meterSample struct {
	at     time.Time
	copied int64
}

func (m *meter) observe(now time.Time, tasks []task) {
	var copied int64
	m.copying = 0
	for i := range tasks {
		copied += tasks[i].copied
		if t := &tasks[i]; t.phase == moving && t.sent && t.copyBytes() > 0 {
			m.copying++
		}
	}
	if m.copying == 0 && len(m.samples) > 0 && m.samples[len(m.samples)-1].copied == copied {
		m.samples = m.samples[:0] // idle time is not slowness
	}
	m.samples = append(m.samples, meterSample{now, copied})
	for len(m.samples) > 2 && now.Sub(m.samples[1].at) >= meterSpan {
		m.samples = m.samples[1:]
	}
}

// speed returns the bytes per second of the recent past, and for how long they were measured.
func (m *meter) speed() (bytesPerSecond float64, over time.Duration) {
	if len(m.samples) < 2 {
		return 0, 0
	}
	first, last := m.samples[0], m.samples[len(m.samples)-1]
	over = last.at.Sub(first.at)
	if over <= 0 {
		return 0, 0
	}
	return float64(last.copied-first.copied) / over.Seconds(), over
}

// warnings says when nothing is copied although something should be.
func (m *meter) warnings(l Limits) []string {
	speed, over := m.speed()
	if m.copying == 0 || speed >= leastThrottle || over < meterSpan {
		return nil
	}
	text := fmt.Sprintf("hardly a byte was copied for %v while %s should copy", over.Round(time.Second), countText(m.copying))
	if l.throttled() {
		text += fmt.Sprintf(": the throttle of %s may be no more than what these partitions replicate anyway",
			units.Rate(float64(l.Throttle)))
	}
	return []string{text}
}

// secondsLeft estimates the time to the end: by the measured speed, or before there is one by the throttle and the
// broker that has most to copy.
func (e *Execution) secondsLeft() *int64 {
	left := map[int32]int64{}
	var all, most int64
	for i := range e.tasks {
		t := &e.tasks[i]
		if t.state.Ended() || t.move.CopyBytes <= t.copied {
			continue
		}
		all += t.move.CopyBytes - t.copied
		for _, b := range t.adds {
			left[b] += t.perCopy() // of which some is copied already
			most = max(most, left[b])
		}
	}
	speed, over := e.meter.speed()
	var seconds int64
	switch {
	case all == 0:
	case speed > 0 && over >= 20*time.Second:
		seconds = int64(float64(all)/speed) + 1
	case e.limits.throttled():
		seconds = int64(float64(min(most, all))/(throttledShare*float64(e.limits.Throttle))) + 1
	default:
		return nil
	}
	return &seconds
}
