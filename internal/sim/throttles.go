package sim

import (
	"context"
	"fmt"
	"slices"

	"github.com/kafka-pilot/pilot/reassign"
)

// Throttles implements reassign.Executor.
func (c *Client) Throttles(ctx context.Context, brokers []int32, topics []string) (reassign.Throttles, error) {
	var found reassign.Throttles
	err := c.call(ctx, Call{Op: OpThrottles, Items: len(brokers) + len(topics)}, func(e Effect) error {
		if e.Deny {
			return ErrDenied
		}
		found = c.world.throttles(brokers, topics)
		return nil
	})
	if err != nil {
		return reassign.Throttles{}, err
	}
	return found, nil
}

func (c *Cluster) throttles(brokers []int32, topics []string) reassign.Throttles {
	var found reassign.Throttles
	for _, id := range slices.Compact(slices.Sorted(slices.Values(brokers))) {
		if b := c.broker(id); b.up() {
			found.Brokers = append(found.Brokers, b.throttle())
		}
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(topics))) {
		if t := c.byName[name]; t != nil {
			found.Topics = append(found.Topics, t.throttles())
		}
	}
	return found
}

func (b *broker) throttle() reassign.BrokerThrottle {
	return reassign.BrokerThrottle{Broker: b.id, Leader: clone(b.own.leader), Follower: clone(b.own.follower)}
}

func (t *topic) throttles() reassign.TopicThrottle {
	return reassign.TopicThrottle{Topic: t.spec.Name, Leader: t.throttle.leader.list(), Follower: t.throttle.follower.list()}
}

func clone(rate *int64) *int64 {
	if rate == nil {
		return nil
	}
	copied := *rate
	return &copied
}

// SetThrottles implements reassign.Executor.
func (c *Client) SetThrottles(ctx context.Context, changes []reassign.ThrottleChange) ([]reassign.ThrottleOutcome, error) {
	var outcomes []reassign.ThrottleOutcome
	err := c.call(ctx, Call{Op: OpSetThrottles, Items: len(changes)}, func(e Effect) error {
		if c.world.controllerDown {
			return ErrNoController
		}
		outcomes = make([]reassign.ThrottleOutcome, len(changes))
		for i, change := range changes {
			switch {
			case e.Deny:
				outcomes[i] = reassign.ThrottleOutcome{Code: reassign.CodeDenied, Message: ErrDenied.Error()}
			case e.Skip != nil && e.Skip(i):
				outcomes[i] = reassign.ThrottleOutcome{Code: reassign.CodeUnknown, Message: unanswered}
			default:
				outcomes[i] = c.world.setThrottle(change)
				if e.Blur != nil && e.Blur(i) {
					outcomes[i] = reassign.ThrottleOutcome{Code: reassign.CodeUnknown, Message: unanswered}
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return outcomes, nil
}

func (c *Cluster) setThrottle(ch reassign.ThrottleChange) reassign.ThrottleOutcome {
	if ch.Topic != "" {
		return c.setLists(ch)
	}
	b := c.broker(ch.Broker)
	if !b.up() {
		return reassign.ThrottleOutcome{Code: reassign.CodeUnreachable, Message: fmt.Sprintf("broker %d is down and takes no settings", ch.Broker)}
	}
	setRate(&b.own.leader, ch.LeaderRate)
	setRate(&b.own.follower, ch.FollowerRate)
	c.trace("broker %d has rates %s, %s", b.id, rateText(b.own.leader), rateText(b.own.follower))
	return reassign.ThrottleOutcome{}
}

// setRate applies one rate: nil leaves it, a negative one removes it.
func setRate(have **int64, want *int64) {
	if want == nil {
		return
	}
	*have = clone(want)
	if *want < 0 {
		*have = nil
	}
}

// setLists changes both lists of a topic or, where one is refused, neither.
func (c *Cluster) setLists(ch reassign.ThrottleChange) reassign.ThrottleOutcome {
	t := c.byName[ch.Topic]
	if t == nil {
		return reassign.ThrottleOutcome{Code: reassign.CodeMissing, Message: "no such topic"}
	}
	leader, err := editList(&t.throttle.leader, ch.AddLeader, ch.DropLeader)
	if err == nil {
		var follower throttled
		if follower, err = editList(&t.throttle.follower, ch.AddFollower, ch.DropFollower); err == nil {
			t.throttle = topicThrottle{leader: leader, follower: follower}
			c.trace("topic %s throttles %q, %q", ch.Topic, &leader, &follower)
			return reassign.ThrottleOutcome{}
		}
	}
	return reassign.ThrottleOutcome{Code: reassign.CodeInvalid, Message: err.Error()}
}

func editList(have *throttled, add, drop []reassign.ThrottleEntry) (throttled, error) {
	if len(add) == 0 && len(drop) == 0 {
		return *have, nil
	}
	if have.all {
		return *have, fmt.Errorf("the list is \"*\", which somebody else set")
	}
	edited := have.edit(add, drop)
	if n := edited.length(); n > longestList {
		return *have, fmt.Errorf("the list would have %d bytes and may have %d", n, longestList)
	}
	return edited, nil
}
