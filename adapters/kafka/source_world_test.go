package kafka

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-pilot/pilot/balance"
)

// sourceWorld is a cluster as fakes show it to a source.
type sourceWorld struct {
	*fakes
	source *Source

	mu        sync.Mutex
	topics    []*worldTopic
	listed    *kmsg.ListPartitionReassignmentsResponse
	groups    map[string]*worldGroup
	trail     map[int32]bool // brokers whose metadata is old
	old       []*worldTopic
	overrides map[kmsg.Key]func(b *fakeBroker, request kmsg.Request) kmsg.Response
}

type worldTopic struct {
	name     string
	id       byte
	hidden   bool
	internal bool
	settings map[string]string
	parts    []worldPart
}

type worldPart struct {
	leader     int32
	epoch      int32
	replicas   []int32
	isr        []int32
	start, end int64
	sizes      map[int32]int64
}

type worldGroup struct {
	coordinator int32
	state       string
	code        int16
	offsets     map[balance.TopicPartition]int64
}

// logOf is a partition whose replicas are in sync and hold the same.
func logOf(end, bytes int64, replicas ...int32) worldPart {
	p := worldPart{leader: replicas[0], replicas: replicas, isr: replicas, end: end, sizes: map[int32]int64{}}
	for _, b := range replicas {
		p.sizes[b] = bytes
	}
	return p
}

// newWorld starts brokers and a source whose rounds follow each other quickly.
func newWorld(t *testing.T, brokers int, topics ...*worldTopic) *sourceWorld {
	t.Helper()
	w := &sourceWorld{
		fakes: newFakes(t, brokers), topics: topics, groups: map[string]*worldGroup{}, trail: map[int32]bool{},
		overrides: map[kmsg.Key]func(*fakeBroker, kmsg.Request) kmsg.Response{},
	}
	w.answers(w.answer)
	w.source = NewSource(w.client(), SourceConfig{
		Every: time.Millisecond, SizesEvery: time.Millisecond, Enough: time.Millisecond, Patience: 300 * time.Millisecond,
	})
	w.source.history = SourceConfig{Every: time.Minute, SizesEvery: time.Minute, Window: time.Hour, Enough: time.Millisecond}.history()
	return w
}

// instead answers requests of one kind.
func (w *sourceWorld) instead(key kmsg.Key, answer func(b *fakeBroker, request kmsg.Request) kmsg.Response) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.overrides[key] = answer
}

// change changes the world between two questions.
func (w *sourceWorld) change(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f()
}

// pass lets traffic flow for a while: so many messages of ten bytes are written to partition 0 of each topic, twice as
// many to partition 1, and so on; groups read all.
func (w *sourceWorld) pass(messages int64) {
	w.change(func() {
		for _, t := range w.topics {
			for i := range t.parts {
				p := &t.parts[i]
				p.end += messages * int64(i+1)
				for b := range p.sizes {
					p.sizes[b] += 10 * messages * int64(i+1)
				}
				for _, g := range w.groups {
					if _, reads := g.offsets[balance.TopicPartition{Topic: t.name, Partition: int32(i)}]; reads {
						g.offsets[balance.TopicPartition{Topic: t.name, Partition: int32(i)}] = p.end
					}
				}
			}
		}
	})
	time.Sleep(2 * time.Millisecond) // so that the answers differ in time
}

// watch takes rounds with traffic in between, after which everything is measured.
func (w *sourceWorld) watch(t *testing.T, rounds int) {
	t.Helper()
	for range rounds {
		_, err := w.source.Sample(t.Context())
		require.NoError(t, err)
		w.pass(1000)
	}
	_, err := w.source.Sample(t.Context())
	require.NoError(t, err)
}

func (w *sourceWorld) answer(b *fakeBroker, request kmsg.Request) kmsg.Response {
	w.mu.Lock()
	defer w.mu.Unlock()
	if override := w.overrides[kmsg.Key(request.Key())]; override != nil {
		return override(b, request)
	}
	switch r := request.(type) {
	case *kmsg.MetadataRequest:
		return w.metadata(b, r)
	case *kmsg.ListPartitionReassignmentsRequest:
		return w.reassignments(r)
	case *kmsg.DescribeConfigsRequest:
		return w.configs(r)
	case *kmsg.ListOffsetsRequest:
		return w.offsets(b, r)
	case *kmsg.DescribeLogDirsRequest:
		return w.logDirs(b)
	case *kmsg.ListGroupsRequest:
		return w.list(b)
	case *kmsg.OffsetFetchRequest:
		return w.commits(b, r)
	}
	return nil
}

func (w *sourceWorld) metadata(b *fakeBroker, r *kmsg.MetadataRequest) kmsg.Response {
	response := kmsg.NewPtrMetadataResponse()
	topics := w.topics
	if w.trail[b.id] {
		topics = w.old
	}
	for _, t := range topics {
		answer := kmsg.NewMetadataResponseTopic()
		answer.Topic, answer.TopicID, answer.IsInternal = &t.name, [16]byte{t.id}, t.internal
		for i, p := range t.parts {
			one := kmsg.NewMetadataResponseTopicPartition()
			one.Partition, one.Leader, one.LeaderEpoch, one.Replicas, one.ISR = int32(i), p.leader, p.epoch, p.replicas, p.isr
			answer.Partitions = append(answer.Partitions, one)
		}
		named := r.Topics == nil && !t.hidden
		for _, asked := range r.Topics {
			named = named || *asked.Topic == t.name
		}
		if t.hidden {
			answer.Partitions, answer.ErrorCode = nil, 29
		}
		if named {
			response.Topics = append(response.Topics, answer)
		}
	}
	return response
}

