package show

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/dustin/go-humanize"

	"github.com/kafka-pilot/pilot/balance"
)

// movesShown bounds the moves that a plan lists for people.
const movesShown = 12

// Plan writes a proposal: its message, its moves and what it is expected to do to each load.
func (p Printer) Plan(pr *balance.Proposal, threshold float64) {
	fmt.Fprintf(p.W, "%s\n", pr.Message)
	for _, n := range pr.Notes {
		fmt.Fprintf(p.W, "Note: %s\n", n)
	}
	if len(pr.Moves) > 0 {
		p.moves(pr)
		p.effect(pr, threshold)
	}
	for i := range pr.Limits {
		fmt.Fprintf(p.W, "%s What would help: %s\n", pr.Limits[i].Reason, pr.Limits[i].Help)
	}
}

func (p Printer) moves(pr *balance.Proposal) {
	copies := 0
	for i := range pr.Moves {
		if pr.Moves[i].Kind != balance.MoveLeader {
			copies++
		}
	}
	t := p.table(fmt.Sprintf("Plan %s  ·  %d leader changes, %d partitions copied, %s to copy", pr.ID, pr.LeaderChanges(), copies,
		humanize.IBytes(uint64(pr.CopyBytes()))))
	t.AppendHeader(table.Row{"Partition", "From", "To", "Copies", "What"})
	for i := range pr.Moves {
		m := &pr.Moves[i]
		if i == movesShown {
			t.AppendRow(table.Row{fmt.Sprintf("… and %d more", len(pr.Moves)-i), "", "", "", ""})
			break
		}
		size := "-"
		if m.CopyBytes > 0 {
			size = humanize.IBytes(uint64(m.CopyBytes))
		}
		t.AppendRow(table.Row{m.Name().String(), list(m.From), list(m.To), size, m.Reason})
	}
	t.Render()
}

func (p Printer) effect(pr *balance.Proposal, threshold float64) {
	t := p.table("Expected effect on each load")
	t.AppendHeader(table.Row{"Load", "Now", "After the plan"})
	before, after := rows(pr.Before, threshold), rows(pr.After, threshold)
	for m := balance.Metric(0); m < balance.NumMetrics; m++ {
		b, a := before[m], after[m]
		then := a.Text
		if a.Colour != "grey" && a.Distance <= threshold {
			then = fmt.Sprintf("Every broker within %.0f%%", 100*threshold)
		}
		t.AppendRow(table.Row{m.Phrase(), p.paint(b.Colour, b.Text), p.paint(a.Colour, then)})
	}
	t.Render()
}

func rows(r balance.Report, threshold float64) map[balance.Metric]balance.SummaryRow {
	byLoad := map[balance.Metric]balance.SummaryRow{}
	for _, row := range balance.Summarize(r, nil, threshold).Rows {
		byLoad[row.Load] = row
	}
	return byLoad
}

func list(ids []int32) string {
	parts := make([]string, len(ids))
	for i, b := range ids {
		parts[i] = fmt.Sprint(b)
	}
	return strings.Join(parts, ",")
}
