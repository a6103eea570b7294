package balance

import (
	"fmt"
	"strings"
)

// String returns the message and one line a move, for logs and the terminal.
func (p *Proposal) String() string {
	if p == nil {
		return "no proposal"
	}
	var b strings.Builder
	b.WriteString(p.Message)
	for i := range p.Moves {
		m := &p.Moves[i]
		fmt.Fprintf(&b, "\n%s %v -> %v %s", m.Name(), m.From, m.To, m.Reason)
	}
	return b.String()
}