func (w *sourceWorld) reassignments(r *kmsg.ListPartitionReassignmentsRequest) kmsg.Response {
	response := kmsg.NewPtrListPartitionReassignmentsResponse()
	if w.listed == nil {
		return response
	}
	for _, t := range w.listed.Topics {
		for _, asked := range r.Topics {
			if asked.Topic == t.Topic {
				response.Topics = append(response.Topics, t)
			}
		}
	}
	return response
}

func (w *sourceWorld) configs(r *kmsg.DescribeConfigsRequest) kmsg.Response {
	response := kmsg.NewPtrDescribeConfigsResponse()
	for _, t := range w.topics {
		for _, asked := range r.Resources {
			if asked.ResourceName == t.name {
				one := *r
				one.Resources = []kmsg.DescribeConfigsRequestResource{asked}
				response.Resources = append(response.Resources, described(&one, t.settings).(*kmsg.DescribeConfigsResponse).Resources...)
			}
		}
	}
	return response
}

func (w *sourceWorld) offsets(b *fakeBroker, r *kmsg.ListOffsetsRequest) kmsg.Response {
	response := kmsg.NewPtrListOffsetsResponse()
	for _, asked := range r.Topics {
		answer := kmsg.ListOffsetsResponseTopic{Topic: asked.Topic}
		for _, ask := range asked.Partitions {
			one := kmsg.NewListOffsetsResponseTopicPartition()
			one.Partition = ask.Partition
			p := w.find(asked.Topic, ask.Partition)
			switch {
			case p == nil:
				one.ErrorCode = 3
			case p.leader != b.id:
				one.ErrorCode = 6
			default:
				one.LeaderEpoch = p.epoch
				one.Offset, one.Timestamp = p.offset(ask.Timestamp)
			}
			answer.Partitions = append(answer.Partitions, one)
		}
		response.Topics = append(response.Topics, answer)
	}
	return response
}

// offset answers for a log that is an hour old, to which was written evenly.
func (p *worldPart) offset(which int64) (offset, stamp int64) {
	switch which {
	case latestOffset:
		return p.end, -1
	case earliestOffset:
		return p.start, -1
	case latestStamp:
		return p.end - 1, time.Now().UnixMilli()
	}
	return (p.start + p.end) / 2, which
}

func (w *sourceWorld) find(topic string, id int32) *worldPart {
	for _, t := range w.topics {
		if t.name == topic && int(id) < len(t.parts) {
			return &t.parts[id]
		}
	}
	return nil
}

func (w *sourceWorld) logDirs(b *fakeBroker) kmsg.Response {
	response := kmsg.NewPtrDescribeLogDirsResponse()
	dir := kmsg.NewDescribeLogDirsResponseDir()
	for _, t := range w.topics {
		one := kmsg.DescribeLogDirsResponseDirTopic{Topic: t.name}
		for i, p := range t.parts {
			if size, hosted := p.sizes[b.id]; hosted {
				one.Partitions = append(one.Partitions, kmsg.DescribeLogDirsResponseDirTopicPartition{Partition: int32(i), Size: size})
			}
		}
		dir.Topics = append(dir.Topics, one)
	}
	future := kmsg.DescribeLogDirsResponseDirTopic{Topic: "orders", Partitions: []kmsg.DescribeLogDirsResponseDirTopicPartition{{Partition: 0, Size: 1 << 40, IsFuture: true}}}
	other := kmsg.NewDescribeLogDirsResponseDir()
	other.Topics = append(other.Topics, future)
	failed := kmsg.NewDescribeLogDirsResponseDir()
	failed.ErrorCode = 56
	response.Dirs = append(response.Dirs, other, dir, failed)
	return response
}

func (w *sourceWorld) list(b *fakeBroker) kmsg.Response {
	response := kmsg.NewPtrListGroupsResponse()
	for name, g := range w.groups {
		if g.coordinator == b.id {
			response.Groups = append(response.Groups, kmsg.ListGroupsResponseGroup{Group: name, ProtocolType: "consumer", GroupState: g.state, GroupType: "classic"})
		}
	}
	return response
}

func (w *sourceWorld) commits(b *fakeBroker, r *kmsg.OffsetFetchRequest) kmsg.Response {
	response := kmsg.NewPtrOffsetFetchResponse()
	for _, asked := range r.Groups {
		answer := kmsg.OffsetFetchResponseGroup{Group: asked.Group}
		g := w.groups[asked.Group]
		switch {
		case g == nil:
			answer.ErrorCode = 69
		case g.coordinator != b.id:
			answer.ErrorCode = 16
		default:
			answer.ErrorCode = g.code
			for tp, offset := range g.offsets {
				answer.Topics = append(answer.Topics, kmsg.OffsetFetchResponseGroupTopic{Topic: tp.Topic, Partitions: []kmsg.OffsetFetchResponseGroupTopicPartition{{Partition: tp.Partition, Offset: offset}}})
			}
		}
		response.Groups = append(response.Groups, answer)
	}
	return response
}

// read reads, and returns the partitions by name.
func (w *sourceWorld) read(t *testing.T) (*balance.Cluster, map[string]balance.Partition) {
	t.Helper()
	c, err := w.source.Read(t.Context())
	require.NoError(t, err)
	require.NoError(t, c.Validate())
	named := map[string]balance.Partition{}
	for _, p := range c.Partitions {
		named[p.Name().String()] = p
	}
	return c, named
}
