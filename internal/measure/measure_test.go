package measure

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var start = time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)

// at is a time, in seconds since the start.
func at(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }

var orders = Key{Topic: TopicID{1}}

// led is a partition as its leader, broker 1, tells it.
func led(key Key, second int, end, size int64) Partition {
	return Partition{Key: key, Offsets: Offsets{At: at(second), Leader: 1, End: end}, Sizes: []Size{{1, size}}}
}

// round is a sample of partitions that broker 1 leads.
func round(second int, partitions ...Partition) Sample {
	return Sample{At: at(second), Partitions: partitions, Sized: map[int32]time.Time{1: at(second)}, AllGroups: true}
}

func TestWindow(t *testing.T) {
	type add struct {
		piece, count int64
		seconds      int
	}
	for name, c := range map[string]struct {
		adds    []add
		piece   int64
		count   int64
		seconds int
	}{
		"nothing":                          {nil, 4, 0, 0},
		"one piece":                        {[]add{{0, 10, 5}, {0, 20, 5}}, 0, 30, 10},
		"several pieces":                   {[]add{{0, 10, 5}, {1, 20, 5}, {5, 30, 5}}, 5, 60, 15},
		"the first piece is forgotten":     {[]add{{0, 10, 5}, {1, 20, 5}, {6, 30, 5}}, 6, 50, 10},
		"forgotten without anything newer": {[]add{{0, 10, 5}, {1, 20, 5}}, 6, 20, 5},
		"everything is forgotten":          {[]add{{0, 10, 5}, {1, 20, 5}}, 7, 0, 0},
		"after a long time":                {[]add{{3, 10, 5}, {1000, 20, 5}}, 1000, 20, 5},
		"a number that goes back":          {[]add{{3, 10, 5}, {2, 20, 5}}, 3, 30, 10},
		"asked about the past":             {[]add{{3, 10, 5}}, 1, 10, 5},
	} {
		t.Run(name, func(t *testing.T) {
			var w window
			for _, a := range c.adds {
				w.add(a.piece, a.count, time.Duration(a.seconds)*time.Second)
			}
			count, span := w.sum(c.piece)
			require.Equal(t, c.count, count)
			require.Equal(t, time.Duration(c.seconds)*time.Second, span)
		})
	}
}

