package metrics_test

import (
	"fmt"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/adapters/internal/apitest"
	"github.com/kafka-pilot/pilot/adapters/metrics"
)

// Register the metrics of a service beside a program's own.
func ExampleNewCollector() {
	var service pilot.API = &apitest.Fake{} // a *pilot.Service in a program
	registry := prometheus.NewRegistry()

	registry.MustRegister(metrics.NewCollector(service, metrics.Options{}))

	families, err := registry.Gather()
	if err != nil {
		fmt.Println(err)
	}
	for _, f := range families {
		if f.GetName() == "pilot_proposal_imbalance_largest_deviation" {
			fmt.Println(f.GetMetric()[0].GetGauge().GetValue())
		}
	}
	// Output: 0.28
}
