package measure

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the expected lines of testdata/*.txt")

// TestStories plays the stories in testdata. A line that begins with ">" is what happens to a partition, or a round of
// measuring; the lines below it are what is known then.
//
//	> partition NAME [leader B] [epoch N] [start N] [end N] [size B:BYTES,…] [sparse]   changes a partition
//	> commit GROUP NAME OFFSET                        a group commits, and is active from then on
//	> seed NAME OFFSET FIRST LAST                     time stamps of 30 minutes ago, first and last as ages
//	> leave GROUP · return GROUP                      a group stops to read
//	> delete NAME · recreate NAME                     another topic comes by the name
//	> silent B… · loud                                brokers do not answer
//	> run DURATION every DURATION [NAME MESSAGES/s BYTES/s]… [GROUP<NAME MESSAGES/s]…   traffic, and rounds in it
//	> round                                           one round without any time passing
//	> pass DURATION                                   time without rounds
//	> rates
func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			got := play(t, string(text))
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
				return
			}
			require.Equal(t, string(text), got)
		})
	}
}

// story is a small cluster and the history of it.
type story struct {
	t        *testing.T
	now      time.Time
	history  *History
	topics   byte // the number of topics so far, for their UUIDs
	parts    map[string]*storyPartition
	groups   map[string]map[string]int64 // committed, by group and partition
	inactive map[string]bool
	silent   map[int32]bool
	out      strings.Builder
}

type storyPartition struct {
	Partition
	owed float64 // of a message
	rest float64 // of a byte
}

func play(t *testing.T, text string) string {
	s := &story{t: t, now: start, history: New(Config{}), parts: map[string]*storyPartition{},
		groups: map[string]map[string]int64{}, inactive: map[string]bool{}, silent: map[int32]bool{}}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") || line == "\n" {
			s.out.WriteString(line)
		}
		if strings.HasPrefix(line, "> ") {
			s.out.WriteString(line)
			s.order(strings.Fields(line[2:]))
		}
	}
	return s.out.String()
}

func (s *story) order(words []string) {
	rest := words[1:]
	switch words[0] {
	case "partition":
		s.partition(rest[0], rest[1:])
	case "commit":
		s.commit(rest[0], rest[1], s.number(rest[2]))
	case "seed":
		p := s.parts[rest[0]]
		p.Seed = Seed{From: s.now.Add(-30 * time.Minute), Offset: s.number(rest[1]), First: s.ago(rest[2]), Last: s.ago(rest[3])}
	case "leave", "return":
		s.inactive[rest[0]] = words[0] == "leave"
	case "delete":
		delete(s.parts, rest[0])
	case "recreate":
		old := s.parts[rest[0]]
		delete(s.parts, rest[0])
		s.partition(rest[0], []string{"leader", fmt.Sprint(old.Offsets.Leader), "size", fmt.Sprintf("%d:0", old.Offsets.Leader)})
	case "silent":
		for _, b := range rest {
			s.silent[int32(s.number(b))] = true
		}
	case "loud":
		s.silent = map[int32]bool{}
	case "run":
		s.run(s.duration(rest[0]), s.duration(rest[2]), rest[3:])
	case "pass":
		s.now = s.now.Add(s.duration(rest[0]))
	case "round":
		s.round()
	case "rates":
		s.rates()
	default:
		require.Fail(s.t, "unknown order", words[0])
	}
}

func (s *story) number(text string) int64 {
	n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64)
	require.NoError(s.t, err)
	return n
}

func (s *story) duration(text string) time.Duration {
	d, err := time.ParseDuration(text)
	require.NoError(s.t, err)
	return d
}

func (s *story) ago(text string) time.Time { return s.now.Add(-s.duration(text)) }

func (s *story) partition(name string, changes []string) {
	p := s.parts[name]
	if p == nil {
		p = &storyPartition{}
		s.topics++
		p.Topic[0] = s.topics
		topic, id, _ := strings.Cut(name, "-")
		for other, q := range s.parts {
			if strings.HasPrefix(other, topic+"-") {
				p.Topic = q.Topic
			}
		}
		p.Key.Partition = int32(s.number(id))
		s.parts[name] = p
	}
	for i := 0; i < len(changes); i++ {
		if changes[i] == "sparse" {
			p.Sparse = true
			continue
		}
		i++
		switch value := changes[i]; changes[i-1] {
		case "leader":
			p.Offsets.Leader = int32(s.number(value))
		case "epoch":
			p.Offsets.Epoch = int32(s.number(value))
		case "start":
			p.Offsets.Start = s.number(value)
		case "end":
			p.Offsets.End = s.number(value)
		case "size":
			p.Sizes = nil
			for one := range strings.SplitSeq(value, ",") {
				broker, bytes, _ := strings.Cut(one, ":")
				p.Sizes = append(p.Sizes, Size{int32(s.number(broker)), s.number(bytes)})
			}
		}
	}
}

func (s *story) commit(group, name string, offset int64) {
	if s.groups[group] == nil {
		s.groups[group] = map[string]int64{}
	}
	s.groups[group][name] = offset
}

// run lets traffic flow and measures at its beginning, each interval and its end.
func (s *story) run(span, every time.Duration, traffic []string) {
	s.round()
	for passed := time.Duration(0); passed < span; {
		step := min(every, span-passed)
		passed += step
		s.now = s.now.Add(step)
		for i := 0; i < len(traffic); {
			group, name, reads := strings.Cut(traffic[i], "<")
			if reads {
				s.commit(group, name, s.groups[group][name]+int64(s.perSecond(traffic[i+1])*step.Seconds()))
				i += 2
				continue
			}
			s.write(traffic[i], s.perSecond(traffic[i+1])*step.Seconds(), s.perSecond(traffic[i+2])*step.Seconds())
			i += 3
		}
		s.round()
	}
}

func (s *story) perSecond(text string) float64 {
	return float64(s.number(strings.TrimSuffix(text, "/s")))
}

func (s *story) write(name string, messages, bytes float64) {
	p := s.parts[name]
	p.owed, p.rest = p.owed+messages, p.rest+bytes
	p.Offsets.End += int64(p.owed)
	p.owed -= float64(int64(p.owed))
	for i := range p.Sizes {
		p.Sizes[i].Bytes += int64(p.rest)
	}
	p.rest -= float64(int64(p.rest))
}

// round asks everybody.
func (s *story) round() {
	sample := Sample{At: s.now, Sized: map[int32]time.Time{}, AllGroups: len(s.silent) == 0}
	for _, name := range slices.Sorted(maps.Keys(s.parts)) {
		p := s.parts[name].Partition
		p.Offsets.At, p.Seed.At = s.now, s.now
		if p.Seed.From.IsZero() {
			p.Seed = Seed{}
		}
		s.parts[name].Seed = Seed{}
		if s.silent[p.Offsets.Leader] || p.Offsets.Leader < 0 {
			p.Offsets = Offsets{}
		}
		p.Sizes = slices.DeleteFunc(slices.Clone(p.Sizes), func(z Size) bool { return s.silent[z.Broker] })
		for broker := int32(1); broker <= 4; broker++ {
			if !s.silent[broker] {
				sample.Sized[broker] = s.now
			}
		}
		sample.Partitions = append(sample.Partitions, p)
	}
	for _, group := range slices.Sorted(maps.Keys(s.groups)) {
		if s.inactive[group] || !sample.AllGroups {
			continue
		}
		g := Group{Name: group, At: s.now}
		for _, name := range slices.Sorted(maps.Keys(s.groups[group])) {
			if p := s.parts[name]; p != nil {
				g.Commits = append(g.Commits, Commit{p.Key, s.groups[group][name]})
			}
		}
		sample.Groups = append(sample.Groups, g)
	}
	s.history.Add(sample)
}

func (s *story) rates() {
	all := s.history.Rates(s.now)
	for _, name := range slices.Sorted(maps.Keys(s.parts)) {
		r := all[s.parts[name].Key]
		fmt.Fprintf(&s.out, "%6.0f  %s wrote %s, %s\n", s.now.Sub(start).Seconds(), name, show(r.ProduceMessages, "msg/s"), show(r.ProduceBytes, "B/s"))
		fmt.Fprintf(&s.out, "        %s read %s, %s\n", name, show(r.ConsumeMessages, "msg/s"), show(r.ConsumeBytes, "B/s"))
		fmt.Fprintf(&s.out, "        %s takes", name)
		for _, z := range r.Sizes {
			fmt.Fprintf(&s.out, " %d:%d", z.Broker, z.Bytes)
		}
		fmt.Fprintln(&s.out)
	}
}

func show(r Rate, unit string) string {
	if !r.Known() {
		return "unknown " + unit
	}
	return fmt.Sprintf("%.6g %s (%v, %v)", r.PerSecond, unit, r.Basis, r.Span)
}
