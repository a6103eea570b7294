package balance

import "fmt"

// DefaultThreshold is the fraction of the fair share to even to when a policy names none.
const DefaultThreshold = 0.05

// Policy is everything that shapes a decision besides the reading itself. The zero Policy is the documented default.
type Policy struct {
	// Threshold is the fraction of the fair share to even to; moves start beyond twice as much. 0 means 0.05.
	// PILOT_BALANCE_THRESHOLD gives it in percent.
	Threshold float64
	// RackAware makes fair shares and placements follow the racks (PILOT_BALANCE_RACK_AWARE). Without it, the number
	// of racks that hold a partition still never falls.
	RackAware bool
	// Floor is the minimum difference (PILOT_BALANCE_FLOOR); the zero Floor is off.
	Floor Floor
	// Weights rank trade-offs between loads; the zero Load means 3, 3, 2.5, 1.5, 2, 1.5, 2.
	Weights Load
	// HoldTopicCaps leaves concentrated topics alone: whoever keeps history sets it until the brokers that can lead have
	// been the same for ten minutes, so that Kafka can hand leadership back to a broker that returns (row PLAN-11).
	// No plan pushes a topic over its cap in any case.
	HoldTopicCaps bool
	// MaxPartitions caps how many partitions an optional plan changes. 0 means no cap.
	MaxPartitions int

	// Shares replaces the share rule; nil means the rule of row BAL-02.
	Shares ShareRule
	// Gates may each refuse a change; every one must allow it.
	Gates []Gate
}

// ShareRule decides what each active broker should carry. It must be a pure function: the same reading gives the
// same shares, the shares of a load add up to that load's total, and none is negative.
type ShareRule interface {
	// FairShares returns the fair share of every active broker, in the order of usual, which holds the shares of the
	// built-in rule. It must not keep or change its arguments.
	FairShares(c *Cluster, usual []BrokerShare) []BrokerShare
}

// BrokerShare is one broker's fair share of every load.
type BrokerShare struct {
	Broker int32
	Share  Load
}

// ShareFunc makes a function a ShareRule.
type ShareFunc func(c *Cluster, usual []BrokerShare) []BrokerShare

// FairShares calls f.
func (f ShareFunc) FairShares(c *Cluster, usual []BrokerShare) []BrokerShare { return f(c, usual) }

// Gate may refuse an optional change of one partition. It must be a pure function of its arguments and must not
// change them. Rules that no gate can switch off hold in any case: the replication factor is kept, no broker holds a
// partition twice, no broker that is in maintenance or unavailable receives anything.
type Gate interface {
	// Allow returns nil to let the partition go to the replicas given (the first leads), or why it may not.
	Allow(p *Partition, to []int32) *Refusal
}

// GateFunc makes a function a Gate.
type GateFunc func(p *Partition, to []int32) *Refusal

// Allow calls f.
func (f GateFunc) Allow(p *Partition, to []int32) *Refusal { return f(p, to) }

// Refusal is a stable code and a sentence. It is a value, not an error: refusing is a normal outcome.
type Refusal struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Floor is the minimum difference of each load from the equal share below which it is left alone (row BAL-05), in
// the unit of the load; 0 means none. Counts have none.
type Floor struct {
	Bytes        float64 // bytes per second, for producer and consumer bytes
	Disk         float64 // bytes
	Messages     float64 // messages per second; with AutoMessages it is the value where no bytes are known
	AutoMessages bool    // follow Bytes at the average message size of each direction
}

// complete checks a policy and fills in the defaults.
func (p Policy) complete() (Policy, error) {
	if p.Threshold == 0 {
		p.Threshold = DefaultThreshold
	}
	if !(p.Threshold > 0 && p.Threshold <= 0.5) {
		return p, fmt.Errorf("policy: threshold %g is not a fraction above 0 and up to 0.5", p.Threshold)
	}
	if p.Weights == (Load{}) {
		p.Weights = Load{3, 3, 2.5, 1.5, 2, 1.5, 2}
	}
	for m, w := range p.Weights {
		if !(w >= 0 && w <= 100) {
			return p, fmt.Errorf("policy: weight %g of %s is not between 0 and 100", w, Metric(m).Phrase())
		}
	}
	if p.MaxPartitions < 0 {
		return p, fmt.Errorf("policy: maxPartitions %d is negative", p.MaxPartitions)
	}
	f := p.Floor
	if !(f.Bytes >= 0 && f.Disk >= 0 && f.Messages >= 0) {
		return p, fmt.Errorf("policy: floor %+v has a negative value", f)
	}
	return p, nil
}
