// Package scenario makes clusters on which the planner is measured, and says what no plan could do better.
//
// A scenario is made from its name, a size and a seed alone, so that two people who talk of skew 100×100,000 seed 2
// mean the same cluster. All have three replicas in three racks. Topics have from one to some hundred partitions; sizes
// and rates differ by topic and a little within one, as they do in the clusters that grew over years.
package scenario

import (
	"fmt"
	"math/rand/v2"

	"github.com/kafka-pilot/pilot/balance"
)

// Name names a way in which a cluster is uneven.
type Name string

// The scenarios.
const (
	Even     Name = "even"     // nothing to do
	Skew     Name = "skew"     // some brokers are given more than others, at random
	New      Name = "new"      // a tenth of the brokers are new and empty
	Refill   Name = "refill"   // one broker was drained and comes back
	Racks    Name = "racks"    // racks of unequal size, placed as if they were equal
	Messages Name = "messages" // message sizes and readers differ widely, so messages and bytes are uneven in different ways
	Huge     Name = "huge"     // a few partitions are a large part of a broker's share; not every cluster can be evened
)

// Names lists the scenarios in which there is something to do.
func Names() []Name { return []Name{Skew, New, Refill, Racks, Messages, Huge} }

// Case is a scenario of a size.
type Case struct {
	Name                Name
	Brokers, Partitions int
	Seed                uint64
}

// String names the case, such as "skew 30×10000 seed 1".
func (c Case) String() string {
	return fmt.Sprintf("%s %d×%d seed %d", c.Name, c.Brokers, c.Partitions, c.Seed)
}

// Policy is what the scenarios are planned with.
func Policy() balance.Policy { return balance.Policy{RackAware: true} }

// Cluster makes the cluster of a case. It needs six brokers or more.
func (c Case) Cluster() (*balance.Cluster, error) {
	if c.Brokers < 6 || c.Partitions < 1 {
		return nil, fmt.Errorf("%s: a scenario has 6 brokers or more and 1 partition or more", c)
	}
	m := maker{Case: c, random: rand.New(rand.NewPCG(c.Seed, uint64(c.Partitions))), cluster: &balance.Cluster{}}
	m.brokers()
	m.partitions()
	return m.cluster, nil
}
