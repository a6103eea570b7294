package measure

import "time"

// Config says how long things count. The zero Config is the documented default.
type Config struct {
	// Window is how far back means reach. Default 30 minutes.
	Window time.Duration
	// Enough is the least time that a partition must have been watched for a mean that is its own. Default 30 seconds.
	Enough time.Duration
	// Fresh is how long the answer of a leader or a coordinator counts as current. Default 75 seconds, two and a half
	// of the 30 seconds between rounds.
	Fresh time.Duration
	// FreshSizes is the same for sizes. Default 5 minutes.
	FreshSizes time.Duration
}

func (c Config) withDefaults() Config {
	or := func(d, standard time.Duration) time.Duration {
		if d > 0 {
			return d
		}
		return standard
	}
	return Config{
		Window:     or(c.Window, 30*time.Minute),
		Enough:     or(c.Enough, 30*time.Second),
		Fresh:      or(c.Fresh, 75*time.Second),
		FreshSizes: or(c.FreshSizes, 5*time.Minute),
	}
}
