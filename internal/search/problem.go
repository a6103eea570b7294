// Package search finds placements that bring every broker into its box for every load, at a small cost.
//
// It works on flat arrays, counts what it evaluates instead of reading a clock, and breaks every tie by position, so
// that the same problem and seed give the same result on every machine.
//
// A search goes through phases: leadership off concentrated topics; replicas to brokers that lack many; leadership
// hand-overs, exchanges and rotations; replica moves and exchanges; chains, inside which the hard boxes are lifted;
// and last what can be taken back again.
package search

import "github.com/kafka-pilot/pilot/internal/dense"

// Cell is the box of one broker and load, in the units of the model. No result leaves the hard interval, except
// towards it; beyond the target interval a cell is penalised.
type Cell struct {
	HardLow, HardHigh int64
	Low, High         int64
	Inverse           float64 // 1 ÷ fair share; 0 switches the penalty off
	Weight            float64
}

// Problem is what to solve. It is not changed.
type Problem struct {
	*dense.Model
	Cells []Cell // broker × dense.Loads + load

	// RackAware makes each partition keep to QuotaLow and QuotaHigh; without it the number of racks that hold a
	// partition never falls.
	RackAware bool
	QuotaLow  [][]int32 // replication factor → rack → fewest replicas
	QuotaHigh [][]int32 // replication factor → rack → most replicas

	// Allow may refuse the placement of a partition; the first broker leads. nil allows all.
	Allow func(partition int32, brokers []int32) bool

	// KeepTopics leaves topics alone of which one broker leads more than the cap. No topic is pushed over it anyway.
	KeepTopics bool
	// LeadersOnly keeps every replica where it is.
	LeadersOnly bool
	Effort      int64 // evaluated changes after which the search stops; 0 is a default by size
	Refine      bool  // go on from what was found with small changes, where the cluster is small enough for that
	Restarts    int   // further searches from the start with other tie-breaks; the best result wins
}

// Result is a placement and what it costs.
type Result struct {
	At        []int32 // slot → broker
	Lead      []int32 // partition → slot
	Score     int64   // weighted squared excess over all cells, fixed point
	Worst     int64   // the largest cell
	Crowded   int     // leaders over the caps of their topics
	Bytes     int64   // copied
	Copies    int
	Leaders   int   // partitions with another leader
	Evaluated int64 // changes looked at
}

func (r *Result) better(o *Result) bool {
	switch {
	case r.Score != o.Score:
		return r.Score < o.Score
	case r.Worst != o.Worst:
		return r.Worst < o.Worst
	case r.Crowded != o.Crowded:
		return r.Crowded < o.Crowded
	case r.Bytes != o.Bytes:
		return r.Bytes < o.Bytes
	case r.Copies != o.Copies:
		return r.Copies < o.Copies
	}
	return r.Leaders < o.Leaders
}
