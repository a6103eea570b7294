package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot"
	"github.com/kafka-pilot/pilot/adapters/internal/apitest"
	"github.com/kafka-pilot/pilot/adapters/internal/wire"
)

// TestSchemasFitTheirViews validates what Encode makes of each example, full and empty.
func TestSchemasFitTheirViews(t *testing.T) {
	fits(t, apitest.Health(), pilot.HealthView{})
	fits(t, apitest.Cluster(), pilot.ClusterView{})
	fits(t, apitest.Balance(), pilot.BalanceView{})
	fits(t, apitest.Proposal(), apitest.EmptyProposal())
	fits(t, apitest.Execution(), apitest.Ended())
	fits(t, apitest.Drain(0), pilot.DrainView{})
	fits(t, wire.Proposals{Proposals: []pilot.ProposalView{apitest.Proposal()}}, wire.Proposals{})
	fits(t, wire.Reassignments{Reassignments: []pilot.ExecutionView{apitest.Ended()}}, wire.Reassignments{})
	fits(t, wire.Maintenance{Brokers: []int32{1}}, wire.Maintenance{})
}

func fits[T any](t *testing.T, views ...T) {
	t.Helper()
	schema, err := wire.SchemaOf[T]()
	require.NoError(t, err)
	text, err := json.Marshal(schema)
	require.NoError(t, err)
	require.NotContains(t, string(text), `"null"`)
	resolved, err := schema.Resolve(nil)
	require.NoError(t, err)
	for _, view := range views {
		data, err := wire.Encode(view)
		require.NoError(t, err)
		var value any
		require.NoError(t, json.Unmarshal(data, &value))
		require.NoError(t, resolved.Validate(value), string(data))
	}
}

func TestSchemaOfWhatCannotBeWritten(t *testing.T) {
	_, err := wire.SchemaOf[map[string]func()]()
	require.ErrorContains(t, err, "schema of")
}
