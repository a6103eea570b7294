package reassign

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kafka-pilot/pilot/balance"
)

func TestWriteReassignmentJSON(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, WriteReassignmentJSON(&out, []balance.Move{move("orders-0", []int32{1, 2}, []int32{3, 2})}))
	require.JSONEq(t, `{"version":1,"partitions":[{"topic":"orders","partition":0,"replicas":[3,2],"log_dirs":["any","any"]}]}`, out.String())

	out.Reset()
	require.NoError(t, WriteReassignmentJSON(&out, nil))
	require.JSONEq(t, `{"version":1,"partitions":[]}`, out.String())

	require.ErrorContains(t, WriteReassignmentJSON(full{}, nil), "writing the reassignment file: disk full")
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestReadReassignmentJSON(t *testing.T) {
	targets, err := ReadReassignmentJSON(strings.NewReader(
		`{"version":1,"partitions":[{"topic":"users","partition":3,"replicas":[2]},{"topic":"orders","partition":0,"replicas":[3,2],"log_dirs":["any","any"]}]}`))
	require.NoError(t, err)
	require.Equal(t, []Target{{name("orders-0"), []int32{3, 2}}, {name("users-3"), []int32{2}}}, targets)
}

func TestBadReassignmentJSON(t *testing.T) {
	one := func(partition string) string { return `{"version":1,"partitions":[` + partition + `]}` }
	tests := []struct{ name, text, want string }{
		{"nothing", ``, "reassignment file: EOF"},
		{"no object", `[]`, "cannot unmarshal array"},
		{"cut off", `{"version":1,`, "unexpected EOF"},
		{"two objects", one(`{"topic":"orders","partition":0,"replicas":[1]}`) + `{}`, "there is text after the object"},
		{"no version", `{"partitions":[]}`, "version must be 1, not 0"},
		{"a later version", `{"version":2,"partitions":[]}`, "version must be 1, not 2"},
		{"no partitions", `{"version":1}`, "partitions is missing or empty"},
		{"a misspelt key", one(`{"topic":"orders","partition":0,"replica":[1]}`), `unknown field "replica"`},
		{"no topic", one(`{"partition":0,"replicas":[1]}`), "partitions[0]: topic is missing"},
		{"no partition", one(`{"topic":"orders","replicas":[1]}`), "partition of topic orders is missing"},
		{"a negative partition", one(`{"topic":"orders","partition":-1,"replicas":[1]}`), "partition -1 of topic orders is negative"},
		{"no replicas", one(`{"topic":"orders","partition":0}`), "replicas of orders-0: the replica list is empty"},
		{"a broker twice", one(`{"topic":"orders","partition":0,"replicas":[1,1]}`), "replicas of orders-0: broker 1 is listed twice in [1, 1]"},
		{"a negative broker", one(`{"topic":"orders","partition":0,"replicas":[1,-2]}`), "replicas of orders-0: broker ID -2 is negative"},
		{"a broker that is no number", one(`{"topic":"orders","partition":0,"replicas":["1"]}`), "cannot unmarshal string"},
		{"a partition twice", one(`{"topic":"orders","partition":0,"replicas":[1]},{"topic":"orders","partition":0,"replicas":[2]}`), "partitions[1]: orders-0 is partitions[0] already"},
		{"a log directory", one(`{"topic":"orders","partition":0,"replicas":[1],"log_dirs":["/data"]}`), `only "any" is possible, not "/data"`},
		{"too few log directories", one(`{"topic":"orders","partition":0,"replicas":[1,2],"log_dirs":["any"]}`), "log_dirs of orders-0 has 1 entries for 2 replicas"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ReadReassignmentJSON(strings.NewReader(tt.text))
			require.ErrorContains(t, err, tt.want)
			require.ErrorContains(t, err, "reassignment file")
		})
	}
}

func FuzzReadReassignmentJSON(f *testing.F) {
	f.Add([]byte(`{"version":1,"partitions":[{"topic":"orders","partition":0,"replicas":[3,2],"log_dirs":["any","any"]}]}`))
	f.Add([]byte(`{"version":1,"partitions":[{"topic":"orders","partition":0,"replicas":[]}]}`))
	f.Add([]byte(`{"version":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		targets, err := ReadReassignmentJSON(bytes.NewReader(text))
		if err != nil {
			return
		}
		var moves []balance.Move
		for _, target := range targets {
			require.NoError(t, checkReplicas(target.Replicas))
			moves = append(moves, balance.Move{Topic: target.Topic, Partition: target.Partition, To: target.Replicas})
		}
		var out bytes.Buffer
		require.NoError(t, WriteReassignmentJSON(&out, moves))
		again, err := ReadReassignmentJSON(&out)
		require.NoError(t, err)
		require.Equal(t, targets, again)
	})
}

func TestMovesTo(t *testing.T) {
	reading := &balance.Cluster{Partitions: []balance.Partition{
		{Topic: "orders", ID: 0, Leader: 1, Replicas: []int32{1, 2}, SizeBytes: 100},
		{Topic: "orders", ID: 1, Leader: 2, Replicas: []int32{1, 2}, SizeBytes: 100},
		{Topic: "orders", ID: 2, Leader: 1, Replicas: []int32{1, 2}, SizeBytes: 100},
		{Topic: "orders", ID: 3, Leader: 1, Replicas: []int32{1, 2}, SizeBytes: 100},
	}}
	targets := []Target{
		{name("orders-0"), []int32{3, 4}},    // a new leader
		{name("orders-1"), []int32{3, 2}},    // its leader stays
		{name("orders-2"), []int32{1, 2}},    // there already
		{name("orders-3"), []int32{2, 1, 3}}, // a higher factor
	}
	_, err := MovesTo(targets, reading, false)
	require.EqualError(t, err, "orders-3 has 2 replicas and would have 3: changing the factor must be asked for")

	moves, err := MovesTo(targets, reading, true)
	require.NoError(t, err)
	const why = "from a reassignment file"
	require.Equal(t, []balance.Move{
		{Topic: "orders", Partition: 0, From: []int32{1, 2}, To: []int32{3, 4}, FromLeader: 1, ToLeader: 3, Kind: balance.MoveBalance, Reason: why, CopyBytes: 200},
		{Topic: "orders", Partition: 1, From: []int32{1, 2}, To: []int32{3, 2}, FromLeader: 2, ToLeader: 2, Kind: balance.MoveBalance, Reason: why, CopyBytes: 100},
		{Topic: "orders", Partition: 3, From: []int32{1, 2}, To: []int32{2, 1, 3}, FromLeader: 1, ToLeader: 1, Kind: balance.MoveFactor, Reason: why, CopyBytes: 100},
	}, moves)

	moves, err = MovesTo([]Target{{name("orders-0"), []int32{2, 1}}}, reading, false)
	require.NoError(t, err)
	require.Equal(t, balance.MoveLeader, moves[0].Kind)

	_, err = MovesTo([]Target{{name("users-0"), []int32{1}}}, reading, false)
	require.EqualError(t, err, "users-0 is not in the cluster")
	_, err = MovesTo([]Target{{name("orders-0"), nil}}, reading, true)
	require.EqualError(t, err, "target of orders-0: the replica list is empty")
}
