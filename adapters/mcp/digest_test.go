package mcpserver

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDigest: consent to one tool is none to another, even where both would be told the same.
func TestDigest(t *testing.T) {
	about := subject{"Cancel?", []any{"e-17"}}
	cancel, err := digestOf("cancel_reassignment", about)
	require.NoError(t, err)
	again, err := digestOf("cancel_reassignment", subject{"Really cancel?", about.exactly})
	require.NoError(t, err)
	require.Equal(t, cancel, again, "the words do not matter")
	other, err := digestOf("get_reassignment", about)
	require.NoError(t, err)
	require.NotEqual(t, cancel, other)
}
