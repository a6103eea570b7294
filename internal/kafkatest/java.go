package kafkatest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// oldestJava is what Kafka 4 brokers need.
const oldestJava = 17

const withoutKafka = "or run `make test-unit`, which needs Go alone"

var javaVersion = regexp.MustCompile(`version "(\d+)(?:\.(\d+))?`)

// java is a Java virtual machine that was found on this machine.
type java struct {
	path  string
	about string // the text of `java -version`, part of the name of a class-data archive
}

// findJava prefers JAVA_HOME to the PATH, as Kafka's own scripts do.
func findJava() (java, error) {
	path := "java"
	if home := os.Getenv("JAVA_HOME"); home != "" {
		path = filepath.Join(home, "bin", "java")
	}
	path, err := exec.LookPath(path)
	if err != nil {
		return java{}, fmt.Errorf("no java found (%w): install a JDK %d or newer and put it on the PATH or in JAVA_HOME, %s",
			err, oldestJava, withoutKafka)
	}
	out, err := exec.Command(path, "-version").CombinedOutput()
	if err != nil {
		return java{}, fmt.Errorf("%s -version failed (%w): install a JDK %d or newer, %s", path, err, oldestJava, withoutKafka)
	}
	major, err := javaMajor(string(out))
	if err != nil {
		return java{}, fmt.Errorf("%s: %w", path, err)
	}
	if major < oldestJava {
		return java{}, fmt.Errorf("%s is Java %d and Kafka needs %d or newer: set JAVA_HOME to a newer JDK, %s",
			path, major, oldestJava, withoutKafka)
	}
	return java{path: path, about: string(out)}, nil
}

// javaMajor reads the feature release from `java -version`; Java 8 and older call themselves 1.8, 1.7 and so on.
func javaMajor(about string) (int, error) {
	m := javaVersion.FindStringSubmatch(about)
	if m == nil {
		return 0, errors.New("the output of java -version names no version")
	}
	if m[1] == "1" && m[2] != "" {
		return strconv.Atoi(m[2])
	}
	return strconv.Atoi(m[1])
}

func findMaven() (string, error) {
	path, err := exec.LookPath("mvn")
	if err != nil {
		return "", fmt.Errorf("no mvn found (%w): install Maven 3, which fetches Kafka's jars once, %s", err, withoutKafka)
	}
	return path, nil
}

// flags every virtual machine gets: a small heap, one garbage-collector thread and no optimising compiler,
// since a test needs five of them to start within seconds on two cores.
func (j java) command(classpath string, heapMB int, more []string, class string, args ...string) *exec.Cmd {
	flags := []string{
		"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData",
		"-Xss512k", "-XX:ReservedCodeCacheSize=64m", "-XX:MaxDirectMemorySize=64m", fmt.Sprintf("-Xmx%dm", heapMB),
		"-XX:+ExitOnOutOfMemoryError", "-Djava.awt.headless=true", "-Djava.net.preferIPv4Stack=true",
		"-cp", classpath,
	}
	flags = append(flags, more...)
	flags = append(flags, class)
	return exec.Command(j.path, append(flags, args...)...)
}