func TestProduced(t *testing.T) {
	type answer struct {
		second int
		epoch  int32
		end    int64
	}
	for name, c := range map[string]struct {
		answers []answer
		now     int
		rate    Rate
	}{
		"one answer is no rate":                {[]answer{{0, 1, 900}}, 0, Rate{}},
		"two answers":                          {[]answer{{0, 1, 900}, {30, 1, 3900}}, 30, Rate{100, Measured, 30 * time.Second}},
		"less than enough time":                {[]answer{{0, 1, 900}, {29, 1, 3900}}, 30, Rate{}},
		"nothing written is zero":              {[]answer{{0, 1, 900}, {30, 1, 900}}, 30, Rate{0, Measured, 30 * time.Second}},
		"the mean of unequal intervals":        {[]answer{{0, 1, 0}, {10, 1, 100}, {40, 1, 1000}}, 40, Rate{25, Measured, 40 * time.Second}},
		"rounds left out":                      {[]answer{{0, 1, 0}, {300, 1, 3000}}, 300, Rate{10, Measured, 5 * time.Minute}},
		"an answer twice":                      {[]answer{{0, 1, 0}, {30, 1, 300}, {30, 1, 300}}, 30, Rate{10, Measured, 30 * time.Second}},
		"an old answer late":                   {[]answer{{0, 1, 0}, {30, 1, 300}, {20, 1, 200}}, 30, Rate{10, Measured, 30 * time.Second}},
		"a leader that was replaced":           {[]answer{{0, 2, 0}, {30, 2, 300}, {60, 1, 9000}, {90, 2, 900}}, 90, Rate{10, Measured, 90 * time.Second}},
		"a new leader":                         {[]answer{{0, 2, 0}, {30, 2, 300}, {60, 3, 600}}, 60, Rate{10, Measured, 60 * time.Second}},
		"records lost, none counted":           {[]answer{{0, 2, 0}, {30, 2, 300}, {60, 3, 100}}, 60, Rate{10, Measured, 30 * time.Second}},
		"records lost, then some written":      {[]answer{{0, 2, 0}, {30, 2, 300}, {60, 3, 100}, {90, 3, 700}}, 90, Rate{15, Measured, 60 * time.Second}},
		"the watermark stands, then leaps":     {[]answer{{0, 2, 0}, {30, 2, 0}, {60, 2, 600}}, 60, Rate{10, Measured, 60 * time.Second}},
		"an interval as long as the window":    {[]answer{{0, 1, 0}, {1800, 1, 1800}}, 1800, Rate{1, Measured, 30 * time.Minute}},
		"an interval longer than the window":   {[]answer{{0, 1, 0}, {1801, 1, 1800}}, 1801, Rate{}},
		"fresh for two and a half rounds":      {[]answer{{0, 1, 0}, {30, 1, 300}}, 105, Rate{10, Measured, 30 * time.Second}},
		"stale after that":                     {[]answer{{0, 1, 0}, {30, 1, 300}}, 106, Rate{}},
		"the beginning leaves the window":      {[]answer{{0, 1, 0}, {60, 1, 60_000}, {960, 1, 69_000}, {1830, 1, 77_700}}, 1830, Rate{10, Measured, 1770 * time.Second}},
		"the beginning is in the window still": {[]answer{{0, 1, 0}, {60, 1, 60_000}, {960, 1, 69_000}, {1770, 1, 77_100}}, 1770, Rate{77_100. / 1770, Measured, 1770 * time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			h := New(Config{})
			for _, a := range c.answers {
				p := led(orders, a.second, a.end, 0)
				p.Offsets.Epoch = a.epoch
				h.Add(round(a.second, p))
			}
			require.Equal(t, c.rate, h.Rates(at(c.now))[orders].ProduceMessages)
		})
	}
}

