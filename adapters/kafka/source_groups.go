package kafka

import (
	"fmt"
	"slices"
	"time"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/balance"
	meter "github.com/kafka-pilot/pilot/internal/measure"
)

// groupsAtOnce is how many groups one request names.
const groupsAtOnce = 50

// groupOffsets is how far a group has read, as its coordinator tells it.
type groupOffsets struct {
	name    string
	at      time.Time
	offsets map[string]map[int32]*sarama.OffsetFetchResponseBlock
}

// askGroups asks a broker for the groups that it coordinates and that may be reading, and how far each has read. The
// broker that lists a group is its coordinator.
func askGroups(b *sarama.Broker) ([]groupOffsets, error) {
	listed, err := b.ListGroups(&sarama.ListGroupsRequest{Version: 5})
	if err != nil {
		return nil, err
	}
	if listed.Err != sarama.ErrNoError {
		return nil, refused("listing groups", listed.Err)
	}
	var names []string
	for name := range listed.Groups {
		if meter.Reads(listed.GroupsData[name].GroupState) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var groups []groupOffsets
	for part := range slices.Chunk(names, groupsAtOnce) {
		found, err := askCommits(b, part)
		if err != nil {
			return nil, err
		}
		groups = append(groups, found...)
	}
	return groups, nil
}

// askCommits asks a coordinator for all that groups have committed. A group that has gone meanwhile is left out.
func askCommits(b *sarama.Broker, names []string) ([]groupOffsets, error) {
	request := &sarama.OffsetFetchRequest{Version: 8}
	for _, name := range names {
		request.Groups = append(request.Groups, sarama.OffsetFetchRequestGroup{GroupId: name}) // of all partitions
	}
	answer, err := b.FetchOffset(request)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	var groups []groupOffsets
	for i := range answer.Groups {
		g := &answer.Groups[i]
		switch g.Err {
		case sarama.ErrNoError:
			groups = append(groups, groupOffsets{g.GroupId, now, g.Blocks})
		case sarama.ErrGroupIDNotFound:
		case sarama.ErrGroupAuthorizationFailed:
			return nil, denied(fmt.Sprintf("DESCRIBE on group %q, and perhaps on others", g.GroupId), g.Err)
		default:
			return nil, refused(fmt.Sprintf("reading the offsets of group %q", g.GroupId), g.Err)
		}
	}
	return groups, nil
}

// named brings the offsets into the form that rates are made of. Those of partitions that do not exist are left out.
func (g *groupOffsets) named(keys map[balance.TopicPartition]meter.Key) meter.Group {
	group := meter.Group{Name: g.name, At: g.at}
	for topic, partitions := range g.offsets {
		for id, block := range partitions {
			key, exists := keys[balance.TopicPartition{Topic: topic, Partition: id}]
			if exists && block.Err == sarama.ErrNoError && block.Offset >= 0 {
				group.Commits = append(group.Commits, meter.Commit{Key: key, Offset: block.Offset})
			}
		}
	}
	return group
}
