package balance

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// proposalSum is the hash of the proposals of the instances, every byte of them. Two are left out that take a while,
// since nothing evens them.
func proposalSum(t *testing.T) string {
	h := sha256.New()
	for _, path := range instances(t) {
		in, c, policy := readInstance(t, path)
		if in.Name == "06-large-partition" || in.Name == "08-too-few-partitions" {
			continue
		}
		p, err := Propose(c, policy)
		require.NoError(t, err)
		text, err := json.Marshal(p)
		require.NoError(t, err)
		h.Write(text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Row PLAN-14: twenty runs, on one processor and on two, give the same bytes.
func TestTheSameBytesEveryTime(t *testing.T) {
	want := proposalSum(t)
	runs := 20
	if testing.Short() {
		runs = 2
	}
	for n := range runs {
		runtime.GOMAXPROCS(1 + n%2)
		require.Equal(t, want, proposalSum(t))
	}
	runtime.GOMAXPROCS(runtime.NumCPU())
}

// sumOf is set when this test binary is run by the test below to print the sum and no more.
const sumOf = "PILOT_TEST_PRINT_SUM"

func TestPrintSum(t *testing.T) {
	if os.Getenv(sumOf) != "" {
		t.Log("sum=" + proposalSum(t))
	}
}

// Compilers join a multiplication and an addition where the processor can, which rounds differently: what is decided must
// not hang on it.
func TestTheSameBytesOnOlderAndNewerProcessors(t *testing.T) {
	if runtime.GOARCH != "amd64" || testing.Short() { // elsewhere GOAMD64 says nothing; and it builds twice
		return
	}
	want := proposalSum(t)
	for _, level := range []string{"v1", "v3"} {
		cmd := exec.Command("go", "test", "-count=1", "-v", "-run", "^TestPrintSum$", ".")
		cmd.Env = append(os.Environ(), "GOAMD64="+level, sumOf+"=1")
		out, err := cmd.CombinedOutput()
		if strings.Contains(string(out), "can only be run on AMD64 processors with "+level) {
			t.Logf("this processor is older than %s", level)
			continue
		}
		require.NoError(t, err, string(out))
		require.Contains(t, string(out), "sum="+want, level)
	}
}