func TestBytesOfAnOffset(t *testing.T) {
	type state struct {
		second            int
		leader            int32
		start, end, bytes int64
	}
	for name, c := range map[string]struct {
		states []state
		sparse bool
		bytes  float64
		basis  Basis
	}{
		"nothing known":                    {nil, false, 0, Unknown},
		"the whole log":                    {[]state{{0, 1, 100, 300, 4000}}, false, 20, LogMean},
		"a compacted log":                  {[]state{{0, 1, 100, 300, 4000}}, true, 0, Unknown},
		"an empty log":                     {[]state{{0, 1, 300, 300, 0}}, false, 0, Unknown},
		"a log whose records went":         {[]state{{0, 1, 300, 300, 4000}}, false, 0, Unknown},
		"growth":                           {[]state{{0, 1, 0, 1000, 1e6}, {60, 1, 0, 2000, 1_050_000}}, false, 50, Measured},
		"growth of a compacted log":        {[]state{{0, 1, 0, 1000, 1e6}, {60, 1, 0, 2000, 1_050_000}}, true, 50, Measured},
		"growth over less time":            {[]state{{0, 1, 0, 1000, 1e6}, {59, 1, 0, 2000, 1_050_000}}, false, 50, Growing},
		"growth by fewer messages":         {[]state{{0, 1, 0, 1000, 1e6}, {60, 1, 0, 1999, 1_049_950}}, false, 50, Growing},
		"growth by next to none":           {[]state{{0, 1, 0, 1000, 1e6}, {60, 1, 0, 1019, 1_000_950}}, false, 1_000_950. / 1019, LogMean},
		"the same when that is all":        {[]state{{0, 1, 0, 1000, 1e6}, {60, 1, 0, 1019, 1_000_950}}, true, 50, Growing},
		"growth that a cut ends early":     {[]state{{0, 1, 0, 1000, 1e6}, {40, 1, 0, 1500, 1_025_000}, {50, 1, 0, 1600, 2000}}, true, 50, Growing},
		"the growth after it is newer":     {[]state{{0, 1, 0, 0, 0}, {40, 1, 0, 500, 25_000}, {50, 1, 0, 600, 20}, {90, 1, 0, 1000, 16_020}}, true, 40, Growing},
		"growth for next to no time":       {[]state{{0, 1, 0, 1000, 1e6}, {29, 1, 0, 2000, 1_050_000}}, false, 1_050_000. / 2000, LogMean},
		"short intervals add up":           {[]state{{0, 1, 0, 0, 0}, {20, 1, 0, 400, 20_000}, {40, 1, 0, 800, 40_000}, {60, 1, 0, 1200, 60_000}}, false, 50, Measured},
		"retention":                        {[]state{{0, 1, 0, 2000, 1e6}, {60, 1, 1000, 3000, 550_000}}, false, 275, LogMean},
		"retention that growth hides":      {[]state{{0, 1, 0, 2000, 1e6}, {60, 1, 1, 99_000, 2e6}}, true, 0, Unknown},
		"a cut by the cleaner":             {[]state{{0, 1, 0, 2000, 1e6}, {60, 1, 0, 3000, 550_000}}, true, 0, Unknown},
		"a cut in the middle":              {[]state{{0, 1, 0, 1000, 1e6}, {30, 1, 0, 1900, 3e6}, {60, 1, 0, 2900, 2e6}}, true, 2e6 / 900., Growing},
		"growth after a cut":               {[]state{{0, 1, 0, 2000, 1e6}, {60, 1, 0, 3000, 550_000}, {120, 1, 0, 4000, 600_000}}, true, 50, Measured},
		"another leader":                   {[]state{{0, 1, 0, 2000, 1e6}, {60, 2, 0, 3000, 9e6}}, true, 0, Unknown},
		"a leader that comes back":         {[]state{{0, 1, 0, 2000, 1e6}, {60, 2, 0, 3000, 9e6}, {120, 1, 0, 4000, 1e7}}, true, 0, Unknown},
		"records lost":                     {[]state{{0, 1, 0, 2000, 1e6}, {60, 1, 0, 1500, 2e6}}, true, 0, Unknown},
		"the watermark came up":            {[]state{{0, 1, 0, 1000, 1e6}, {60, 1, 0, 3000, 1e6}}, false, 1e6 / 3000., LogMean},
		"kept when there is no growth":     {[]state{{0, 1, 0, 0, 0}, {60, 1, 0, 1000, 50_000}, {3600, 1, 0, 1000, 50_000}}, true, 50, Measured},
		"half as old after half an hour":   {[]state{{0, 1, 0, 0, 0}, {60, 1, 0, 1000, 10_000}, {1860, 1, 0, 2000, 40_000}}, true, 20, Measured},
		"hardly changed by a minute of it": {[]state{{0, 1, 0, 0, 0}, {60, 1, 0, 1000, 10_000}, {120, 1, 0, 2000, 40_000}}, true, 10.4568, Measured},
	} {
		t.Run(name, func(t *testing.T) {
			h := New(Config{})
			h.partitions[orders] = &partition{}
			for _, s := range c.states {
				p := Partition{Key: orders, Sparse: c.sparse, Offsets: Offsets{At: at(s.second), Leader: s.leader, Start: s.start, End: s.end}}
				p.Sizes = []Size{{s.leader, s.bytes}}
				h.Add(Sample{At: at(s.second), Partitions: []Partition{p}, Sized: map[int32]time.Time{s.leader: at(s.second)}})
			}
			bytes, basis := h.partitions[orders].bytesPerOffset()
			require.Equal(t, c.basis, basis)
			require.InDelta(t, c.bytes, bytes, 0.0001)
		})
	}
}

