package balance

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// MarshalJSON writes an object keyed by the names of the loads, in their order.
func (l Loads) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for m := range l {
		if m > 0 {
			b.WriteByte(',')
		}
		text, err := json.Marshal(l[m])
		if err != nil {
			return nil, fmt.Errorf("load %s: %w", Metric(m), err)
		}
		fmt.Fprintf(&b, "%q:%s", Metric(m).String(), text)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (l *Loads) UnmarshalJSON(text []byte) error {
	byName := map[Metric]Distance{}
	if err := json.Unmarshal(text, &byName); err != nil {
		return err
	}
	for m, d := range byName {
		l[m] = d
	}
	return nil
}
