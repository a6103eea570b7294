package reassign

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

var update = flag.Bool("update", false, "rewrite the expected lines of testdata/*.txt")

// TestScripts plays the scripts in testdata: a line that begins with ">" is an order to the world, what follows is
// what the execution did. Times are seconds since the start.
func TestScripts(t *testing.T) {
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

// script is one story being played.
type script struct {
	host
	t      *testing.T
	start  time.Time
	out    strings.Builder
	quiet  bool
	moves  []balance.Move
	base   *balance.Cluster
	limits Limits
	fails  map[string][]faultAt
}

func play(t *testing.T, text string) string {
	s := &script{t: t, base: &balance.Cluster{}, fails: map[string][]faultAt{}}
	s.tell = s.line
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

func (s *script) line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	routine := strings.HasPrefix(text, "look") || strings.HasPrefix(text, "read")
	if !s.quiet || !routine {
		fmt.Fprintf(&s.out, "%6.0f  %s\n", s.now.Sub(s.start).Seconds(), text)
	}
}

func (s *script) fact(format string, args ...any) {
	fmt.Fprintf(&s.out, "        "+format+"\n", args...)
}

// order obeys one line.
func (s *script) order(words []string) {
	rest := words[1:]
	switch words[0] {
	case "brokers":
		s.fake = newFake(ints(rest)...)
		s.fake.fault = s.nextFault
		s.start = s.now
	case "rack":
		for _, b := range ints(rest[1:]) {
			s.base.Brokers = append(s.base.Brokers, balance.Broker{ID: b, Rack: rest[0]})
		}
	case "partition":
		s.partition(rest)
	case "rate":
		setRate(map[string]**int64{"leader": &s.rates[ints(rest)[0]].Leader, "follower": &s.rates[ints(rest)[0]].Follower}[rest[1]], rateOf(rest[2]))
	case "list":
		s.list(rest)
	case "move":
		s.move(rest)
	case "limits":
		s.limit(rest)
	case "start":
		var err error
		s.e, err = New("plan", s.moves, s.base, s.limits)
		s.seen, s.moves = Seen{}, nil
		if err != nil {
			s.fact("refused: %v", err)
		}
	case "run":
		s.run(rest)
	case "cancel":
		s.e.Cancel()
	case "pass":
		d, err := time.ParseDuration(rest[0])
		require.NoError(s.t, err)
		s.pass(d)
	case "show":
		for _, line := range s.state() {
			s.fact("%s", line)
		}
	case "moves":
		s.showMoves()
	default:
		s.misfortune(words[0], rest)
	}
}

// misfortune is what happens to a cluster.
func (s *script) misfortune(what string, rest []string) {
	switch what {
	case "kill":
		s.kill(ints(rest)[0])
	case "revive":
		s.alive[ints(rest)[0]] = true
	case "lag":
		p := s.part(name(rest[0]))
		p.lagging = ints(rest[1:])
		p.isr = without(p.isr, p.lagging)
	case "catch-up":
		s.part(name(rest[0])).lagging = nil
	case "foreign":
		s.alter(s.part(name(rest[0])), list(rest[1:]))
	case "foreign-cancel":
		p := s.part(name(rest[0]))
		p.become(without(p.replicas, p.adding))
	case "delete":
		s.deleteTopic(rest[0])
	case "recreate":
		for _, p := range s.parts {
			if p.name.Topic == rest[0] {
				p.id = "other-id"
			}
		}
	case "fail":
		n, _ := strconv.Atoi(rest[1])
		kind := map[string]faultAt{"lost": lost, "mute": mute}[rest[2]]
		s.fails[strings.ReplaceAll(rest[0], "_", " ")] = slices.Repeat([]faultAt{kind}, n)
	case "crash":
		s.e, s.seen = nil, Seen{}
	case "restore":
		all, err := Restore(s.journal)
		require.NoError(s.t, err)
		require.Len(s.t, all, 1)
		if s.e = all[0]; len(rest) > 0 {
			s.e.Settle()
		}
	default:
		s.t.Fatalf("unknown order %q", what)
	}
}

func (s *script) nextFault(call string) faultAt {
	if queue := s.fails[call]; len(queue) > 0 {
		s.fails[call] = queue[1:]
		return queue[0]
	}
	return works
}

// partition orders-0 [1 2 3] bytes 5000000 min 2 leader 2
func (s *script) partition(words []string) {
	n := name(words[0])
	p := s.add(n.Topic, n.Partition, 5_000_000, list(words[1:])...)
	for key, value := range pairs(words) {
		switch key {
		case "bytes":
			p.bytes = value
			for b := range p.has {
				p.has[b] = value
			}
		case "min":
			p.minISR = int32(value)
		case "leader":
			p.leader = int32(value)
		}
	}
	if !slices.ContainsFunc(s.base.Topics, func(t balance.Topic) bool { return t.Name == n.Topic }) {
		s.base.Topics = append(s.base.Topics, balance.Topic{Name: n.Topic, ID: p.id})
	}
}

// list orders leader 0:1 0:2
func (s *script) list(words []string) {
	l := &s.lists[words[0]].Leader
	if words[1] == "follower" {
		l = &s.lists[words[0]].Follower
	}
	*l = ThrottleList{}
	for _, w := range words[2:] {
		if l.All = w == "*"; l.All {
			l.Set = true
			return
		}
		var e ThrottleEntry
		_, err := fmt.Sscanf(w, "%d:%d", &e.Partition, &e.Broker)
		require.NoError(s.t, err)
		l.edit([]ThrottleEntry{e}, nil)
	}
}

// move orders-0 [4 2 3] kind drain leader 4
func (s *script) move(words []string) {
	p := s.part(name(words[0]))
	m := balance.Move{
		Topic: p.name.Topic, Partition: p.name.Partition, From: slices.Clone(p.replicas), To: list(words[1:]),
		FromLeader: p.leader, Kind: balance.MoveBalance,
	}
	m.ToLeader = m.To[0]
	m.CopyBytes = p.bytes * int64(len(without(m.To, m.From)))
	for key, value := range pairs(words) {
		if key == "leader" {
			m.ToLeader = int32(value)
		}
	}
	if i := slices.Index(words, "kind"); i > 0 {
		m.Kind = balance.MoveKind(words[i+1])
	}
	s.moves = append(s.moves, m)
}

func (s *script) limit(words []string) {
	s.limits.Managed = slices.Contains(words, "managed")
	for key, value := range pairs(words) {
		switch key {
		case "throttle":
			s.limits.Throttle = value
		case "per-broker":
			s.limits.MaxPerBroker = int(value)
		case "batch":
			s.limits.MaxBatch = int(value)
		case "bytes":
			s.limits.MaxBytesPerBroker = value
		case "speed":
			s.speed = value
		}
	}
}

// run [quiet] [steps N | for DURATION]: until the end, for a number of Todos or for a time; quiet leaves out what only
// reads.
func (s *script) run(words []string) {
	if s.quiet = len(words) > 0 && words[0] == "quiet"; s.quiet {
		words = words[1:]
	}
	more := func() bool { return true }
	if len(words) > 1 {
		switch words[0] {
		case "steps":
			n := ints(words[1:])[0]
			more = func() bool { n--; return n >= 0 }
		case "for":
			d, err := time.ParseDuration(words[1])
			require.NoError(s.t, err)
			end := s.now.Add(d)
			more = func() bool { return s.now.Before(end) }
		}
	}
	for range 100_000 {
		if !more() || !s.step() {
			return
		}
	}
	s.t.Fatal("the execution does not end")
}

func (s *script) showMoves() {
	p := s.e.Progress()
	s.fact("%v: %s", p.State, p.Message)
	for _, m := range p.Moves {
		s.fact("%v %v %s", m.TopicPartition, m.State, m.Reason)
	}
	for _, w := range p.Warnings {
		s.fact("warning: %s", w)
	}
	if len(p.Unconfirmed) > 0 {
		s.fact("unconfirmed: %s", namesText(p.Unconfirmed))
	}
	if len(s.journal) > 0 && !p.EndedAt.IsZero() {
		s.fact("the record is kept")
	}
}

func name(text string) balance.TopicPartition {
	i := strings.LastIndex(text, "-")
	n, _ := strconv.Atoi(text[i+1:])
	return balance.TopicPartition{Topic: text[:i], Partition: int32(n)}
}

// ints reads the leading numbers of words.
func ints(words []string) []int32 {
	var all []int32
	for _, w := range words {
		n, err := strconv.Atoi(strings.Trim(w, "[],"))
		if err != nil {
			break
		}
		all = append(all, int32(n))
	}
	return all
}

// list reads words like "[1", "2", "3]", and stops at the bracket.
func list(words []string) []int32 {
	for i, w := range words {
		if strings.HasSuffix(w, "]") {
			return ints(words[:i+1])
		}
	}
	return ints(words)
}

// pairs finds "word number".
func pairs(words []string) map[string]int64 {
	found := map[string]int64{}
	for i := 0; i+1 < len(words); i++ {
		if n, err := strconv.ParseInt(words[i+1], 10, 64); err == nil {
			found[words[i]] = n
		}
	}
	return found
}

func rateOf(word string) *int64 {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		n = -1
	}
	return &n
}
