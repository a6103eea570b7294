package main

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/jedib0t/go-pretty/v6/progress"

	"github.com/kafka-pilot/pilot/reassign"
)

// bar shows the progress of an execution: a moving bar on a terminal, else a line now and then.
type bar struct {
	t       terminal
	title   string
	writer  progress.Writer
	tracker *progress.Tracker
	last    int // tenths of the moves that the last line told of
}

func newBar(t terminal, title string) *bar {
	b := &bar{t: t, title: title, last: -1}
	if !t.colour {
		return b
	}
	b.writer = progress.NewWriter()
	b.writer.SetOutputWriter(t.out)
	b.writer.SetUpdateFrequency(100 * time.Millisecond)
	b.writer.SetTrackerLength(40)
	b.writer.SetStyle(progress.StyleBlocks)
	b.tracker = &progress.Tracker{Message: title}
	b.writer.AppendTracker(b.tracker)
	go b.writer.Render()
	return b
}

func (b *bar) show(p reassign.Progress) {
	if b.tracker != nil {
		b.tracker.UpdateTotal(int64(p.Submitted))
		b.tracker.SetValue(int64(p.Completed))
		b.tracker.UpdateMessage(fmt.Sprintf("%s: %s", b.title, detail(p)))
		return
	}
	if tenth := p.Completed * 10 / max(1, p.Submitted); tenth != b.last {
		b.last = tenth
		fmt.Fprintf(b.t.out, "%s: %3d%%  %s\n", b.title, p.Completed*100/max(1, p.Submitted), detail(p))
	}
}

func (b *bar) end(p reassign.Progress) {
	if b.tracker == nil {
		return
	}
	if p.Completed == p.Submitted {
		b.tracker.MarkAsDone()
	} else {
		b.tracker.MarkAsErrored()
	}
	b.writer.Stop()
	for b.writer.IsRenderInProgress() {
		time.Sleep(10 * time.Millisecond)
	}
}

func detail(p reassign.Progress) string {
	text := fmt.Sprintf("%d of %d moves, %s of %s", p.Completed, p.Submitted, humanize.IBytes(uint64(p.CopiedBytes)), humanize.IBytes(uint64(p.CopyBytes)))
	if p.SecondsLeft != nil && *p.SecondsLeft > 0 {
		text += fmt.Sprintf(", about %v left", time.Duration(*p.SecondsLeft)*time.Second)
	}
	return text
}
