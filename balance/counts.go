package balance

// smallMost is how many partitions beyond the act line still are a small count.
const smallMost = 2

// small reports whether nothing starts the plan but counts of leaders or followers that are a partition or two beyond
// the act line (row PLAN-07).
func (g *ground) small(trips []tripped, crowds []crowd) bool {
	if len(trips) == 0 || len(crowds) > 0 && !g.policy.HoldTopicCaps {
		return false
	}
	for i := range trips {
		if t := &trips[i]; t.load != Leaders && t.load != Followers || (t.at.Distance-2*g.policy.Threshold)*t.at.FairShare > smallMost {
			return false
		}
	}
	return true
}

// cooling are the limits of brokers that wait for partitions that moved a short while ago.
func cooling(trips []tripped) []Limit {
	var list []Limit
	for _, t := range trips {
		list = append(list, newLimit(t, CauseRecentMoves))
	}
	return list
}
