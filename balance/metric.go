package balance

import "fmt"

// Metric names one of the seven loads a broker carries (row BAL-01).
type Metric uint8

// The seven loads, in the order in which every array of loads is kept.
const (
	Leaders          Metric = iota // partitions led, a count
	Followers                      // follower replicas hosted, a count
	Disk                           // bytes of every replica hosted
	ProducerMessages               // messages per second written to led partitions
	ProducerBytes                  // bytes per second written to led partitions
	ConsumerMessages               // messages per second read from led partitions
	ConsumerBytes                  // bytes per second read from led partitions

	// NumMetrics is the number of loads, the length of a Load.
	NumMetrics = 7
)

var metricNames = [NumMetrics]string{
	"leaders", "followers", "disk", "producerMessages", "producerBytes", "consumerMessages", "consumerBytes",
}

var metricPhrases = [NumMetrics]string{
	"leaders", "followers", "disk", "producer messages", "producer bytes", "consumer messages", "consumer bytes",
}

// String returns the name used in files and over REST and MCP, for example "producerBytes".
func (m Metric) String() string {
	if int(m) < NumMetrics {
		return metricNames[m]
	}
	return fmt.Sprintf("metric(%d)", uint8(m))
}

// Phrase returns the name used in sentences, for example "producer bytes".
func (m Metric) Phrase() string {
	if int(m) < NumMetrics {
		return metricPhrases[m]
	}
	return m.String()
}

// MarshalText writes the name of the metric, so that maps and fields keyed by it read well.
func (m Metric) MarshalText() ([]byte, error) {
	if int(m) >= NumMetrics {
		return nil, fmt.Errorf("metric %d does not exist: use one of the %d constants", uint8(m), NumMetrics)
	}
	return []byte(m.String()), nil
}

// UnmarshalText reads a name written by MarshalText.
func (m *Metric) UnmarshalText(text []byte) error {
	for i, name := range metricNames {
		if name == string(text) {
			*m = Metric(i)
			return nil
		}
	}
	return fmt.Errorf("unknown load %q: use one of %v", text, metricNames)
}

// Load holds one number for each of the seven loads, indexed by Metric and in the unit of each constant.
type Load [NumMetrics]float64
