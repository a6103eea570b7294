package safety

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kafka-pilot/pilot/balance"
)

// maxSubjects bounds the subjects of a finding, maxNamed how many of them its sentence names. The sentence has the
// full count, so nothing is lost but names.
const (
	maxSubjects = 100
	maxNamed    = 3
)

func subjectBrokers(brokers []int32) []string {
	var names []string
	for _, b := range brokers[:min(len(brokers), maxSubjects)] {
		names = append(names, strconv.Itoa(int(b)))
	}
	return names
}

func subjectPartitions(partitions []balance.TopicPartition) []string {
	var names []string
	for _, p := range partitions[:min(len(partitions), maxSubjects)] {
		names = append(names, p.String())
	}
	return names
}

// listBrokers writes "Broker 3 is" or "Brokers 3, 5 and 7 are", with the verb given.
func listBrokers(brokers []int32, one, many string) string {
	if len(brokers) == 1 {
		return fmt.Sprintf("Broker %d %s", brokers[0], one)
	}
	return "Brokers " + list(subjectBrokers(brokers), len(brokers)) + " " + many
}

// listPartitions names the first few partitions.
func listPartitions(partitions []balance.TopicPartition) string {
	return list(subjectPartitions(partitions), len(partitions))
}

// list writes "a, b and c", or "a, b, c and 9 more"; names are the first of total.
func list(names []string, total int) string {
	last := ""
	if total > maxNamed {
		last = fmt.Sprintf("%d more", total-maxNamed)
		names = names[:maxNamed]
	} else if total > 1 {
		last, names = names[total-1], names[:total-1]
	}
	text := strings.Join(names, ", ")
	if last != "" {
		text += " and " + last
	}
	return text
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