// Sizes are asked for after offsets and more seldom: what counts is bytes a second over messages a second.
func TestBytesOfAnOffsetWhenSizesComeLater(t *testing.T) {
	h := New(Config{})
	for _, second := range []int{0, 30, 60, 90} {
		p := led(orders, second, int64(100*second), 0)
		s := Sample{At: at(second), Partitions: []Partition{p}}
		if second%60 == 0 {
			late := second + second/10 // the second time later than the first
			s.Partitions[0].Sizes = []Size{{1, int64(5000 * late)}}
			s.Sized = map[int32]time.Time{1: at(late)}
		} else {
			s.Partitions[0].Sizes = nil
		}
		h.Add(s)
	}
	bytes, basis := h.partitions[orders].bytesPerOffset()
	require.Equal(t, Measured, basis)
	require.InDelta(t, 50, bytes, 1e-9)
}

func TestTheTopicsMedianStandsInForAPartitionsOwnMessageSize(t *testing.T) {
	key := func(topic byte, id int32) Key { return Key{TopicID{topic}, id} }
	for name, c := range map[string]struct {
		others []int64 // bytes of the other partitions, of a thousand messages each
		bytes  Rate
	}{
		"no other":      {nil, Rate{}},
		"one":           {[]int64{7000}, Rate{70, TopicMedian, 30 * time.Second}},
		"the middle":    {[]int64{90_000, 1000, 5000}, Rate{50, TopicMedian, 30 * time.Second}},
		"between two":   {[]int64{90_000, 1000, 5000, 7000}, Rate{60, TopicMedian, 30 * time.Second}},
		"empty ones no": {[]int64{0, 5000, 0}, Rate{50, TopicMedian, 30 * time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			h := New(Config{})
			for _, second := range []int{0, 30} {
				own := led(key(1, 0), second, int64(second)*10, 12345)
				own.Sparse = true
				other := led(key(2, 1), second, 1000, 999_000)
				s := round(second, own, other)
				for i, bytes := range c.others {
					s.Partitions = append(s.Partitions, led(key(1, int32(i+1)), second, 1000, bytes))
				}
				if second == 30 { // growth of next to nothing is not watched
					s.Sized = nil
				}
				h.Add(s)
			}
			require.Equal(t, c.bytes, h.Rates(at(30))[key(1, 0)].ProduceBytes)
		})
	}
}

func TestSeed(t *testing.T) {
	log := Offsets{At: at(0), Start: 1000, End: 10_000}
	half := at(-1800)
	for name, c := range map[string]struct {
		seed Seed
		rate Rate
	}{
		"a steady log":                {Seed{Offset: 8200, First: half, Last: at(-1)}, Rate{1, Seeded, 30 * time.Minute}},
		"none since":                  {Seed{Offset: -1, Last: at(-200)}, Rate{0, Seeded, 30 * time.Minute}},
		"none since, stamps are old":  {Seed{Offset: -1, Last: at(-301)}, Rate{}},
		"stamps from the future":      {Seed{Offset: 8200, First: half, Last: at(301)}, Rate{}},
		"stamps slightly off":         {Seed{Offset: 8200, First: half, Last: at(299)}, Rate{1, Seeded, 30 * time.Minute}},
		"stamps by the brokers":       {Seed{Offset: -1, Last: at(-7200), Appended: true}, Rate{0, Seeded, 30 * time.Minute}},
		"a log of ten minutes":        {Seed{Offset: 1000, First: at(-600), Last: at(0)}, Rate{15, Seeded, 10 * time.Minute}},
		"a log of ten seconds":        {Seed{Offset: 1000, First: at(-10), Last: at(0)}, Rate{}},
		"first stamp before the time": {Seed{Offset: 1000, First: at(-9999), Last: at(0)}, Rate{5, Seeded, 30 * time.Minute}},
		"beyond the watermark":        {Seed{Offset: 10_001, First: at(-1), Last: at(0)}, Rate{}},
		"nothing known of stamps":     {Seed{Offset: 8200}, Rate{}},
	} {
		t.Run(name, func(t *testing.T) {
			c.seed.At, c.seed.From = at(0), half
			require.Equal(t, c.rate, c.seed.rate(log, 30*time.Second).rate)
		})
	}
}

