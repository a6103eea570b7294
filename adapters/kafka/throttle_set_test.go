package kafka

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-pilot/pilot/reassign"
)

func number(n int64) *int64 { return &n }

func TestEachResourceIsInARoundOnce(t *testing.T) {
	require.Empty(t, rounds(nil))
	require.Equal(t, [][]int{{0, 1, 2}, {3, 4}, {5}}, rounds([]reassign.ThrottleChange{
		{Topic: "a"}, {Broker: 1}, {Topic: "b"}, {Topic: "a", Broker: 7}, {Broker: 1}, {Broker: 1},
	}))
}

func TestWhatIsRefusedBeforeItIsSent(t *testing.T) {
	have := func(leader reassign.ThrottleList) *reassign.TopicThrottle {
		return &reassign.TopicThrottle{Topic: "t", Leader: leader}
	}
	var long list
	for i := range int32(3_750) {
		long = append(long, entry(10_000+i, 1)) // of 8 bytes with its comma
	}
	for name, row := range map[string]struct {
		have *reassign.TopicThrottle
		add  list
		drop list
		want reassign.Code
		says string
	}{
		"no such topic":           {nil, list{entry(0, 1)}, nil, reassign.CodeMissing, "no such topic"},
		"an empty list":           {have(reassign.ThrottleList{}), list{entry(0, 1)}, nil, reassign.CodeOK, ""},
		"adding to everything":    {have(reassign.ThrottleList{All: true}), list{entry(0, 1)}, nil, reassign.CodeInvalid, `"*"`},
		"dropping of everything":  {have(reassign.ThrottleList{All: true}), nil, list{entry(0, 1)}, reassign.CodeInvalid, `"*"`},
		"nothing to everything":   {have(reassign.ThrottleList{All: true}), nil, nil, reassign.CodeOK, ""},
		"as long as may be":       {have(reassign.ThrottleList{}), long, nil, reassign.CodeOK, ""},
		"there already":           {have(reassign.ThrottleList{Entries: long}), long[:10], nil, reassign.CodeOK, ""},
		"longer than may be":      {have(reassign.ThrottleList{Entries: long}), list{entry(0, 1)}, nil, reassign.CodeInvalid, "a list would have 30003 bytes and may have 30000"},
		"shortening one too long": {have(reassign.ThrottleList{Entries: append(long, entry(0, 1), entry(1, 1))}), nil, long, reassign.CodeOK, ""},
	} {
		t.Run(name, func(t *testing.T) {
			o := admits(row.have, &reassign.ThrottleChange{Topic: "t", AddLeader: row.add, DropLeader: row.drop})
			require.Equal(t, row.want, o.Code, o.Message)
			require.Contains(t, o.Message, row.says)
		})
	}
}

// store answers as the settings of a cluster would; trailing is how many reads show what was before.
type store struct {
	mu       sync.Mutex
	topics   map[string]map[string]string
	brokers  map[string]map[string]string
	said     []string // every operation
	trailing int
	shown    map[string]map[string]string // while it trails
	denies   bool
}

func (s *store) answer(_ *fakeBroker, request kmsg.Request) kmsg.Response {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r := request.(type) {
	case *kmsg.DescribeConfigsRequest:
		response := kmsg.NewPtrDescribeConfigsResponse()
		for _, asked := range r.Resources {
			one := kmsg.NewPtrDescribeConfigsRequest()
			one.Resources = []kmsg.DescribeConfigsRequestResource{asked}
			settings, exists := s.read(asked.ResourceType, asked.ResourceName)
			described := described(one, settings).(*kmsg.DescribeConfigsResponse).Resources[0]
			if !exists {
				described.ErrorCode = 3
			}
			response.Resources = append(response.Resources, described)
		}
		return response
	case *kmsg.IncrementalAlterConfigsRequest:
		response := kmsg.NewPtrIncrementalAlterConfigsResponse()
		for _, resource := range r.Resources {
			answered := kmsg.IncrementalAlterConfigsResponseResource{ResourceType: resource.ResourceType, ResourceName: resource.ResourceName}
			if s.denies {
				answered.ErrorCode = 29
			} else {
				s.change(resource)
			}
			response.Resources = append(response.Resources, answered)
		}
		return response
	}
	return nil
}

func (s *store) read(kind kmsg.ConfigResourceType, name string) (map[string]string, bool) {
	if kind == kmsg.ConfigResourceTypeBroker {
		return s.brokers[name], true
	}
	if s.trailing > 0 {
		s.trailing--
		return s.shown[name], true
	}
	settings, exists := s.topics[name]
	return settings, exists
}

func (s *store) change(resource kmsg.IncrementalAlterConfigsRequestResource) {
	all := s.topics
	if resource.ResourceType == kmsg.ConfigResourceTypeBroker {
		all = s.brokers
	}
	settings := all[resource.ResourceName]
	if settings == nil {
		settings = map[string]string{}
		all[resource.ResourceName] = settings
	}
	for _, c := range resource.Configs {
		value := deref(c.Value)
		s.said = append(s.said, strings.TrimSpace(fmt.Sprintf("%s %v %s %s", resource.ResourceName, c.Op, c.Name, value)))
		have, _ := parseList(settings[c.Name], true)
		given, _ := parseList(value, true)
		switch c.Op {
		case kmsg.IncrementalAlterConfigOpSet:
			settings[c.Name] = value
		case kmsg.IncrementalAlterConfigOpDelete:
			delete(settings, c.Name)
		case kmsg.IncrementalAlterConfigOpAppend:
			settings[c.Name] = formatList(edited(have.Entries, given.Entries, nil))
		case kmsg.IncrementalAlterConfigOpSubtract:
			settings[c.Name] = formatList(edited(have.Entries, nil, given.Entries))
		}
	}
	slices.Sort(s.said)
}

