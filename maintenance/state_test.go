package maintenance

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kafka-pilot/pilot/balance"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func TestTransitions(t *testing.T) {
	later := noon.Add(time.Hour)
	online := State{}
	draining := online.Enter(3, noon)
	empty, err := draining.Drained(3, later)
	require.NoError(t, err)
	cases := []struct {
		name    string
		from    State
		do      func(State) (State, error)
		want    Phase
		refused bool
	}{
		{"enter", online, func(s State) (State, error) { return s.Enter(3, later), nil }, Draining, false},
		{"drained without a drain", online, func(s State) (State, error) { return s.Drained(3, later) }, Online, true},
		{"exit without maintenance", online, func(s State) (State, error) { return s.Exit(3) }, Online, true},
		{"enter twice", draining, func(s State) (State, error) { return s.Enter(3, later), nil }, Draining, false},
		{"drained", draining, func(s State) (State, error) { return s.Drained(3, later) }, InMaintenance, false},
		{"exit in the middle of a drain", draining, func(s State) (State, error) { return s.Exit(3) }, Online, false},
		{"enter again, to drain what came since", empty, func(s State) (State, error) { return s.Enter(3, later), nil }, Draining, false},
		{"drained twice", empty, func(s State) (State, error) { return s.Drained(3, later) }, InMaintenance, false},
		{"exit", empty, func(s State) (State, error) { return s.Exit(3) }, Online, false},
		{"another broker does not matter", empty, func(s State) (State, error) { return s.Exit(4) }, InMaintenance, true},
	}
	for _, c := range cases {
		before := c.from.Phase(3)
		got, err := c.do(c.from)
		assert.Equal(t, c.want, got.Phase(3), c.name)
		assert.Equal(t, before, c.from.Phase(3), c.name+": the old state is left as it was")
		if c.refused {
			var refused *Refused
			require.ErrorAs(t, err, &refused, c.name)
			assert.Equal(t, NotInMaintenance, refused.Code, c.name)
			continue
		}
		require.NoError(t, err, c.name)
	}
}

func TestRecord(t *testing.T) {
	s, err := State{}.Enter(7, noon).Enter(3, noon).Drained(7, noon.Add(time.Minute))
	require.NoError(t, err)
	assert.Equal(t, []int32{3, 7}, s.Brokers())
	text, err := json.Marshal(s)
	require.NoError(t, err)
	assert.JSONEq(t, `{"version": 1, "brokers": [
		{"broker": 3, "phase": "draining", "since": "2026-11-30T12:00:00Z"},
		{"broker": 7, "phase": "maintenance", "since": "2026-11-30T12:01:00Z"}]}`, string(text))
	var read State
	require.NoError(t, json.Unmarshal(text, &read))
	assert.Equal(t, s, read)

	text, err = json.Marshal(State{})
	require.NoError(t, err)
	assert.JSONEq(t, `{"version": 1, "brokers": []}`, string(text))
}

func TestRecordsThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "maintenance record: version 0 is not known, only 1: start the program that wrote it",
		`{"version": 2, "brokers": [], "drains": []}`:                                                         "maintenance record: version 2 is not known, only 1: start the program that wrote it",
		`{"version": 1, "brokers": [{"broker": 3, "phase": "asleep"}]}`:                                       `maintenance record: broker 3 has the unknown phase "asleep": use draining or maintenance`,
		`{"version": 1, "brokers": [{"broker": 3, "phase": "online"}]}`:                                       `maintenance record: broker 3 has the unknown phase "online": use draining or maintenance`,
		`{"version": 1, "brokers": [{"broker": 3, "phase": "draining"}, {"broker": 3, "phase": "draining"}]}`: "maintenance record: broker 3 is listed twice",
		`{"version": 1, "brokers": [{"broker": -3, "phase": "draining"}]}`:                                    "maintenance record: broker -3: IDs are not negative",
		`{"version": 1, "broker": []}`:                                                                        `maintenance record: json: unknown field "broker"`,
		`[]`:                                                                                                  "maintenance record: json: cannot unmarshal array into Go value of type struct { Version int }",
	} {
		var s State
		assert.EqualError(t, json.Unmarshal([]byte(text), &s), want, text)
		assert.Empty(t, s.Brokers(), text)
	}
}

func FuzzRecord(f *testing.F) {
	for _, seed := range []string{`{"version":1,"brokers":[{"broker":3,"phase":"draining","since":"2026-11-30T12:00:00Z"}]}`, `{"version":2}`, `null`, `{`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s State
		if err := json.Unmarshal(data, &s); err != nil {
			return
		}
		text, err := json.Marshal(s)
		require.NoError(t, err)
		var again State
		require.NoError(t, json.Unmarshal(text, &again))
		require.Equal(t, s.Brokers(), again.Brokers())
		for _, b := range s.Brokers() {
			require.Equal(t, s.Phase(b), again.Phase(b))
		}
	})
}

func TestOverlay(t *testing.T) {
	c := cluster("abc", 1, []int32{1, 2})
	c.Brokers[1].State = balance.Unavailable
	s := State{}.Enter(2, noon).Enter(9, noon)
	got := Overlay(c, s)
	assert.Equal(t, balance.Maintenance, got.Brokers[1].State, "a broker that is drained on purpose does not count as down")
	assert.Equal(t, balance.Active, got.Brokers[0].State)
	assert.Equal(t, balance.Unavailable, c.Brokers[1].State, "the reading is left as it was")
	back, err := s.Exit(2)
	require.NoError(t, err)
	assert.Equal(t, balance.Unavailable, Overlay(c, back).Brokers[1].State)
}

// Any sequence of events leaves a state that says of each broker what the last accepted event made of it.
func TestStateFollowsEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s State
		want := map[int32]Phase{}
		for range rapid.IntRange(0, 30).Draw(t, "events") {
			b := rapid.Int32Range(0, 5).Draw(t, "broker")
			var err error
			switch rapid.IntRange(0, 2).Draw(t, "event") {
			case 0:
				s, want[b] = s.Enter(b, noon), Draining
			case 1:
				if s, err = s.Drained(b, noon); err == nil {
					want[b] = InMaintenance
				}
			default:
				if s, err = s.Exit(b); err == nil {
					want[b] = Online
				}
			}
		}
		n := 0
		for b, phase := range want {
			require.Equal(t, phase, s.Phase(b))
			if phase != Online {
				n++
			}
		}
		require.Len(t, s.Brokers(), n)
		require.IsIncreasing(t, append([]int32{-1}, s.Brokers()...))
	})
}
