package pilot_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/kafka-pilot/pilot"

// ranks orders the packages: a package imports only lower ranks. docs/ARCHITECTURE.md explains them.
var ranks = map[string]int{
	"internal/dense": 0, "internal/search": 0, "internal/units": 0,
	"balance": 1, "balance/balancetest": 2, "profile": 1, "internal/measure": 1,
	"safety": 2, "reassign": 3, "maintenance": 4, "internal/sim": 5, "": 6, "adapters/kafka": 7,
	"adapters/internal/wire": 7, "internal/scenario": 2, "internal/planbench": 9,
	"adapters/http": 8, "adapters/mcp": 8, "adapters/metrics": 8,
}

// within lists imports between packages of one rank that are allowed.
var within = map[string]string{"internal/search": "internal/dense"}

// pure packages decide: they reach neither the machine nor the clock nor chance.
var pure = []string{"internal/dense", "internal/search", "internal/units", "internal/measure", "balance", "profile", "safety", "maintenance", "reassign"}

var impure = []string{"os", "net", "net/http", "log", "log/slog", "sync", "math/rand", "math/rand/v2"}

// runLoop is the one place below the root package that waits and reads the time.
const runLoop = "reassign/run.go"

func rank(pkg string) (int, bool) {
	if strings.HasPrefix(pkg, "examples/") {
		return 9, true
	}
	r, ok := ranks[pkg]
	return r, ok
}

// testSupport reports packages that tests alone import.
func testSupport(pkg string) bool {
	return strings.HasPrefix(pkg, "internal/kafkatest") || pkg == "internal/executortest" || pkg == "adapters/internal/apitest"
}

func sources(t *testing.T) map[string][]string {
	t.Helper()
	files := map[string][]string{}
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			pkg := filepath.ToSlash(filepath.Dir(path))
			if pkg == "." {
				pkg = ""
			}
			files[pkg] = append(files[pkg], path)
		}
		return nil
	}))
	return files
}

func imports(t *testing.T, path string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	require.NoError(t, err)
	var list []string
	for _, spec := range f.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		require.NoError(t, err)
		list = append(list, name)
	}
	return list
}

func TestPackagesImportOnlyLowerRanks(t *testing.T) {
	for pkg, files := range sources(t) {
		if testSupport(pkg) {
			continue
		}
		own, ok := rank(pkg)
		require.True(t, ok, "package %q has no rank: give it one here and in docs/ARCHITECTURE.md", pkg)
		for _, path := range files {
			for _, name := range imports(t, path) {
				if name != module && !strings.HasPrefix(name, module+"/") {
					continue
				}
				other := strings.TrimPrefix(strings.TrimPrefix(name, module), "/")
				require.False(t, testSupport(other), "%s imports %s, which is for tests alone", path, other)
				theirs, ok := rank(other)
				require.True(t, ok, "%s imports %s, which has no rank", path, other)
				if within[pkg] != other && !strings.HasPrefix(other, "examples/internal/") {
					require.Less(t, theirs, own, "%s imports %s", path, other)
				}
			}
		}
	}
}

func TestPurePackagesDecideAndDoNotAct(t *testing.T) {
	files := sources(t)
	for _, pkg := range pure {
		for _, path := range files[pkg] {
			if filepath.ToSlash(path) == runLoop {
				continue
			}
			for _, name := range imports(t, path) {
				for _, bad := range impure {
					require.NotEqual(t, bad, name, "%s imports %s", path, name)
				}
			}
		}
	}
}

// A program that only plans must not link Kafka's client, a web server or a metrics library.
func TestTheCoreNeedsTheStandardLibraryAlone(t *testing.T) {
	for _, pkg := range []string{"balance", "profile", "safety", "reassign", "maintenance"} {
		out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./"+pkg).CombinedOutput()
		require.NoError(t, err, string(out))
		for _, name := range strings.Fields(string(out)) {
			require.True(t, strings.HasPrefix(name, module), "%s needs %s", pkg, name)
		}
	}
}
