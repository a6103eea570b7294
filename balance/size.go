package balance

import (
	"fmt"
	"io"
)

// What one process takes on: planning takes some 300 bytes of memory for each partition, a snapshot in reading several
// times its size. Beyond that an input is refused in the beginning, and does not end in a process that is killed.
const (
	mostPartitions    = 4_000_000
	mostSnapshotBytes = 2 << 30
)

func checkSize(partitions int) error {
	if partitions > mostPartitions {
		return fmt.Errorf("%d partitions are more than the %d that one reading may have: plan a part of the topics", partitions, mostPartitions)
	}
	return nil
}

// bounded reads up to so many bytes and then fails, instead of ending as if that were all.
type bounded struct {
	from io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("larger than the %d MiB that are read: leave topics out", mostSnapshotBytes>>20)
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}
