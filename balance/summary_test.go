package balance

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSummaryRows(t *testing.T) {
	at := func(m Metric, d float64, side Side) Report {
		r := Report{Brokers: []BrokerReport{{Broker: 3}, {Broker: 4}}, NoTraffic: []Metric{ConsumerBytes, Disk}, BelowMin: []Metric{ConsumerMessages}}
		r.Brokers[1].Loads[m] = Distance{Distance: d, Side: side}
		return r
	}
	for _, c := range []struct {
		distance            float64
		side                Side
		text, colour, badge string
	}{
		{0.28, Below, "Broker 4 · 28% below", "red", "Uneven"},
		{0.10, Below, "Broker 4 · 10% below", "amber", "Even"},
		{0.05, Above, "Broker 4 · 5% above", "green", "Even"},
		{0.004, Above, "Even", "green", "Even"},
	} {
		s := Summarize(at(Leaders, c.distance, c.side), nil, 0)
		require.Equal(t, "Pilot moves partitions when a broker is more than 10% from its fair share, and evens it to within 5%.", s.Header)
		require.Equal(t, Leaders, s.Rows[0].Load, "the most urgent comes first")
		require.Equal(t, c.text, s.Rows[0].Text)
		require.Equal(t, c.colour, s.Rows[0].Colour)
		require.Equal(t, c.badge, s.Badge)
		texts := map[Metric]string{}
		for _, row := range s.Rows {
			texts[row.Load] = row.Text
		}
		require.Equal(t, "No data", texts[Disk])
		require.Equal(t, "No traffic", texts[ConsumerBytes])
		require.Equal(t, "Below minimum difference", texts[ConsumerMessages])
	}
	red := Summarize(at(ProducerBytes, 0.55, Above), nil, 0)
	require.Equal(t, "More than 10% above its fair share", red.Rows[0].Note)
	require.EqualValues(t, 4, *red.Rows[0].Broker)
	require.Nil(t, red.Rows[1].Broker, "nobody is off")
	limited := Summarize(at(ProducerBytes, 0.55, Above), []Limit{{Load: ProducerBytes, Cause: CauseMessagesVsBytes}}, 0)
	require.Equal(t, "At its limit: messages vs bytes", limited.Rows[0].Note)
	require.Equal(t, "amber", limited.Rows[0].Colour)
	require.Equal(t, "Balanced, at its limit", limited.Badge)
}

// The formula of the documents: 35 of 50 with one partition forgiven is 28% below.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		have, fair, unit, want float64
		side                   Side
	}{
		{35, 50, 1, 0.28, Below}, {65, 50, 1, 0.28, Above}, {49, 50, 1, 0, Below}, {51, 50, 1, 0, Above}, {50, 50, 1, 0, Above},
		{0, 50, 1, 0.98, Below}, {7, 0, 1, 0, Above},
	} {
		d, side := distance(c.have, c.fair, c.unit)
		require.InDelta(t, c.want, d, 1e-12)
		require.Equal(t, c.side, side)
	}
}

// Both ends bind: factor 4 on racks of 3, 3 and 2 is one or two in each, and a small rack is filled first.
func TestQuotas(t *testing.T) {
	for _, c := range []struct {
		k         int
		racks     []int
		low, high []int32
	}{
		{3, []int{2, 1, 1}, []int32{1, 1, 1}, []int32{1, 1, 1}},
		{4, []int{3, 3, 2}, []int32{1, 1, 1}, []int32{2, 2, 2}},
		{2, []int{1, 3}, []int32{1, 1}, []int32{1, 1}},
		{3, []int{1, 3}, []int32{1, 2}, []int32{1, 2}},
		{2, []int{1, 1, 1}, []int32{0, 0, 0}, []int32{1, 1, 1}},
		{2, []int{0, 2}, []int32{0, 2}, []int32{0, 2}},
		{3, []int{3}, []int32{3}, []int32{3}},
	} {
		low, high := quotas(c.k, c.racks)
		require.Equal(t, c.low, low, "%+v", c)
		require.Equal(t, c.high, high, "%+v", c)
	}
}

// A share rule of one's own decides what is even; one that loses load is refused by name.
func TestShareRule(t *testing.T) {
	c := &Cluster{Brokers: []Broker{{ID: 1}, {ID: 2}}}
	for i := range int32(40) {
		c.Partitions = append(c.Partitions, Partition{Topic: "t", ID: i, Leader: 1 + i%2, Replicas: []int32{1 + i%2}, ISR: []int32{1 + i%2}})
	}
	double := ShareFunc(func(_ *Cluster, usual []BrokerShare) []BrokerShare {
		usual[0].Share[Leaders], usual[1].Share[Leaders] = 30, 10
		return usual
	})
	p, err := Propose(c, Policy{Shares: double})
	require.NoError(t, err)
	require.Equal(t, RebalanceRecommended, p.Status)
	require.InDelta(t, 30, p.After.Brokers[0].Loads[Leaders].Have, 3)
	lossy := ShareFunc(func(_ *Cluster, usual []BrokerShare) []BrokerShare { usual[0].Share[Leaders] = 0; return usual })
	_, err = Propose(c, Policy{Shares: lossy})
	require.ErrorContains(t, err, "share rule gave out 20 of 40 leaders")
}
