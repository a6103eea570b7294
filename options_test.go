package pilot_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/sim"
	"github.com/kafka-pilot/pilot/reassign"
)

// complete are options with which nothing is wrong.
func complete() pilot.Options {
	client := sim.New(sim.Config{}).Client(nil)
	return pilot.Options{Source: client, Executor: client, Journal: client.Journal()}
}

func TestOptions(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*pilot.Options)
		want   string
	}{
		"all defaults":      {func(*pilot.Options) {}, ""},
		"no source":         {func(o *pilot.Options) { o.Source = nil }, "Options.Source is missing"},
		"no executor":       {func(o *pilot.Options) { o.Executor = nil }, "Options.Executor is missing"},
		"no journal":        {func(o *pilot.Options) { o.Journal = nil }, "Options.Journal is missing"},
		"percent":           {func(o *pilot.Options) { o.Policy.Threshold = 5 }, "Options.Policy: "},
		"no number":         {func(o *pilot.Options) { o.Policy.Threshold = math.NaN() }, "Options.Policy: "},
		"negative weight":   {func(o *pilot.Options) { o.Policy.Weights[0] = -1 }, "Options.Policy: "},
		"throttle in MB":    {func(o *pilot.Options) { o.Limits.Throttle = 50 }, "Options.Limits: throttle of 50 B/s"},
		"reading all day":   {func(o *pilot.Options) { o.ReadEvery = time.Millisecond }, "Options.ReadEvery must be at least 1s"},
		"reading backwards": {func(o *pilot.Options) { o.ReadEvery = -time.Minute }, "Options.ReadEvery must be at least 1s"},
		"looking too seldom": {func(o *pilot.Options) { o.LookEvery = 2 * time.Minute },
			"Options.LookEvery must be more than 0 and at most 1m0s, not 2m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			o := complete()
			c.change(&o)
			service, err := pilot.New(o)
			if c.want == "" {
				require.NoError(t, err)
				require.NotNil(t, service)
				return
			}
			require.ErrorContains(t, err, c.want)
			require.Nil(t, service)
			require.Equal(t, "pilot: "+o.Validate().Error(), err.Error())
		})
	}
}

// TestOptionsSayEverythingAtOnce saves whoever writes them a round for each mistake.
func TestOptionsSayEverythingAtOnce(t *testing.T) {
	err := pilot.Options{Policy: balance.Policy{Threshold: -1}, Limits: reassign.Limits{MaxPerBroker: -1}, LookEvery: -1}.Validate()
	for _, field := range []string{"Source", "Executor", "Journal", "Policy", "Limits", "LookEvery"} {
		require.ErrorContains(t, err, "Options."+field)
	}
}

// TestRulesAreNotCalledEarly: a share rule of the host may count on brokers.
func TestRulesAreNotCalledEarly(t *testing.T) {
	o := complete()
	o.Policy.Shares = balance.ShareFunc(func(c *balance.Cluster, _ []balance.BrokerShare) []balance.BrokerShare {
		return make([]balance.BrokerShare, c.Brokers[0].ID)
	})
	require.NoError(t, o.Validate())
}
