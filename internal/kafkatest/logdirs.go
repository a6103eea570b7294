package kafkatest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/IBM/sarama"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Copy is one replica on one disk.
type Copy struct {
	Topic     string
	Partition int32
	Broker    int32
	LogDir    string
	Bytes     int64 // of its segments, without indexes
	Future    bool  // being copied here from another log directory of the same broker
}

// Copies reads the size of every replica on every running broker, sorted by topic, partition and broker. When a log
// directory has failed there are the others' copies and an error.
func (c *Cluster) Copies() ([]Copy, error) {
	var all []Copy
	var failed []error
	for _, n := range c.runningBrokers() {
		request := kmsg.NewPtrDescribeLogDirsRequest()
		request.Version = 4
		answer, err := call[*kmsg.DescribeLogDirsResponse](n.address(), request)
		if err != nil {
			return nil, err
		}
		for _, dir := range answer.Dirs {
			if dir.ErrorCode != 0 {
				failed = append(failed, fmt.Errorf("%v: %s: %w", n, dir.Dir, sarama.KError(dir.ErrorCode)))
			}
			for _, t := range dir.Topics {
				for _, p := range t.Partitions {
					all = append(all, Copy{t.Topic, p.Partition, n.id, dir.Dir, p.Size, p.IsFuture})
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b Copy) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition), cmp.Compare(a.Broker, b.Broker))
	})
	return all, errors.Join(failed...)
}
