package kafkatest

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAReservedPortRefusesConnectionsUntilItsOwnerListens(t *testing.T) {
	r, err := reservePort()
	require.NoError(t, err)
	defer r.release()
	_, err = net.Dial("tcp", r.address())
	require.ErrorContains(t, err, "refused")

	listener, err := net.Listen("tcp", r.address()) // Go sets SO_REUSEADDR, as Java does
	require.NoError(t, err)
	defer listener.Close()
	connection, err := net.Dial("tcp", r.address())
	require.NoError(t, err)
	require.NoError(t, connection.Close())
}

func TestNobodyIsGivenAReservedPort(t *testing.T) {
	taken := map[int]bool{}
	for range 200 {
		r, err := reservePort()
		require.NoError(t, err)
		defer r.release()
		require.False(t, taken[r.port])
		taken[r.port] = true
	}
	for range 200 {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer listener.Close()
		require.False(t, taken[listener.Addr().(*net.TCPAddr).Port])
	}
}
