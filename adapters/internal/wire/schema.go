package wire

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/kafka-pilot/pilot/balance"
)

// SchemaOf returns the JSON schema of what Encode makes of a T. It has no type lists such as ["null","array"], which
// some hosts of models refuse: lists are never null here, and an absent value is left out.
func SchemaOf[T any]() (*jsonschema.Schema, error) {
	texts, err := selfWritten()
	if err != nil {
		return nil, err
	}
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: texts})
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", reflect.TypeFor[T](), err)
	}
	dropNull(s)
	return s, nil
}

// selfWritten are the types that write themselves and cannot be read off their Go kind.
func selfWritten() (map[reflect.Type]*jsonschema.Schema, error) {
	distance, err := jsonschema.For[balance.Distance](nil)
	if err != nil {
		return nil, fmt.Errorf("schema of a distance: %w", err)
	}
	loads := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: never()}
	metric := &jsonschema.Schema{Type: "string"}
	for m := range balance.Metric(balance.NumMetrics) {
		metric.Enum = append(metric.Enum, m.String())
		loads.Properties[m.String()] = distance.CloneSchemas()
		loads.Required = append(loads.Required, m.String())
	}
	state := &jsonschema.Schema{Type: "string"}
	for s := range balance.Unavailable + 1 {
		state.Enum = append(state.Enum, s.String())
	}
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[balance.Loads]():       loads,
		reflect.TypeFor[balance.Metric]():      metric,
		reflect.TypeFor[balance.BrokerState](): state,
		reflect.TypeFor[time.Time]():           {Type: "string", Format: "date-time"},
	}, nil
}

// never is the schema that nothing fits.
func never() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

func dropNull(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if i := slices.Index(s.Types, "null"); i >= 0 && len(s.Types) == 2 {
		s.Type, s.Types = s.Types[1-i], nil
	}
	dropNull(s.Items)
	dropNull(s.AdditionalProperties)
	for _, p := range s.Properties {
		dropNull(p)
	}
}