// throttling makes changes on a store through an executor with two brokers.
func throttling(t *testing.T, s *store, changes ...reassign.ThrottleChange) []reassign.ThrottleOutcome {
	t.Helper()
	f := newFakes(t, 2)
	x := NewExecutor(f.client())
	f.answers(s.answer)
	outcomes, err := x.SetThrottles(t.Context(), changes)
	require.NoError(t, err)
	require.Len(t, outcomes, len(changes))
	return outcomes
}

func TestListsAreEditedInTheControllerAndRemovedWhenEmpty(t *testing.T) {
	s := &store{topics: map[string]map[string]string{"t": {leaderListKey: "0:9", followerListKey: "0:2"}}}
	outcomes := throttling(t, s, reassign.ThrottleChange{Topic: "t", AddLeader: list{entry(0, 1)}, DropLeader: list{entry(0, 9)}, DropFollower: list{entry(0, 2)}})
	require.Equal(t, []reassign.ThrottleOutcome{{}}, outcomes)
	require.Equal(t, map[string]string{leaderListKey: "0:1"}, s.topics["t"])
	require.Equal(t, []string{
		"t APPEND " + leaderListKey + " 0:1",
		"t DELETE " + followerListKey,
		"t SUBTRACT " + followerListKey + " 0:2",
		"t SUBTRACT " + leaderListKey + " 0:9",
	}, s.said)
}

func TestSeveralChangesOfOneTopicAreMadeOneAfterAnother(t *testing.T) {
	s := &store{topics: map[string]map[string]string{"t": {}}}
	throttling(t, s,
		reassign.ThrottleChange{Topic: "t", AddLeader: list{entry(0, 1), entry(0, 2)}},
		reassign.ThrottleChange{Topic: "t", DropLeader: list{entry(0, 1)}})
	require.Equal(t, map[string]string{leaderListKey: "0:2"}, s.topics["t"])
}

// What is read back too early would look as if another tool had removed it.
func TestChangeIsDoneOnceItShows(t *testing.T) {
	s := &store{topics: map[string]map[string]string{"t": {}}, trailing: 4, shown: map[string]map[string]string{"t": {}}}
	require.Equal(t, []reassign.ThrottleOutcome{{}}, throttling(t, s, reassign.ThrottleChange{Topic: "t", AddLeader: list{entry(0, 1)}}))
	require.Zero(t, s.trailing, "it waited for that")
}

func TestRatesAreSetOnTheirOwnBroker(t *testing.T) {
	s := &store{brokers: map[string]map[string]string{"1": {followerRateKey: "5"}, "2": {}}}
	outcomes := throttling(t, s,
		reassign.ThrottleChange{Broker: 1, LeaderRate: number(7), FollowerRate: number(-1)},
		reassign.ThrottleChange{Broker: 9, LeaderRate: number(7)},
		reassign.ThrottleChange{Broker: 2, LeaderRate: number(0)},
		reassign.ThrottleChange{Broker: 2})
	require.Equal(t, map[string]string{leaderRateKey: "7"}, s.brokers["1"])
	require.Equal(t, reassign.CodeOK, outcomes[0].Code)
	require.Equal(t, reassign.CodeUnreachable, outcomes[1].Code)
	require.Equal(t, reassign.CodeInvalid, outcomes[2].Code)
	require.Equal(t, reassign.CodeOK, outcomes[3].Code, "there is nothing to do")
}

func TestLackOfPermissionIsSaidForEachTopic(t *testing.T) {
	s := &store{topics: map[string]map[string]string{"a": {}, "b": {}}, denies: true}
	outcomes := throttling(t, s,
		reassign.ThrottleChange{Topic: "a", AddLeader: list{entry(0, 1)}}, reassign.ThrottleChange{Topic: "b", AddLeader: list{entry(0, 1)}},
		reassign.ThrottleChange{Topic: "none", AddLeader: list{entry(0, 1)}})
	require.Equal(t, []reassign.Code{reassign.CodeDenied, reassign.CodeDenied, reassign.CodeMissing},
		[]reassign.Code{outcomes[0].Code, outcomes[1].Code, outcomes[2].Code})
}

// A rate or a list that is a default of the cluster or of the broker's file is nobody's throttle.
func TestOnlyWhatIsSetOnTheResourceItselfCounts(t *testing.T) {
	f := newFakes(t, 1)
	x := NewExecutor(f.client())
	f.answers(func(_ *fakeBroker, request kmsg.Request) kmsg.Response {
		r, ok := request.(*kmsg.DescribeConfigsRequest)
		if !ok {
			return nil
		}
		value := map[kmsg.ConfigResourceType]string{kmsg.ConfigResourceTypeBroker: "1000", kmsg.ConfigResourceTypeTopic: "*"}[r.Resources[0].ResourceType]
		answer := described(r, map[string]string{leaderRateKey: value, followerRateKey: value, leaderListKey: value, followerListKey: value}).(*kmsg.DescribeConfigsResponse)
		for i, source := range []kmsg.ConfigSource{kmsg.ConfigSourceDynamicDefaultBrokerConfig, kmsg.ConfigSourceStaticBrokerConfig} {
			answer.Resources[0].Configs[i].Source = source
		}
		return answer
	})
	found, err := x.Throttles(t.Context(), []int32{1}, []string{"t"})
	require.NoError(t, err)
	require.Equal(t, reassign.Throttles{
		Brokers: []reassign.BrokerThrottle{{Broker: 1}}, Topics: []reassign.TopicThrottle{{Topic: "t"}},
	}, found)
}
