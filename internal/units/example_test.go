package units_test

import (
	"fmt"

	"github.com/kafka-pilot/pilot/internal/units"
)

func Example() {
	rate, err := units.ParseBandwidth("16Mbit/s")
	fmt.Println(units.Rate(rate), err)

	_, err = units.ParseBandwidth("16Mb/s")
	fmt.Println(err)
	// Output:
	// 2 MB/s <nil>
	// "16Mb/s" is ambiguous, bits or bytes: write 16Mbit/s or 16MB/s
}
