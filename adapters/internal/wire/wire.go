// Package wire is the one place where views become JSON and requests and errors are read, so that REST and MCP cannot
// differ: the same bytes for a view, the same code and sentence for a refusal, the same strictness for input.
package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/kafka-pilot/pilot"
)

// Proposals is the list of stored proposals. Lists are objects on the wire, because an MCP result has to be one and
// because an object can grow.
type Proposals struct {
	Proposals []pilot.ProposalView `json:"proposals"`
}

// Reassignments is the list of executions, without their moves.
type Reassignments struct {
	Reassignments []pilot.ExecutionView `json:"reassignments"`
}

// Maintenance is the list of brokers in maintenance.
type Maintenance struct {
	Brokers []int32 `json:"brokers"`
}

// Encode returns the JSON of a view. An empty list is always [] and never null, whatever the view holds; the view is
// shared with its owner and is not changed.
func Encode(view any) (json.RawMessage, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(filled(reflect.ValueOf(view)).Interface()); err != nil {
		return nil, fmt.Errorf("encode %T: %w", view, err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// filled returns a copy of v in which no slice and no map is nil.
func filled(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return filledTarget(v)
	case reflect.Struct:
		return filledStruct(v)
	case reflect.Slice:
		return filledItems(v, reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
	case reflect.Array:
		return filledItems(v, reflect.New(v.Type()).Elem())
	case reflect.Map:
		return filledMap(v)
	}
	return v
}

func filledTarget(v reflect.Value) reflect.Value {
	if v.IsNil() {
		return v
	}
	out := reflect.New(v.Type()).Elem()
	target := filled(v.Elem())
	if v.Kind() == reflect.Pointer {
		out.Set(reflect.New(v.Type().Elem()))
		out.Elem().Set(target)
	} else {
		out.Set(target)
	}
	return out
}

// filledStruct copies the struct whole first, so that unexported fields, as those of time.Time, come along.
func filledStruct(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() {
			out.Field(i).Set(filled(v.Field(i)))
		}
	}
	return out
}

func filledItems(v, out reflect.Value) reflect.Value {
	for i := range v.Len() {
		out.Index(i).Set(filled(v.Index(i)))
	}
	return out
}

func filledMap(v reflect.Value) reflect.Value {
	out := reflect.MakeMapWithSize(v.Type(), v.Len())
	for it := v.MapRange(); it.Next(); {
		out.SetMapIndex(it.Key(), filled(it.Value()))
	}
	return out
}
