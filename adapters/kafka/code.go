package kafka

import (
	"strings"

	"github.com/IBM/sarama"

	"github.com/kafka-pilot/pilot/reassign"
)

// codes says what an error code of Kafka means for one partition or resource. What is not here is CodeUnknown: the
// caller looks and repeats.
var codes = map[sarama.KError]reassign.Code{
	sarama.ErrNoError:                     reassign.CodeOK,
	sarama.ErrElectionNotNeeded:           reassign.CodeOK,
	sarama.ErrUnknownTopicOrPartition:     reassign.CodeMissing,
	sarama.ErrInvalidTopic:                reassign.CodeMissing,
	sarama.ErrInvalidReplicaAssignment:    reassign.CodeInvalid,
	sarama.ErrInvalidReplicationFactor:    reassign.CodeInvalid,
	sarama.ErrInvalidPartitions:           reassign.CodeInvalid,
	sarama.ErrInvalidConfig:               reassign.CodeInvalid,
	sarama.ErrInvalidRequest:              reassign.CodeInvalid,
	sarama.ErrPolicyViolation:             reassign.CodeInvalid,
	sarama.ErrUnsupportedVersion:          reassign.CodeInvalid,
	sarama.ErrNoReassignmentInProgress:    reassign.CodeNothingInFlight,
	sarama.ErrPreferredLeaderNotAvailable: reassign.CodeNotInSync,
	sarama.ErrEligibleLeadersNotAvailable: reassign.CodeNotInSync,
	sarama.ErrClusterAuthorizationFailed:  reassign.CodeDenied,
	sarama.ErrTopicAuthorizationFailed:    reassign.CodeDenied,
}

// sentences replace the broker's own words where there is a better thing to say.
var sentences = map[sarama.KError]string{
	sarama.ErrUnknown:                     "the controller failed on it",
	sarama.ErrRequestTimedOut:             "the controller did not answer in time",
	sarama.ErrNotController:               "there is no active controller",
	sarama.ErrUnknownTopicOrPartition:     "there is no such topic or partition",
	sarama.ErrInvalidTopic:                "there can be no topic of this name",
	sarama.ErrNoReassignmentInProgress:    "it is not being reassigned",
	sarama.ErrPreferredLeaderNotAvailable: "the first replica is down or not in sync",
	sarama.ErrEligibleLeadersNotAvailable: "no replica may lead",
	sarama.ErrClusterAuthorizationFailed:  "the user lacks a permission on the cluster",
	sarama.ErrTopicAuthorizationFailed:    "the user lacks a permission on the topic",
}

// longestMessage is how much of what a broker says is passed on.
const longestMessage = 200

// sentence says what an error code means.
func sentence(code sarama.KError) string {
	if text := sentences[code]; text != "" {
		return text
	}
	return strings.TrimPrefix(code.Error(), "kafka server: ")
}

// judged turns an answer of Kafka into an outcome. A broker's own words are kept where ours are only general, in one
// line: for a lack of permission they are a dump of the whole request.
func judged(code sarama.KError, message string) (reassign.Code, string) {
	outcome, known := codes[code]
	if !known {
		outcome = reassign.CodeUnknown
	}
	if outcome == reassign.CodeOK {
		return outcome, ""
	}
	if text := sentences[code]; text != "" || message == "" {
		return outcome, sentence(code)
	}
	return outcome, oneLine(message)
}

func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > longestMessage {
		text = strings.ToValidUTF8(text[:longestMessage], "") + " …"
	}
	return text
}

func deref(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
