package sim

import "time"

// Config shapes a cluster. The zero Config is Kafka's defaults with 100 MiB/s of copying per broker.
type Config struct {
	// Start is the virtual time at which the cluster begins. Zero means 1 January 2026, midnight UTC.
	Start time.Time
	// Seed makes the topic IDs. Equal seeds and calls give equal IDs.
	Seed uint64
	// CopyBytes is how many bytes a second a broker sends, and how many it receives, for replicas out of sync. Traffic
	// of in-sync replicas is not counted. 0 means 100 MiB; SetBandwidth changes it for one broker.
	CopyBytes int64
	// SessionTimeout is how long a killed broker stays unfenced (broker.session.timeout.ms). 0 means 9 s.
	SessionTimeout time.Duration
	// StartTime is how long a started broker takes to be unfenced. 0 means 3 s.
	StartTime time.Duration
	// LagTime is how long a stalled replica stays in sync (replica.lag.time.max.ms). 0 means 30 s.
	LagTime time.Duration
	// MetadataLag is how far the metadata of brokers trails the controller, at most a minute. The list of
	// reassignments never trails. SetMetadataLag changes it.
	MetadataLag time.Duration
	// AutoLeader is how often the controller elects the preferred leader of every partition that has another
	// (leader.imbalance.check.interval.seconds). 0 means never, as auto.leader.rebalance.enable=false.
	AutoLeader time.Duration
	// HoldSizes makes FromCluster keep every log at its size, as retention does once it is reached.
	HoldSizes bool
	// Trace, when set, is told one line for everything that happens. It must not call the Cluster.
	Trace func(line string)
}

func (c Config) withDefaults() Config {
	if c.Start.IsZero() {
		c.Start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	if c.CopyBytes == 0 {
		c.CopyBytes = 100 << 20
	}
	if c.SessionTimeout == 0 {
		c.SessionTimeout = 9 * time.Second
	}
	if c.StartTime == 0 {
		c.StartTime = 3 * time.Second
	}
	if c.LagTime == 0 {
		c.LagTime = 30 * time.Second
	}
	return c
}
