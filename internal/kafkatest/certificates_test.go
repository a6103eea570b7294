package kafkatest

import (
	"crypto/tls"
	"crypto/x509"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheCertificateIsForThisMachineAndTheAuthorityVouchesForIt(t *testing.T) {
	ca, server, err := issue(time.Now())
	require.NoError(t, err)
	pair, err := tls.X509KeyPair(server, server)
	require.NoError(t, err)
	pool := x509.NewCertPool()
	require.True(t, pool.AppendCertsFromPEM(ca))
	for _, name := range []string{"localhost", "127.0.0.1"} {
		_, err := pair.Leaf.Verify(x509.VerifyOptions{Roots: pool, DNSName: name})
		require.NoError(t, err, name)
	}
	_, err = pair.Leaf.Verify(x509.VerifyOptions{Roots: pool, DNSName: "example.org"})
	require.Error(t, err)
}

func TestWithoutTLSThereIsNoAuthority(t *testing.T) {
	c := &Cluster{}
	require.Nil(t, c.CA())
	require.Nil(t, c.TLSConfig())
}
