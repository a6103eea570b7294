// Package profile reads broker profiles, which describe the hardware of brokers, and says how much of it a placement
// uses. A profile never changes a fair share.
//
// # Rules
//
//	network=10Gbit/s disk=2TiB           # default for every broker
//	rack=eu-west-1c: network=25Gbit/s    # all brokers of a rack
//	host=kafka-big-*: network=25Gbit/s   # by advertised host, without the port
//	broker=7-9,12: disk=8TiB             # by ID
//
// A rule sets network= (a bit or byte rate), disk= (a size) or both, for the brokers that its selector matches or,
// without one, for all. PILOT_BROKER_PROFILE separates rules with semicolons. PILOT_BROKER_PROFILE_FILE names a file
// with a rule a line, where # starts a comment. Only one of the two may be set; a blank value is not set.
//
// A selector ends at the last colon of its rule, since no setting contains one: rack=eu:west:1: disk=4TiB works. It
// has no spaces. rack= and host= take patterns: * is any text, ? one character, [a-c] one of a set, [^a-c] or [!a-c]
// one outside of it, and \ takes the next character as it is. Unlike in file names, * and ? match slashes.
//
// # Which rule wins
//
// Each setting of a broker is resolved on its own, among the matching rules that set it: broker= before host= before
// rack= before the default, and of the same kind the one written last. A selector may occur in several rules, but set
// each setting only once. Every setting that a selector uses needs a default, so that every broker resolves.
//
// # Use
//
// A broker's network use is the busier direction. It receives the produce traffic of every replica it hosts; it sends
// the consumer traffic of every partition it leads, and a copy of its produce traffic to each follower. Disk use is
// the stored bytes. Inspect works out both and warns of selectors that match nothing and of brokers above 100%, which
// is usually a mistake in a unit.
//
// The package takes brokers and partitions in types of its own, so that it needs no other than the unit grammar.
package profile
