package kafka

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/reassign"
)

// throttles are the lists of topics by name.
type throttles map[string]*reassign.TopicThrottle

// lists edits the lists of several topics, each named once: first what is added, then what is taken away, then lists
// that have become empty are removed. A topic whose step fails takes no further one.
func (e edit) lists(ctx context.Context, which []int) {
	before, err := e.read(ctx, which)
	if err != nil {
		e.fail(which, err)
		return
	}
	for _, i := range which {
		e.outcomes[i] = admits(before[e.changes[i].Topic], &e.changes[i])
	}
	e.send(ctx, which, additions)
	e.send(ctx, which, removals)
	now := e.await(ctx, which, showsLists)
	e.send(ctx, which, func(c *reassign.ThrottleChange) entries { return emptied(now[c.Topic]) })
	e.await(ctx, which, func(list *reassign.TopicThrottle, _ *reassign.ThrottleChange) bool { return len(emptied(list)) == 0 })
}

// read returns the lists of the topics that exist.
func (e edit) read(ctx context.Context, which []int) (throttles, error) {
	var topics []string
	for _, i := range which {
		topics = append(topics, e.changes[i].Topic)
	}
	lists, err := e.x.lists(ctx, sortedSet(topics))
	found := throttles{}
	for i := range lists {
		found[lists[i].Topic] = &lists[i]
	}
	return found, err
}

// admits refuses what would break somebody else's list, or Kafka.
func admits(have *reassign.TopicThrottle, c *reassign.ThrottleChange) reassign.ThrottleOutcome {
	if have == nil {
		return reassign.ThrottleOutcome{Code: reassign.CodeMissing, Message: "there is no such topic"}
	}
	refusal := refusalOf(&have.Leader, c.AddLeader, c.DropLeader)
	if refusal == "" {
		refusal = refusalOf(&have.Follower, c.AddFollower, c.DropFollower)
	}
	if refusal != "" {
		return reassign.ThrottleOutcome{Code: reassign.CodeInvalid, Message: refusal}
	}
	return reassign.ThrottleOutcome{}
}

func refusalOf(list *reassign.ThrottleList, add, drop []reassign.ThrottleEntry) string {
	if len(add)+len(drop) > 0 && list.All {
		return `a list is "*", which somebody else set`
	}
	if n := len(formatList(edited(list.Entries, add, nil))); len(add) > 0 && n > longestList {
		return fmt.Sprintf("a list would have %d bytes and may have %d", n, longestList)
	}
	return ""
}

// entries are operations on the settings of one resource, by key.
type entries = map[string]sarama.IncrementalAlterConfigsEntry

func additions(c *reassign.ThrottleChange) entries {
	return listEntries(sarama.IncrementalAlterConfigsOperationAppend, c.AddLeader, c.AddFollower)
}

func removals(c *reassign.ThrottleChange) entries {
	return listEntries(sarama.IncrementalAlterConfigsOperationSubtract, c.DropLeader, c.DropFollower)
}

// listEntries edits both lists: the controller skips what is there already, and what is not there.
func listEntries(op sarama.IncrementalAlterConfigsOperation, leader, follower []reassign.ThrottleEntry) entries {
	made := entries{}
	if len(leader) > 0 {
		text := formatList(leader)
		made[leaderListKey] = change(op, &text)
	}
	if len(follower) > 0 {
		text := formatList(follower)
		made[followerListKey] = change(op, &text)
	}
	return made
}

// emptied removes the lists that are set and hold nothing.
func emptied(have *reassign.TopicThrottle) entries {
	made := entries{}
	if have == nil {
		return made
	}
	isEmpty := func(list *reassign.ThrottleList) bool { return list.Set && !list.All && len(list.Entries) == 0 }
	if isEmpty(&have.Leader) {
		made[leaderListKey] = change(sarama.IncrementalAlterConfigsOperationDelete, nil)
	}
	if isEmpty(&have.Follower) {
		made[followerListKey] = change(sarama.IncrementalAlterConfigsOperationDelete, nil)
	}
	return made
}

// send makes one kind of operation for all topics that are well so far, in one request.
func (e edit) send(ctx context.Context, which []int, what func(*reassign.ThrottleChange) entries) {
	var resources []*sarama.IncrementalAlterConfigsResource
	var sent []int
	for _, i := range which {
		if made := what(&e.changes[i]); e.well(i) && len(made) > 0 {
			sent = append(sent, i)
			resources = append(resources, &sarama.IncrementalAlterConfigsResource{Type: sarama.TopicResource, Name: e.changes[i].Topic, ConfigEntries: made})
		}
	}
	if len(sent) == 0 {
		return
	}
	results, err := asked(e.x.client.any(ctx, control), func(b *sarama.Broker) (map[string]reassign.ThrottleOutcome, error) {
		return askChange(b, resources, false)
	})
	if err != nil {
		e.fail(sent, err)
		return
	}
	for _, i := range sent {
		e.outcomes[i] = results[e.changes[i].Topic]
	}
}

// settleFor is how long a change may take to show. The metadata of busy brokers trails by seconds.
const settleFor = 10 * time.Second

// await reads until all changes that are well so far show, and returns what it read last.
func (e edit) await(ctx context.Context, which []int, shows func(*reassign.TopicThrottle, *reassign.ThrottleChange) bool) throttles {
	deadline := time.Now().Add(settleFor)
	for wait := 20 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		now, err := e.read(ctx, which)
		if err != nil {
			e.fail(which, err)
			return now
		}
		hidden := slices.DeleteFunc(slices.Clone(which), func(i int) bool {
			return !e.well(i) || shows(now[e.changes[i].Topic], &e.changes[i])
		})
		if len(hidden) == 0 {
			return now
		}
		if time.Now().After(deadline) || pause(ctx, wait) != nil {
			for _, i := range hidden {
				e.outcomes[i] = notShown
			}
			return now
		}
	}
}

// showsLists reports whether the lists are as they shall be. A topic that is gone has nothing more to show.
func showsLists(have *reassign.TopicThrottle, c *reassign.ThrottleChange) bool {
	return have == nil ||
		showsList(&have.Leader, c.AddLeader, c.DropLeader) && showsList(&have.Follower, c.AddFollower, c.DropFollower)
}

func showsList(list *reassign.ThrottleList, add, drop []reassign.ThrottleEntry) bool {
	holds := func(e reassign.ThrottleEntry) bool { return slices.Contains(list.Entries, e) }
	if list.All || slices.ContainsFunc(drop, holds) {
		return list.All
	}
	return !slices.ContainsFunc(edited(add, nil, drop), func(e reassign.ThrottleEntry) bool { return !holds(e) })
}
