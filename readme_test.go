package pilot_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The programs that the README leads with are those that are compiled and tested, and stay short.
func TestTheReadmeShowsWhatIsCompiled(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(readme), -1)
	files := []string{"examples/plan/main.go", "examples/embed/embed.go", "examples/policy/policy_test.go"}
	require.GreaterOrEqual(t, len(blocks), len(files))
	for i, path := range files {
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Contains(t, string(source), blocks[i][1], path)
		require.LessOrEqual(t, strings.Count(blocks[i][1], "\n"), 15, path)
	}
}
