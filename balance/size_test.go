package balance

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnInputTooLargeIsRefusedAtOnce(t *testing.T) {
	require.NoError(t, checkSize(mostPartitions))
	require.EqualError(t, checkSize(10_000_000), "10000000 partitions are more than the 4000000 that one reading may have: plan a part of the topics")
	text, err := io.ReadAll(&bounded{strings.NewReader("0123456789"), 11})
	require.NoError(t, err)
	require.Equal(t, "0123456789", string(text))
	text, err = io.ReadAll(&bounded{strings.NewReader("0123456789"), 4})
	require.Equal(t, "0123", string(text))
	require.EqualError(t, err, "larger than the 2048 MiB that are read: leave topics out")
}
