// Package show writes reports and plans for people: tables with bars. The examples share it; it is no part of the
// library.
package show

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/kafka-pilot/pilot/balance"
)

// Printer writes to W, with colours where Colour is set: when W is a terminal.
type Printer struct {
	W      io.Writer
	Colour bool
}

// half is the number of characters from the middle of a bar to its end, which stands for the act line.
const half = 10

// Bar draws a distance as a bar that is centred on the fair share and reaches its ends at twice the threshold. The two
// inner marks show the threshold.
func Bar(distance float64, side balance.Side, threshold float64) string {
	cells := []rune(strings.Repeat(" ", 2*half+1))
	cells[half/2], cells[half], cells[half+half/2] = '╎', '│', '╎'
	n := min(half, int(math.Ceil(distance/(2*threshold)*half-1e-9)))
	for i := 1; i <= n; i++ {
		if side == balance.Below {
			cells[half-i] = '█'
		} else {
			cells[half+i] = '█'
		}
	}
	return string(cells)
}

func (p Printer) paint(name, s string) string {
	if !p.Colour {
		return s
	}
	colours := map[string]text.Color{"green": text.FgGreen, "amber": text.FgYellow, "red": text.FgRed, "grey": text.FgHiBlack}
	if c, ok := colours[name]; ok {
		return c.Sprint(s)
	}
	return s
}

func (p Printer) table(title string) table.Writer {
	t := table.NewWriter()
	t.SetOutputMirror(p.W)
	t.SetStyle(table.StyleLight)
	t.Style().Options.SeparateRows = false
	t.Style().Format.Header = text.FormatDefault
	fmt.Fprintln(p.W, title)
	return t
}

// Summary writes the balance summary: a row a load with the broker farthest from its fair share.
func (p Printer) Summary(title string, s balance.Summary, threshold float64) {
	t := p.table(title + "  ·  " + s.Badge)
	t.AppendHeader(table.Row{"Load", "Farthest broker", fmt.Sprintf("-%.0f%%  fair share  +%.0f%%", 200*threshold, 200*threshold), ""})
	for _, r := range s.Rows {
		bar := Bar(r.Distance, r.Side, threshold)
		if r.Colour == "grey" {
			bar = ""
		}
		t.AppendRow(table.Row{r.Load.Phrase(), p.paint(r.Colour, r.Text), p.paint(r.Colour, bar), r.Note})
	}
	t.Render()
	fmt.Fprintln(p.W, s.Header)
}

// Brokers writes how far each broker is from its fair share of each load, in percent.
func (p Printer) Brokers(r balance.Report, threshold float64) {
	t := p.table("Distance of each broker from its fair share")
	head := table.Row{"Broker"}
	for m := balance.Metric(0); m < balance.NumMetrics; m++ {
		head = append(head, m.Phrase())
	}
	t.AppendHeader(head)
	for i := range r.Brokers {
		row := table.Row{r.Brokers[i].Broker}
		for m := range r.Brokers[i].Loads {
			row = append(row, p.cell(&r.Brokers[i].Loads[m], threshold))
		}
		t.AppendRow(row)
	}
	t.Render()
}

func (p Printer) cell(d *balance.Distance, threshold float64) string {
	sign, colour := "+", "green"
	if d.Side == balance.Below {
		sign = "-"
	}
	switch {
	case d.Distance > 2*threshold:
		colour = "red"
	case d.Distance > threshold:
		colour = "amber"
	case d.Distance < 0.0005:
		return p.paint(colour, "even")
	}
	return p.paint(colour, fmt.Sprintf("%s%.1f%%", sign, d.Distance*100))
}