// A seed is the past of the day on which measuring began, and not of later.
func TestASeedGetsOld(t *testing.T) {
	h := New(Config{})
	p := led(orders, 0, 10_000, 0)
	p.Seed = Seed{At: at(0), From: at(-1800), Offset: 8200, First: at(-1800), Last: at(0)}
	h.Add(round(0, p))
	require.Equal(t, Rate{1, Seeded, 30 * time.Minute}, h.Rates(at(60))[orders].ProduceMessages)
	h.Add(round(1801, led(orders, 1801, 10_000, 0))) // after a gap that says nothing
	require.Zero(t, h.Rates(at(1801))[orders].ProduceMessages)
}

func TestConsumed(t *testing.T) {
	type commit struct {
		second int
		offset int64
	}
	const pace = 100 // messages that producers write in a second
	ends := func(second int) int64 { return 100_000 + pace*int64(second) }
	for name, c := range map[string]struct {
		commits []commit
		now     int
		rate    Rate
	}{
		"nobody reads":                      {nil, 60, Rate{0, Measured, time.Minute}},
		"seen once, close behind":           {[]commit{{60, ends(60) - 500}}, 60, Rate{pace, KeepsUp, time.Minute}},
		"seen once, far behind":             {[]commit{{60, 500}}, 60, Rate{}},
		"the first change has no length":    {[]commit{{0, 1000}, {60, 7000}}, 60, Rate{}},
		"from change to change":             {[]commit{{0, 0}, {30, 1000}, {60, 2500}}, 60, Rate{50, Measured, 30 * time.Second}},
		"however often it commits":          {[]commit{{0, 0}, {10, 1000}, {20, 1000}, {30, 1000}, {40, 1000}, {50, 3000}, {60, 3000}}, 60, Rate{50, Measured, 40 * time.Second}},
		"less than enough time":             {[]commit{{0, 0}, {30, 1000}, {50, 2000}}, 60, Rate{}},
		"it stands still, shortly":          {[]commit{{0, 0}, {30, 1000}, {60, 2500}, {180, 2500}}, 180, Rate{50, Measured, 30 * time.Second}},
		"it stands still, for long":         {[]commit{{0, 0}, {30, 1000}, {60, 2500}, {181, 2500}}, 181, Rate{1500. / 151, Measured, 151 * time.Second}},
		"it never moved":                    {[]commit{{0, 0}, {60, 0}, {121, 0}}, 121, Rate{0, Measured, 121 * time.Second}},
		"it moves again after a long time":  {[]commit{{0, 0}, {30, 1000}, {60, 2500}, {360, 2500}, {630, 4000}}, 630, Rate{5, Measured, 10 * time.Minute}},
		"put back":                          {[]commit{{0, 0}, {30, 1000}, {60, 2500}, {90, 10}, {120, 1510}}, 120, Rate{50, Measured, time.Minute}},
		"put forward":                       {[]commit{{0, 0}, {30, 1000}, {60, 2500}, {90, 90_000}, {120, 91_500}}, 120, Rate{50, Measured, time.Minute}},
		"ten times as fast is no seek":      {[]commit{{0, 0}, {30, 1000}, {60, 2500}, {90, 32_500}}, 90, Rate{525, Measured, time.Minute}},
		"twice very fast is no seek either": {[]commit{{0, 0}, {30, 1000}, {60, 2500}, {90, 42_500}, {120, 82_500}}, 120, Rate{41_500. / 60, Measured, time.Minute}},
		"a commit known twice":              {[]commit{{0, 0}, {30, 1000}, {60, 2500}, {60, 2500}}, 60, Rate{50, Measured, 30 * time.Second}},
		"gone for longer than the window":   {[]commit{{0, 0}, {30, 1000}, {60, 2500}, {1900, 9000}}, 1900, Rate{}},
	} {
		t.Run(name, func(t *testing.T) {
			h := New(Config{})
			for second := 0; second <= c.now; second++ {
				s := round(second, led(orders, second, ends(second), 0))
				for _, commit := range c.commits {
					if commit.second == second {
						s.Groups = append(s.Groups, Group{"g", at(second), []Commit{{orders, commit.offset}}})
					}
				}
				if len(s.Groups) > 0 || second%30 == 0 || second == c.now {
					h.Add(s)
				}
			}
			require.Equal(t, c.rate, h.Rates(at(c.now))[orders].ConsumeMessages)
		})
	}
}

