package metrics

import "github.com/prometheus/client_golang/prometheus"

// descriptions are all metrics there are, for Describe.
var descriptions []*prometheus.Desc

func describe(name, help string, labels ...string) *prometheus.Desc {
	d := prometheus.NewDesc("pilot_"+name, help, labels, nil)
	descriptions = append(descriptions, d)
	return d
}

var (
	ready = describe("ready", "Whether the service can work, 1 or 0.")

	brokers            = describe("cluster_brokers", "Brokers by state.", "state")
	brokersMaintenance = describe("cluster_brokers_maintenance", "Brokers in maintenance.")
	topics             = describe("cluster_topics", "Topics.")
	partitions         = describe("cluster_partitions", "Partitions.")
	replicas           = describe("cluster_replicas", "Replicas.")
	underReplicated    = describe("cluster_partitions_under_replicated", "Partitions with replicas out of sync.")
	moving             = describe("cluster_partitions_moving", "Partitions with a reassignment in flight, whoever started it.")
	unmeasured         = describe("cluster_partitions_unmeasured", "Partitions whose size or rates are not known.")
	reading            = describe("cluster_reading_timestamp_seconds", "Time of the latest reading, in seconds since 1970.")

	distance = describe("broker_load_distance_ratio",
		"Distance of a broker from its fair share of a load as a fraction of the share, negative below it.", "broker", "load")
	material = describe("proposal_imbalance_material",
		"Whether a broker is beyond the act line in the current placement, 1 or 0.")
	largest = describe("proposal_imbalance_largest_deviation",
		"Largest distance of a broker from its fair share of a load in the current placement, as a fraction of the share.")

	varianceCurrent = describe("proposal_variance_current",
		"Mean distance of the brokers from the equal share of a load, before the current proposal, as a fraction.", "load")
	varianceProjected = describe("proposal_variance_projected",
		"Mean distance of the brokers from the equal share of a load, after the current proposal, as a fraction.", "load")
	moves     = describe("proposal_moves", "Partitions that the current proposal changes.")
	moveBytes = describe("proposal_copy_bytes", "Bytes that the current proposal copies between brokers, an estimate.")
	allowed   = describe("proposal_application_allowed", "Whether the current proposal may be applied, 1 or 0.")

	running = describe("reassignment_running", "Whether an execution is running, 1 or 0.")
	states  = describe("reassignment_partitions",
		"Moves by state, of the running execution or else of the latest.", "state")
	copyBytes = describe("reassignment_copy_bytes",
		"Bytes to copy in all, an estimate, of the running execution or else of the latest.")
	copiedBytes = describe("reassignment_copied_bytes",
		"Bytes copied so far, an estimate, of the running execution or else of the latest.")
	duration = describe("reassignment_duration_seconds",
		"How long the running execution has been running, or else how long the latest ran.")
	throttle = describe("reassignment_throttle_bytes_per_second",
		"Replication throttle of each broker, of the running execution or else of the latest; absent without one.")
	unconfirmed = describe("reassignment_cancels_unconfirmed",
		"Partitions whose cancel Kafka did not confirm, of the running execution or else of the latest.")
)
