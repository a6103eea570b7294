package profile_test

import (
	"fmt"
	"slices"

	"github.com/kafka-pilot/pilot/profile"
)

// Read a profile and see how much of their hardware brokers use.
func Example() {
	p, err := profile.Parse("network=10Gbit/s disk=2TiB; rack=eu-west-1c: network=25Gbit/s")
	if err != nil {
		fmt.Println(err)
		return
	}
	brokers := []profile.Broker{{ID: 1, Rack: "eu-west-1a"}, {ID: 2, Rack: "eu-west-1c"}}
	placement := []profile.Partition{{
		Leader: 1, Replicas: []int32{1, 2}, SizeBytes: 1 << 40, ProduceBytes: 500e6, ConsumeBytes: 250e6,
	}}
	for _, u := range p.Inspect(brokers, slices.Values(placement)).Usages {
		fmt.Printf("broker %d: network %.0f%%, disk %.0f%%\n", u.Broker, *u.Network, *u.Disk)
	}
	// Output:
	// broker 1: network 60%, disk 50%
	// broker 2: network 16%, disk 50%
}

// A mistake in a unit is refused with the rule and what to write instead.
func ExampleParse() {
	_, err := profile.Parse("network=10Gb/s disk=2TiB")
	fmt.Println(err)
	// Output:
	// PILOT_BROKER_PROFILE: rule 1 (network=10Gb/s disk=2TiB): network=: "10Gb/s" is ambiguous, bits or bytes: write 10Gbit/s or 10GB/s
}
