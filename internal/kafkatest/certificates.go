package kafkatest

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// certificates are one authority and one certificate that all brokers share.
type certificates struct {
	ca                 []byte // PEM
	caFile, serverFile string
}

func newCertificates(dir string) (*certificates, error) {
	ca, server, err := issue(time.Now())
	if err != nil {
		return nil, fmt.Errorf("make certificates: %w", err)
	}
	c := &certificates{ca: ca, caFile: filepath.Join(dir, "ca.pem"), serverFile: filepath.Join(dir, "server.pem")}
	if err := os.WriteFile(c.caFile, ca, 0o644); err != nil {
		return nil, err
	}
	if err := os.WriteFile(c.serverFile, server, 0o600); err != nil {
		return nil, err
	}
	return c, nil
}

// issue makes an authority and a server certificate for this machine; server holds key and chain, as Kafka reads them.
func issue(now time.Time) (ca, server []byte, err error) {
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	root := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "kafkatest authority"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(1, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	caDER, err := x509.CreateCertificate(rand.Reader, root, root, caKey.Public(), caKey)
	if err != nil {
		return nil, nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "localhost"},
		NotBefore: root.NotBefore, NotAfter: root.NotAfter,
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	leafDER, err := x509.CreateCertificate(rand.Reader, leaf, root, key.Public(), caKey)
	if err != nil {
		return nil, nil, err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, nil, err
	}
	ca = encode("CERTIFICATE", caDER)
	return ca, bytes.Join([][]byte{encode("PRIVATE KEY", keyDER), encode("CERTIFICATE", leafDER), ca}, nil), nil
}

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// CA is the PEM text of the authority that signed the brokers' certificate; nil without Config.TLS.
func (c *Cluster) CA() []byte {
	if c.certificates == nil {
		return nil
	}
	return bytes.Clone(c.certificates.ca)
}

// TLSConfig is a client's configuration which trusts the brokers and nobody else; nil without Config.TLS.
func (c *Cluster) TLSConfig() *tls.Config {
	if c.certificates == nil {
		return nil
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(c.certificates.ca)
	return &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
}
