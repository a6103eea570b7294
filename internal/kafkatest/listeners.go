package kafkatest

import "strings"

// Names of the listeners; clients choose one by its address.
const (
	plainListener      = "PLAINTEXT"
	saslListener       = "SASL"
	tlsListener        = "TLS"
	saslTLSListener    = "SASLTLS"
	controllerListener = "CONTROLLER"
)

// protocol is the security protocol behind each listener name.
var protocol = map[string]string{
	plainListener: "PLAINTEXT", saslListener: "SASL_PLAINTEXT", tlsListener: "SSL", saslTLSListener: "SASL_SSL",
	controllerListener: "PLAINTEXT",
}

// clientListeners are the listeners of every broker, in a fixed order.
func (c Config) clientListeners() []string {
	names := []string{plainListener}
	if c.SASL {
		names = append(names, saslListener)
	}
	if c.TLS {
		names = append(names, tlsListener)
	}
	if c.SASL && c.TLS {
		names = append(names, saslTLSListener)
	}
	return names
}

func (c *Cluster) protocols() string {
	var pairs []string
	for _, name := range append(c.config.clientListeners(), controllerListener) {
		pairs = append(pairs, name+":"+protocol[name])
	}
	return strings.Join(pairs, ",")
}

func (c *Cluster) advertised(n *node) string {
	var all []string
	for _, name := range c.config.clientListeners() {
		all = append(all, name+"://"+n.listeners[name].address())
	}
	return strings.Join(all, ",")
}

// addresses lists one listener of every broker that was ever part of the cluster, running or not.
func (c *Cluster) addresses(listener string) []string {
	var all []string
	for _, n := range c.brokers() {
		if r := n.listeners[listener]; r != nil {
			all = append(all, r.address())
		}
	}
	return all
}

// Bootstrap lists host:port of every broker's plain listener, stopped brokers included.
func (c *Cluster) Bootstrap() []string { return c.addresses(plainListener) }

// BootstrapSASL lists the SASL listeners over plain text; it is empty unless Config.SASL is set.
func (c *Cluster) BootstrapSASL() []string { return c.addresses(saslListener) }

// BootstrapTLS lists the TLS listeners; it is empty unless Config.TLS is set.
func (c *Cluster) BootstrapTLS() []string { return c.addresses(tlsListener) }

// BootstrapSASLTLS lists the listeners with SASL over TLS; it is empty unless Config.SASL and Config.TLS are set.
func (c *Cluster) BootstrapSASLTLS() []string { return c.addresses(saslTLSListener) }
