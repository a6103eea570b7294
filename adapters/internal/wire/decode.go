package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kafka-pilot/pilot"
)

// MaxBody is the largest request that is read, in bytes.
const MaxBody = 1 << 20

// MaxReason is the longest reason that an audit log takes, in characters.
const MaxReason = 1000

// Codes of requests that never reach the service.
const (
	CodeInvalidJSON  = "invalid_json"
	CodeUnknownField = "unknown_field"
	CodeInvalidField = "invalid_field"
	CodeInvalidID    = "invalid_id"
)

// Decode reads one JSON object into the struct that out points to. Nothing at all is as good as {}. A field that the
// struct does not have is refused, in the exact spelling, so that a typo of "force" is not taken for its absence.
func Decode(data []byte, out any) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil
	}
	var fields map[string]json.RawMessage
	if err := one(data, &fields); err != nil || fields == nil {
		return refused(CodeInvalidJSON, "The request is not one JSON object: %s.", reasonOf(err))
	}
	known := fieldNames(reflect.TypeOf(out).Elem())
	for name := range fields {
		if !slices.Contains(known, name) {
			return refused(CodeUnknownField, "Unknown field %q. %s", name, takes(known))
		}
	}
	var wrong *json.UnmarshalTypeError
	if err := json.Unmarshal(data, out); errors.As(err, &wrong) {
		return refused(CodeInvalidField, "Field %q takes %s, not a %s.", wrong.Field, kindPhrase(wrong.Type), wrong.Value)
	} else if err != nil {
		return refused(CodeInvalidJSON, "The request cannot be read: %s.", reasonOf(err))
	}
	return nil
}

// one decodes exactly one JSON value.
func one(data []byte, out any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(out); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the object")
	}
	return nil
}

func reasonOf(err error) string {
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return "it is null"
	case errors.As(err, &wrong):
		return "it is a " + wrong.Value
	}
	return err.Error()
}

func fieldNames(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

func takes(known []string) string {
	if len(known) == 0 {
		return "This request takes no fields."
	}
	return "This request takes " + strings.Join(known, ", ") + "."
}

func kindPhrase(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Int32:
		return "a whole number of at most 32 bits"
	}
	return "a " + t.String()
}

var idPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$`)

// CheckID refuses what cannot be the ID of a proposal or an execution.
func CheckID(id string) error {
	if !idPattern.MatchString(id) {
		return refused(CodeInvalidID, "%q is no ID: IDs have 1 to 128 letters, digits, dots, colons, dashes and underscores.", id)
	}
	return nil
}

// ParseBroker reads a broker ID from a path.
func ParseBroker(text string) (int32, error) {
	id, err := strconv.ParseInt(text, 10, 32)
	if err != nil || id < 0 || strconv.FormatInt(id, 10) != text {
		return 0, refused(CodeInvalidID, "%q is no broker ID: a broker ID is a whole number from 0.", text)
	}
	return int32(id), nil
}

// CheckBroker refuses a number that cannot be a broker ID.
func CheckBroker(id int32) error {
	if id < 0 {
		return refused(CodeInvalidID, "%d is no broker ID: a broker ID is a whole number from 0.", id)
	}
	return nil
}

// CheckReason refuses a reason that is too long to be one.
func CheckReason(reason string) error {
	if utf8.RuneCountInString(reason) > MaxReason {
		return refused(CodeInvalidField, "Field \"reason\" takes at most %d characters.", MaxReason)
	}
	return nil
}

func refused(code, format string, args ...any) error {
	return &pilot.Refused{Kind: pilot.RefusedInput, Code: code, Message: fmt.Sprintf(format, args...)}
}
