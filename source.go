package pilot

import (
	"context"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/safety"
)

// Source reads a cluster. The Kafka adapter and the simulator implement it. It may be called from several goroutines.
type Source interface {
	// Read returns one reading, with rates and sizes as means over the recent past. What is not known of a partition
	// marks it Unmeasured; an error means that there is no usable reading.
	Read(ctx context.Context) (*balance.Cluster, error)
	// Health looks at the cluster now, without any measurement, for the checks before each change.
	Health(ctx context.Context) (safety.Health, error)
}
