// Package metrics exports a pilot.Service to Prometheus, into the registry that a program already has.
//
//	registry.MustRegister(metrics.NewCollector(service, metrics.Options{}))
//
// Every value is read from the service when it is scraped; nothing is kept here, so a metric never says something else
// than REST. What the service cannot tell at the moment, for example before the first reading, is left out, and
// pilot_ready says so.
//
// # Metrics
//
// Worth an alert are pilot_ready, pilot_proposal_imbalance_material (1 while a broker is beyond the act line) and
// pilot_reassignment_partitions with the states failed and timed_out. pilot_proposal_imbalance_largest_deviation and
// pilot_broker_load_distance_ratio say how uneven the cluster is and where; the latter has a label for the broker and
// one for the load and is negative below the fair share. pilot_proposal_variance_current and
// pilot_proposal_variance_projected are the mean distance from the equal share, for display. No metric has a label for
// a topic or a partition.
//
// A registry holds one Collector. For several clusters wrap the registry with a label for each
// (prometheus.WrapRegistererWith).
package metrics
