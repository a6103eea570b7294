package measure

import "time"

// seedTrust is how far the latest time stamp of a log may be from now. Producers stamp records with whatever they like,
// for example the time of the event that a record is about.
const seedTrust = 5 * time.Minute

// seeded is a rate from before the measuring began.
type seeded struct {
	rate Rate
	at   time.Time
}

// rate makes a mean of the records since a time in the past. It is unknown when the time stamps cannot be trusted, and
// when the log is younger than enough time.
func (s Seed) rate(o Offsets, enough time.Duration) seeded {
	if !s.Appended && s.At.Sub(s.Last).Abs() > seedTrust {
		return seeded{}
	}
	from := s.From
	if s.Offset >= 0 && s.Offset <= o.Start { // the log does not reach back to From
		from = later(s.From, s.First)
	}
	span := s.At.Sub(from)
	if span < enough {
		return seeded{}
	}
	records := o.End - s.Offset
	if s.Offset < 0 {
		records = 0
	}
	if records < 0 { // it lies beyond the high watermark
		return seeded{}
	}
	return seeded{Rate{perSecond(records, span), Seeded, span}, s.At}
}
