package balance

import (
	"fmt"
	"sort"
)

// Summarize turns a report into the balance summary card (row DEC-08). Limits, where known, give amber rows their
// cause. The threshold is a fraction; 0 means DefaultThreshold.
func Summarize(r Report, limits []Limit, threshold float64) Summary {
	if threshold == 0 {
		threshold = DefaultThreshold
	}
	s := Summary{Header: fmt.Sprintf("Pilot moves partitions when a broker is more than %s from its fair share, and evens it to within %s.",
		precise(2*threshold), precise(threshold))}
	red, limited := false, false
	for m := Metric(0); m < NumMetrics; m++ {
		row := summaryRow(&r, m, threshold)
		for i := range limits {
			if l := &limits[i]; l.Load == m && row.Colour == "red" {
				row.Colour, row.Note, limited = "amber", "At its limit: "+causeName(l.Cause), true
			}
		}
		red = red || row.Colour == "red"
		s.Rows = append(s.Rows, row)
	}
	sort.SliceStable(s.Rows, func(i, j int) bool { return s.Rows[i].Distance > s.Rows[j].Distance })
	switch {
	case red:
		s.Badge = "Uneven"
	case limited:
		s.Badge = "Balanced, at its limit"
	default:
		s.Badge = "Even"
	}
	return s
}

func summaryRow(r *Report, m Metric, threshold float64) SummaryRow {
	row := SummaryRow{Load: m, Text: "Even", Colour: "green"}
	for _, n := range r.NoTraffic {
		if n == m {
			row.Text, row.Colour = "No traffic", "grey"
			if m == Disk {
				row.Text = "No data"
			}
			return row
		}
	}
	for _, n := range r.BelowMin {
		if n == m {
			row.Text, row.Colour = "Below minimum difference", "grey"
			return row
		}
	}
	farthest := int32(0)
	for i := range r.Brokers {
		if d := &r.Brokers[i].Loads[m]; d.Distance > row.Distance {
			farthest = r.Brokers[i].Broker
			row.Distance, row.Side = d.Distance, d.Side
		}
	}
	if text := percent(row.Distance); text != "0%" {
		row.Text = fmt.Sprintf("Broker %d · %s %s", farthest, text, row.Side)
	}
	if row.Distance > 0 {
		row.Broker = &farthest
	}
	switch {
	case row.Distance > 2*threshold+1e-9:
		row.Colour = "red"
		row.Note = fmt.Sprintf("More than %s %s its fair share", precise(2*threshold), row.Side)
	case row.Distance > threshold+1e-9:
		row.Colour = "amber"
	}
	return row
}

func causeName(c Cause) string {
	name := []byte(c)
	for i := range name {
		if name[i] == '_' {
			name[i] = ' '
		}
	}
	return string(name)
}
