package reassign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/kafka-pilot/pilot/balance"
)

// fileVersion is the only version of the file that Kafka's own tool knows.
const fileVersion = 1

// assignment is the file of kafka-reassign-partitions.
type assignment struct {
	Version    int                   `json:"version"`
	Partitions []partitionAssignment `json:"partitions"`
}

type partitionAssignment struct {
	Topic     string   `json:"topic"`
	Partition *int32   `json:"partition"`
	Replicas  []int32  `json:"replicas"`
	LogDirs   []string `json:"log_dirs,omitempty"`
}

// WriteReassignmentJSON writes the targets of moves as kafka-reassign-partitions --reassignment-json-file reads them
// (row EXE-10). Kafka's tool changes no leader by itself: run a preferred election afterwards.
func WriteReassignmentJSON(w io.Writer, moves []balance.Move) error {
	var text bytes.Buffer
	fmt.Fprintf(&text, `{"version":%d,"partitions":[`, fileVersion)
	for i := range moves {
		m := &moves[i]
		dirs := slices.Repeat([]string{"any"}, len(m.To))
		line, err := json.Marshal(partitionAssignment{m.Topic, &m.Partition, m.To, dirs})
		if err != nil {
			return fmt.Errorf("writing the reassignment file: %v: %w", m.Name(), err)
		}
		if i > 0 {
			text.WriteByte(',')
		}
		text.WriteString("\n  ")
		text.Write(line)
	}
	text.WriteString("\n]}\n")
	if _, err := w.Write(text.Bytes()); err != nil {
		return fmt.Errorf("writing the reassignment file: %w", err)
	}
	return nil
}

// ReadReassignmentJSON reads such a file, from Kafka's tool or another. Every entry needs a topic, a partition and
// replicas; a partition may occur once. Keys that the file should not have are refused, since a misspelt one would be
// lost, and so is a log directory other than "any": Kafka cannot choose one in the request that moves a replica. The
// targets are sorted. Pass them to MovesTo.
func ReadReassignmentJSON(r io.Reader) ([]Target, error) {
	decoder := json.NewDecoder(r)
	decoder.DisallowUnknownFields()
	var file assignment
	if err := decoder.Decode(&file); err != nil {
		return nil, fmt.Errorf("reassignment file: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("reassignment file: there is text after the object")
	}
	if file.Version != fileVersion {
		return nil, fmt.Errorf("reassignment file: version must be %d, not %d", fileVersion, file.Version)
	}
	if len(file.Partitions) == 0 {
		return nil, fmt.Errorf("reassignment file: partitions is missing or empty")
	}
	targets := make([]Target, len(file.Partitions))
	seen := make(map[balance.TopicPartition]int, len(targets))
	for i := range file.Partitions {
		p := &file.Partitions[i]
		if err := p.check(); err != nil {
			return nil, fmt.Errorf("reassignment file: partitions[%d]: %w", i, err)
		}
		targets[i] = Target{balance.TopicPartition{Topic: p.Topic, Partition: *p.Partition}, p.Replicas}
		if first, twice := seen[targets[i].TopicPartition]; twice {
			return nil, fmt.Errorf("reassignment file: partitions[%d]: %v is partitions[%d] already", i, targets[i].TopicPartition, first)
		}
		seen[targets[i].TopicPartition] = i
	}
	slices.SortFunc(targets, func(a, b Target) int { return a.Compare(b.TopicPartition) })
	return targets, nil
}

func (p *partitionAssignment) check() error {
	switch {
	case p.Topic == "":
		return fmt.Errorf("topic is missing")
	case p.Partition == nil:
		return fmt.Errorf("partition of topic %s is missing", p.Topic)
	case *p.Partition < 0:
		return fmt.Errorf("partition %d of topic %s is negative", *p.Partition, p.Topic)
	}
	name := balance.TopicPartition{Topic: p.Topic, Partition: *p.Partition}
	if err := checkReplicas(p.Replicas); err != nil {
		return fmt.Errorf("replicas of %v: %w", name, err)
	}
	if p.LogDirs != nil && len(p.LogDirs) != len(p.Replicas) {
		return fmt.Errorf("log_dirs of %v has %d entries for %d replicas", name, len(p.LogDirs), len(p.Replicas))
	}
	for _, dir := range p.LogDirs {
		if dir != "any" {
			return fmt.Errorf("log_dirs of %v: only \"any\" is possible, not %q: move the directory afterwards", name, dir)
		}
	}
	return nil
}

// MovesTo makes moves of targets, starting from the placement of a reading. Targets that are reached are left out. A
// target of another length than the partition has replicas is refused unless factor allows it; so is a partition that
// the reading does not have. A leader that stays a replica stays the leader, as with Kafka's own tool.
func MovesTo(targets []Target, reading *balance.Cluster, factor bool) ([]balance.Move, error) {
	byName := make(map[balance.TopicPartition]*balance.Partition, len(reading.Partitions))
	for i := range reading.Partitions {
		byName[reading.Partitions[i].Name()] = &reading.Partitions[i]
	}
	var moves []balance.Move
	for i := range targets {
		t := &targets[i]
		p := byName[t.TopicPartition]
		if p == nil {
			return nil, fmt.Errorf("%v is not in the cluster", t.TopicPartition)
		}
		if err := checkReplicas(t.Replicas); err != nil {
			return nil, fmt.Errorf("target of %v: %w", t.TopicPartition, err)
		}
		if len(t.Replicas) != len(p.Replicas) && !factor {
			return nil, fmt.Errorf("%v has %d replicas and would have %d: changing the factor must be asked for",
				t.TopicPartition, len(p.Replicas), len(t.Replicas))
		}
		if slices.Equal(t.Replicas, p.Replicas) {
			continue
		}
		m := moveTo(p, t.Replicas)
		if err := checkMove(&m); err != nil {
			return nil, fmt.Errorf("move of %v: %w", t.TopicPartition, err)
		}
		moves = append(moves, m)
	}
	return moves, nil
}

func moveTo(p *balance.Partition, to []int32) balance.Move {
	m := balance.Move{
		Topic: p.Topic, Partition: p.ID, From: slices.Clone(p.Replicas), To: slices.Clone(to),
		FromLeader: p.Leader, ToLeader: to[0], Kind: balance.MoveBalance, Reason: "from a reassignment file",
		CopyBytes: int64(len(without(to, p.Replicas))) * p.LeaderSize(),
	}
	if slices.Contains(to, p.Leader) {
		m.ToLeader = p.Leader
	}
	switch {
	case len(to) != len(p.Replicas):
		m.Kind = balance.MoveFactor
	case sameSet(to, p.Replicas):
		m.Kind = balance.MoveLeader
	}
	return m
}
