package balance

// Side says on which side of its fair share a broker is.
type Side string

const (
	// Above is more than the fair share.
	Above Side = "above"
	// Below is less than the fair share.
	Below Side = "below"
)

// Distance is how far a broker is from its fair share of one load (row BAL-02).
type Distance struct {
	Have         float64 `json:"have"`         // in the unit of the load
	FairShare    float64 `json:"fairShare"`    // in the unit of the load, clipped to what the racks allow
	OnePartition float64 `json:"onePartition"` // the mean partition of the cluster, which is forgiven
	Distance     float64 `json:"distance"`     // fraction of the fair share, after one partition is forgiven
	Side         Side    `json:"side,omitempty"`
}

// BrokerReport holds one broker's distances, indexed by Metric.
type BrokerReport struct {
	Broker int32 `json:"broker"`
	Loads  Loads `json:"loads"`
}

// Loads holds a Distance for each load. In JSON it is an object keyed by the names of the loads.
type Loads [NumMetrics]Distance

// Report says how far every active broker is from its fair share of every load. It is a value: it holds numbers of
// one placement and nothing else.
type Report struct {
	Brokers   []BrokerReport      `json:"brokers"` // active brokers, sorted
	NoTraffic []Metric            `json:"noTraffic,omitempty"`
	BelowMin  []Metric            `json:"belowMinimum,omitempty"`
	Imbalance [NumMetrics]float64 `json:"-"` // mean distance from the equal share, for display (row BAL-08)
}

// Cause says why a load is at its limit.
type Cause string

// The causes, in the order in which they are looked for.
const (
	CauseRecentMoves       Cause = "recent_moves"
	CauseLargePartition    Cause = "large_partition"
	CauseTooFewPartitions  Cause = "too_few_partitions"
	CauseMessagesVsBytes   Cause = "messages_vs_bytes"
	CauseReplicaPlacement  Cause = "replica_placement"
	CauseMinimumDifference Cause = "minimum_difference"
	CauseOtherLoads        Cause = "other_loads"
)

// Limit is a broker beyond the act line that no plan worth applying brings closer (row PLAN-10).
type Limit struct {
	Broker   int32   `json:"broker"`
	Load     Metric  `json:"load"`
	Side     Side    `json:"side"`
	Distance float64 `json:"distance"` // fraction of the fair share
	Cause    Cause   `json:"cause"`
	Reason   string  `json:"reason"` // one sentence
	Help     string  `json:"help"`   // what would help
}

// Summary is the balance summary card as data (row DEC-08): one row a load, most urgent first.
type Summary struct {
	Header string       `json:"header"`
	Rows   []SummaryRow `json:"rows"`
	Badge  string       `json:"badge"`
}

// SummaryRow is one load of a Summary.
type SummaryRow struct {
	Load     Metric  `json:"load"`
	Text     string  `json:"text"`             // "Broker 4 · 28% below", "Even", "No traffic" …
	Broker   *int32  `json:"broker,omitempty"` // the farthest broker; nil when none is off
	Distance float64 `json:"distance"`         // fraction of the fair share
	Side     Side    `json:"side,omitempty"`
	Colour   string  `json:"colour"` // green, amber, red or grey
	Note     string  `json:"note,omitempty"`
}
