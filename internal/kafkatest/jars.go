package kafkatest

import (
	"context"
	"crypto/sha256"
	_ "embed" // the POM and the logging configuration travel inside the package
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

//go:embed pom.xml
var pom []byte

//go:embed log4j2.properties
var log4j2 []byte

const (
	// DefaultVersion is the Kafka release that is started when neither Config.Version nor the environment variable KAFKA names one.
	DefaultVersion = "4.2.1"
	// VersionVariable names the environment variable which selects another Kafka release for a whole test run.
	VersionVariable = "KAFKA"

	fetchTime = 10 * time.Minute
)

var release = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$`)

// distribution is one Kafka release in the user's cache directory.
type distribution struct {
	dir       string
	classpath string // every jar, sorted: a class-data archive is bound to this exact text
}

// distributionOf returns the release's jars and fetches them through Maven if no earlier run did.
func distributionOf(ctx context.Context, version string) (distribution, error) {
	if !release.MatchString(version) {
		return distribution{}, fmt.Errorf("%q is not a Kafka release such as %s: correct Config.Version or the variable %s",
			version, DefaultVersion, VersionVariable)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return distribution{}, fmt.Errorf("no cache directory for Kafka's jars: %w", err)
	}
	dir := filepath.Join(cache, "kafka-pilot", "kafka-"+version+"-"+fingerprint(pom, log4j2))
	if d, err := openDistribution(dir); err == nil {
		return d, nil
	}
	unlock, err := lockFile(ctx, dir+".lock")
	if err != nil {
		return distribution{}, err
	}
	defer unlock()
	if d, err := openDistribution(dir); err == nil { // another process fetched it while this one waited
		return d, nil
	}
	if err := fetch(ctx, version, dir); err != nil {
		return distribution{}, err
	}
	return openDistribution(dir)
}

func openDistribution(dir string) (distribution, error) {
	jars, err := filepath.Glob(filepath.Join(dir, "jars", "*.jar"))
	if err != nil {
		return distribution{}, err
	}
	if len(jars) == 0 {
		return distribution{}, fmt.Errorf("no jars in %s: remove that directory, and the next run fetches them again", dir)
	}
	slices.Sort(jars)
	return distribution{dir: dir, classpath: strings.Join(jars, string(os.PathListSeparator))}, nil
}

// fetch fills a directory next to dir and renames it at the end, so that an interrupted fetch leaves nothing half done
// under dir; its caller holds the lock.
func fetch(ctx context.Context, version, dir string) error {
	mvn, err := findMaven()
	if err != nil {
		return err
	}
	work := dir + ".part"
	if err := errors.Join(os.RemoveAll(work), os.MkdirAll(work, 0o755)); err != nil {
		return err
	}
	defer os.RemoveAll(work)
	err = errors.Join(
		os.WriteFile(filepath.Join(work, "pom.xml"), pom, 0o644),
		os.WriteFile(filepath.Join(work, "log4j2.properties"), log4j2, 0o644))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	out, err := run(ctx, work, exec.Command(mvn, "-q", "-B", "-f", filepath.Join(work, "pom.xml"),
		"-Dkafka="+version, "-Djars="+filepath.Join(work, "jars"), "package"))
	if err != nil {
		return fmt.Errorf("Maven could not fetch Kafka %s (%w): check the network and ~/.m2/settings.xml; Maven said:\n%s",
			version, err, lastLines(out, 15))
	}
	if err := os.Rename(work, dir); err != nil {
		return err
	}
	return nil
}

func (d distribution) logging(level string) []string {
	return []string{"-Dlog4j2.configurationFile=" + filepath.Join(d.dir, "log4j2.properties"), "-Dkafkatest.level=" + level}
}

func fingerprint(texts ...[]byte) string {
	h := sha256.New()
	for _, t := range texts {
		h.Write(t)
	}
	return hex.EncodeToString(h.Sum(nil))[:8]
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