func TestConsumersAreUnknownUntilAllGroupsAreKnownOnce(t *testing.T) {
	h := New(Config{})
	for _, second := range []int{0, 30, 60} {
		s := round(second, led(orders, second, int64(second), 0))
		s.AllGroups = second == 60
		h.Add(s)
		require.Equal(t, second == 60, h.Rates(at(second))[orders].ConsumeMessages.Known())
	}
}

// The coordinator of one group hangs: what reads the partitions of that group is unknown in the end, of the others not.
func TestASilentCoordinatorMakesItsGroupsUnknown(t *testing.T) {
	h := New(Config{})
	other := Key{Topic: TopicID{2}}
	for second := 0; second <= 300; second += 30 {
		s := round(second, led(orders, second, int64(second), 0), led(other, second, int64(second), 0))
		s.Groups = []Group{{"b", at(second), []Commit{{other, int64(second)}}}}
		if s.AllGroups = second <= 120; s.AllGroups {
			s.Groups = append(s.Groups, Group{"a", at(second), []Commit{{orders, int64(second)}}})
		}
		h.Add(s)
		rates := h.Rates(at(second))
		if second >= 30 {
			require.Equal(t, second <= 180, rates[orders].ConsumeMessages.Known(), second)
			require.True(t, rates[other].ConsumeMessages.Known(), second)
		}
	}
}

func TestBytesAreNoBetterKnownThanMessagesAndTheirSize(t *testing.T) {
	minute := time.Minute
	for name, c := range map[string]struct {
		messages Rate
		size     float64
		basis    Basis
		bytes    Rate
	}{
		"both measured":          {Rate{10, Measured, minute}, 7, Measured, Rate{70, Measured, minute}},
		"the size less":          {Rate{10, Measured, minute}, 7, LogMean, Rate{70, LogMean, minute}},
		"the messages less":      {Rate{10, Seeded, minute}, 7, LogMean, Rate{70, Seeded, minute}},
		"no size":                {Rate{10, Measured, minute}, 0, Unknown, Rate{}},
		"no messages":            {Rate{}, 7, Measured, Rate{}},
		"nothing, whatever size": {Rate{0, Measured, minute}, 0, Unknown, Rate{0, Measured, minute}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.bytes, c.messages.times(c.size, c.basis)) })
	}
}

