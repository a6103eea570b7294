package measure

import (
	"cmp"
	"slices"
	"time"
)

// History holds what the samples of the past add up to. It is for one goroutine at a time.
type History struct {
	config     Config
	began      time.Time // time of the first sample
	partitions map[Key]*partition
	sized      map[int32]time.Time // when each broker told its sizes last
	grouped    time.Time           // when all groups were known last
}

// partition is the history of one partition.
type partition struct {
	seen     time.Time // of the latest sample that names it
	sparse   bool
	offsets  Offsets
	produced window
	pace     float64 // messages per second of the latest interval
	seed     seeded
	sizes    []Size // sorted by broker; replaced, never changed, since Rates hands it out
	growth   growth
	readers  []reader // sorted by group
}

// New returns an empty history.
func New(config Config) *History {
	return &History{config: config.withDefaults(), partitions: map[Key]*partition{}, sized: map[int32]time.Time{}}
}

// Add takes in what a round found. Samples come in the order of their times; of one that does not, only what is news
// counts.
func (h *History) Add(s Sample) {
	if h.began.IsZero() {
		h.began = s.At
	}
	sized := h.news(s.Sized)
	for i := range s.Partitions {
		h.addPartition(&s.Partitions[i], s.At, sized)
	}
	h.addGroups(&s)
	h.forget(s.At)
}

// news returns the brokers that told sizes no earlier than ever before, and remembers them.
func (h *History) news(sized map[int32]time.Time) map[int32]time.Time {
	news := make(map[int32]time.Time, len(sized))
	for broker, at := range sized {
		if !at.Before(h.sized[broker]) {
			h.sized[broker], news[broker] = at, at
		}
	}
	return news
}

// addPartition takes in what a round found of one partition. Sizes come after offsets: growth compares the two.
func (h *History) addPartition(found *Partition, at time.Time, sized map[int32]time.Time) {
	p := h.partitions[found.Key]
	if p == nil {
		p = &partition{}
		h.partitions[found.Key] = p
	}
	p.seen = later(p.seen, at)
	p.sparse = found.Sparse
	news := h.addOffsets(p, found.Offsets)
	if !found.Seed.At.IsZero() && !p.offsets.At.IsZero() {
		p.seed = found.Seed.rate(p.offsets, h.config.Enough)
	}
	p.addSizes(found.Sizes, sized)
	if at, told := sized[p.offsets.Leader]; news && told {
		if size, known := p.size(p.offsets.Leader); known {
			p.growth.add(mark{offsets: p.offsets, sizedAt: at, bytes: size})
		}
	}
}

// addOffsets counts what was produced since the leader's answer before, and reports whether the answer is news.
func (h *History) addOffsets(p *partition, now Offsets) bool {
	before := p.offsets
	if !now.At.After(before.At) || now.Epoch < before.Epoch {
		return false
	}
	p.offsets = now
	span := now.At.Sub(before.At)
	switch grown := now.End - before.End; {
	case before.At.IsZero():
	case grown < 0, span > h.config.Window:
		p.pace = 0
	default:
		p.pace = perSecond(grown, span)
		p.produced.add(h.piece(now.At), grown, span)
	}
	return true
}

// addSizes puts in what the brokers told of the partition, and takes out what they told before.
func (p *partition) addSizes(found []Size, sized map[int32]time.Time) {
	if len(sized) == 0 {
		return
	}
	sizes := make([]Size, 0, max(len(found), len(p.sizes)))
	for _, s := range found {
		if _, told := sized[s.Broker]; told {
			sizes = append(sizes, s)
		}
	}
	for _, s := range p.sizes {
		if _, told := sized[s.Broker]; !told {
			sizes = append(sizes, s)
		}
	}
	slices.SortFunc(sizes, func(a, b Size) int { return cmp.Compare(a.Broker, b.Broker) })
	p.sizes = sizes
}

// size returns the latest size of the replica on a broker.
func (p *partition) size(broker int32) (int64, bool) { return sizeOn(p.sizes, broker) }

func sizeOn(sizes []Size, broker int32) (int64, bool) {
	i, found := slices.BinarySearchFunc(sizes, broker, func(s Size, b int32) int { return cmp.Compare(s.Broker, b) })
	if !found {
		return 0, false
	}
	return sizes[i].Bytes, true
}

// forget drops what exists no longer, or has not been heard of for so long that nothing of it counts.
func (h *History) forget(now time.Time) {
	for key, p := range h.partitions {
		if now.Sub(p.seen) > h.config.Window {
			delete(h.partitions, key)
		}
	}
	for broker, at := range h.sized {
		if now.Sub(at) > h.config.Window {
			delete(h.sized, broker)
		}
	}
}

// piece returns the number of the piece of all windows that a time lies in.
func (h *History) piece(t time.Time) int64 {
	return max(0, int64(t.Sub(h.began)/(h.config.Window/parts)))
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
