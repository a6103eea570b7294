package httpapi_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	httpapi "github.com/kafka-pilot/pilot/adapters/http"
	"github.com/kafka-pilot/pilot/adapters/internal/apitest"
	"github.com/kafka-pilot/pilot/adapters/internal/wire"
	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/safety"
)

var update = flag.Bool("update", false, "write openapi.json anew from openapi.yaml")

func loadDocument(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromFile("openapi.yaml")
	require.NoError(t, err)
	return doc
}

func TestDocumentIsValid(t *testing.T) {
	require.NoError(t, loadDocument(t).Validate(t.Context()))
}

// TestDocumentInJSON keeps the two forms of the document the same.
func TestDocumentInJSON(t *testing.T) {
	want, err := loadDocument(t).MarshalJSON()
	require.NoError(t, err)
	if *update {
		var indented bytes.Buffer
		require.NoError(t, json.Indent(&indented, want, "", " "))
		indented.WriteByte('\n')
		require.NoError(t, os.WriteFile("openapi.json", indented.Bytes(), 0o644))
	}
	got, err := os.ReadFile("openapi.json")
	require.NoError(t, err)
	require.JSONEq(t, string(want), string(got), "run this test with -update")
}

// TestRoutesAreTheDocument holds what the engine serves against what the document says.
func TestRoutesAreTheDocument(t *testing.T) {
	engine := gin.New()
	httpapi.Register(engine, &apitest.Fake{}, httpapi.Options{})
	var served, documented []string
	for _, r := range engine.Routes() {
		path := regexp.MustCompile(`:(\w+)`).ReplaceAllString(r.Path, "{$1}")
		served = append(served, r.Method+" "+path)
	}
	for path, item := range loadDocument(t).Paths.Map() {
		for method := range item.Operations() {
			documented = append(documented, method+" "+httpapi.Prefix+path)
		}
	}
	slices.Sort(served)
	slices.Sort(documented)
	require.Equal(t, documented, served)
}

// TestViewsAreTheSchemas holds every Go type against its schema: the same members, the same of them required, the same
// kinds, all the way down.
func TestViewsAreTheSchemas(t *testing.T) {
	schemas := loadDocument(t).Components.Schemas
	for name, build := range map[string]func() (*jsonschema.Schema, error){
		"Problem":        wire.SchemaOf[httpapi.Problem],
		"Finding":        wire.SchemaOf[safety.Finding],
		"LoadName":       wire.SchemaOf[balance.Metric],
		"Health":         wire.SchemaOf[pilot.HealthView],
		"Cluster":        wire.SchemaOf[pilot.ClusterView],
		"Balance":        wire.SchemaOf[pilot.BalanceView],
		"Proposals":      wire.SchemaOf[wire.Proposals],
		"StoredProposal": wire.SchemaOf[pilot.ProposalView],
		"Reassignments":  wire.SchemaOf[wire.Reassignments],
		"Execution":      wire.SchemaOf[pilot.ExecutionView],
		"Maintenance":    wire.SchemaOf[wire.Maintenance],
		"Drain":          wire.SchemaOf[pilot.DrainView],
	} {
		got, err := build()
		require.NoError(t, err)
		require.Contains(t, schemas, name)
		sameSchema(t, name, schemas[name].Value, got)
	}
}

func sameSchema(t *testing.T, at string, want *openapi3.Schema, got *jsonschema.Schema) {
	t.Helper()
	require.True(t, want.Type.Is(got.Type), "%s: the document says %v, Go makes %q", at, want.Type, got.Type)
	if got.Enum != nil {
		require.Equal(t, want.Enum, got.Enum, "%s: values", at)
	}
	if got.Items != nil {
		sameSchema(t, at+"[]", want.Items.Value, got.Items)
	}
	if got.Properties == nil {
		return
	}
	require.NotNil(t, want.AdditionalProperties.Has, "%s: additionalProperties", at)
	require.False(t, *want.AdditionalProperties.Has, "%s: additionalProperties", at)
	require.ElementsMatch(t, keys(want.Properties), keys(got.Properties), "%s: members", at)
	require.ElementsMatch(t, want.Required, got.Required, "%s: required members", at)
	for name, s := range got.Properties {
		sameSchema(t, at+"."+name, want.Properties[name].Value, s)
	}
}

func keys[V any](m map[string]V) []string {
	names := []string{}
	for _, k := range reflect.ValueOf(m).MapKeys() {
		names = append(names, k.String())
	}
	return names
}
