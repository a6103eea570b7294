package balance

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// The file form of a Cluster. Its keys are a public format: docs/SNAPSHOT.md describes it.
type snapshotFile struct {
	TakenAt    time.Time           `json:"takenAt"`
	Brokers    []snapshotBroker    `json:"brokers"`
	Topics     []snapshotTopic     `json:"topics"`
	Partitions []snapshotPartition `json:"partitions"`
}

type snapshotBroker struct {
	ID    int32       `json:"id"`
	Host  string      `json:"host"`
	Rack  string      `json:"rack"`
	State BrokerState `json:"state"`
}

type snapshotTopic struct {
	Name         string `json:"name"`
	ID           string `json:"id"`
	Compacted    bool   `json:"compacted"`
	SegmentBytes int64  `json:"segmentBytes"`
	MinISR       int32  `json:"minInsyncReplicas"`
	Internal     bool   `json:"internal"`
}

type snapshotPartition struct {
	Topic           string  `json:"topic"`
	Partition       int32   `json:"partition"`
	Leader          int32   `json:"leader"`
	Replicas        []int32 `json:"replicas"`
	Adding          []int32 `json:"adding,omitempty"`
	Removing        []int32 `json:"removing,omitempty"`
	ISR             []int32 `json:"isr"`
	SizeBytes       int64   `json:"sizeBytes"`
	ReplicaBytes    []int64 `json:"replicaBytes,omitempty"`
	ProduceMessages float64 `json:"produceMessages"`
	ProduceBytes    float64 `json:"produceBytes"`
	ConsumeMessages float64 `json:"consumeMessages"`
	ConsumeBytes    float64 `json:"consumeBytes"`
	Cooldown        bool    `json:"cooldown,omitempty"`
}

// ReadSnapshot reads a cluster from a snapshot file and validates it. A key that is not part of the format, a value
// of the wrong type and a contradiction are errors that name the place.
func ReadSnapshot(r io.Reader) (*Cluster, error) {
	d := json.NewDecoder(&bounded{r, mostSnapshotBytes})
	d.DisallowUnknownFields()
	var f snapshotFile
	if err := d.Decode(&f); err != nil {
		return nil, snapshotError(err, d.InputOffset())
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("snapshot: something follows the object at byte %d: a file holds one JSON object", d.InputOffset())
	}
	c := f.cluster()
	c.Sort()
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	return c, nil
}

func snapshotError(err error, offset int64) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("snapshot: the file is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("snapshot: the file ends at byte %d in the middle of a value", offset)
	case errors.As(err, &syntax):
		return fmt.Errorf("snapshot: not JSON at byte %d: %w", syntax.Offset, err)
	case errors.As(err, &kind):
		return fmt.Errorf("snapshot: %s at byte %d is a %s, expected %s", kind.Field, kind.Offset, kind.Value, kind.Type)
	}
	return fmt.Errorf("snapshot: before byte %d: %w", offset, err)
}

func (f *snapshotFile) cluster() *Cluster {
	c := &Cluster{TakenAt: f.TakenAt}
	for _, b := range f.Brokers {
		c.Brokers = append(c.Brokers, Broker(b))
	}
	for _, t := range f.Topics {
		c.Topics = append(c.Topics, Topic(t))
	}
	c.Partitions = make([]Partition, 0, len(f.Partitions))
	for i := range f.Partitions {
		s := &f.Partitions[i]
		p := Partition{Topic: s.Topic, ID: s.Partition, Leader: s.Leader, Replicas: s.Replicas, ISR: s.ISR,
			SizeBytes: s.SizeBytes, ReplicaBytes: s.ReplicaBytes, ProduceMessages: s.ProduceMessages, ProduceBytes: s.ProduceBytes,
			ConsumeMessages: s.ConsumeMessages, ConsumeBytes: s.ConsumeBytes, Cooldown: s.Cooldown}
		if len(s.Adding) > 0 || len(s.Removing) > 0 {
			p.Moving = &Change{Adding: s.Adding, Removing: s.Removing}
		}
		c.Partitions = append(c.Partitions, p)
	}
	return c
}

// WriteSnapshot writes a cluster as a snapshot file, one broker, topic and partition a line. A partition whose
// measurements are not known is written with cooldown, since both are left alone.
func WriteSnapshot(w io.Writer, c *Cluster) error {
	out := lineWriter{w: w}
	at, err := c.TakenAt.MarshalJSON()
	if err != nil {
		return fmt.Errorf("snapshot: takenAt: %w", err)
	}
	out.text("{\"takenAt\": " + string(at))
	out.list("brokers", len(c.Brokers), func(i int) any { return snapshotBroker(c.Brokers[i]) })
	out.list("topics", len(c.Topics), func(i int) any { return snapshotTopic(c.Topics[i]) })
	out.list("partitions", len(c.Partitions), func(i int) any { return filePartition(&c.Partitions[i]) })
	out.text("\n}\n")
	if out.err != nil {
		return fmt.Errorf("snapshot: %w", out.err)
	}
	return nil
}

func filePartition(p *Partition) snapshotPartition {
	s := snapshotPartition{Topic: p.Topic, Partition: p.ID, Leader: p.Leader, Replicas: p.Replicas, ISR: p.ISR,
		SizeBytes: p.SizeBytes, ReplicaBytes: p.ReplicaBytes, ProduceMessages: p.ProduceMessages, ProduceBytes: p.ProduceBytes,
		ConsumeMessages: p.ConsumeMessages, ConsumeBytes: p.ConsumeBytes, Cooldown: p.Cooldown || p.Unmeasured}
	if p.Moving != nil {
		s.Adding, s.Removing = p.Moving.Adding, p.Moving.Removing
	}
	return s
}

// lineWriter writes JSON lists one element a line and keeps the first error.
type lineWriter struct {
	w   io.Writer
	err error
}

func (l *lineWriter) text(s string) {
	if l.err == nil {
		_, l.err = io.WriteString(l.w, s)
	}
}

func (l *lineWriter) list(key string, n int, at func(int) any) {
	l.text(",\n\"" + key + "\": [")
	for i := range n {
		text, err := json.Marshal(at(i))
		if err != nil && l.err == nil {
			l.err = err
		}
		sep := ",\n"
		if i == 0 {
			sep = "\n"
		}
		l.text(sep + string(text))
	}
	l.text("]")
}