func TestReplicaBytes(t *testing.T) {
	sizes := []Size{{1, 100}, {2, 90}, {4, 5}}
	for name, c := range map[string]struct {
		replicas []int32
		leader   int32
		assumed  []int32
		bytes    []int64
		known    bool
	}{
		"all known":                      {[]int32{2, 1}, 1, nil, []int64{90, 100}, true},
		"one is copied still":            {[]int32{4, 1, 2}, 1, []int32{4}, []int64{100, 100, 90}, true},
		"a broker is down":               {[]int32{1, 2, 3}, 1, []int32{3}, []int64{100, 90, 100}, true},
		"one unknown":                    {[]int32{1, 2, 3}, 1, nil, []int64{100, 90, 100}, false},
		"the leader unknown":             {[]int32{3, 2}, 3, nil, []int64{100, 90}, false},
		"the leader down, the rest not":  {[]int32{2, 4}, -1, nil, []int64{90, 5}, false},
		"led by one that is being taken": {[]int32{2, 4}, 1, []int32{4}, []int64{90, 100}, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := Rates{Sizes: sizes}
			bytes, known := r.ReplicaBytes(c.replicas, c.leader, func(b int32) bool {
				for _, a := range c.assumed {
					if a == b {
						return true
					}
				}
				return false
			})
			require.Equal(t, c.bytes, bytes)
			require.Equal(t, c.known, known)
		})
	}
	bytes, known := (&Rates{}).ReplicaBytes([]int32{1, 2}, 1, func(int32) bool { return false })
	require.Equal(t, []int64{0, 0}, bytes)
	require.False(t, known)
}

// A replica that is on no log directory that works is unknown at once, not after its size has become old.
func TestASizeThatABrokerNoLongerTellsIsUnknown(t *testing.T) {
	h := New(Config{})
	p := led(orders, 0, 0, 100)
	p.Sizes = append(p.Sizes, Size{2, 90})
	s := round(0, p)
	s.Sized[2] = at(0)
	h.Add(s)
	require.Equal(t, []Size{{1, 100}, {2, 90}}, h.Rates(at(0))[orders].Sizes)

	s = round(30, Partition{Key: orders, Sizes: []Size{{1, 110}}})
	h.Add(s) // broker 2 is not asked
	require.Equal(t, []Size{{1, 110}, {2, 90}}, h.Rates(at(30))[orders].Sizes)

	s = round(60, Partition{Key: orders, Sizes: []Size{{1, 120}}})
	s.Sized[2] = at(60) // broker 2 answers without it
	h.Add(s)
	require.Equal(t, []Size{{1, 120}}, h.Rates(at(60))[orders].Sizes)
}

func TestWhatIsGoneIsForgotten(t *testing.T) {
	h := New(Config{})
	other := Key{Topic: TopicID{2}}
	s := round(0, led(orders, 0, 0, 0), led(other, 0, 0, 0))
	s.Sized[9] = at(0)
	h.Add(s)
	h.Add(round(1800, led(orders, 1800, 0, 0)))
	require.Contains(t, h.Rates(at(1800)), other)
	h.Add(round(1830, led(orders, 1830, 0, 0)))
	require.NotContains(t, h.Rates(at(1830)), other)
	require.NotContains(t, h.sized, int32(9))
	require.Contains(t, h.Rates(at(1830)), orders)
}

func TestReads(t *testing.T) {
	for state, reads := range map[string]bool{
		"Stable": true, "PreparingRebalance": true, "CompletingRebalance": true, "Assigning": true, "Reconciling": true,
		"NotReady": true, "": true, "Empty": false, "Dead": false,
	} {
		require.Equal(t, reads, Reads(state), state)
	}
}

func TestCoverage(t *testing.T) {
	h := New(Config{})
	require.Zero(t, h.Coverage(at(0)))
	other := Key{Topic: TopicID{2}}
	seeded := led(other, 0, 100, 100)
	seeded.Seed = Seed{At: at(0), From: at(-1800), Offset: 50, First: at(-1800), Last: at(0)}
	h.Add(round(0, led(orders, 0, 100, 100), seeded))
	require.Equal(t, Coverage{Partitions: 2, Known: 1}, h.Coverage(at(0)))
	h.Add(round(30, led(orders, 30, 200, 200), led(other, 30, 200, 200)))
	require.Equal(t, Coverage{Partitions: 2, Known: 2, Measured: 2}, h.Coverage(at(30)))
}

func TestBasisNames(t *testing.T) {
	require.Equal(t, "unknown", Unknown.String())
	require.Equal(t, "measured", Measured.String())
	require.Equal(t, "basis(99)", Basis(99).String())
}
