package units

// dimension is what a quantity measures.
type dimension uint8

const (
	size dimension = iota
	bandwidth
	messageRate
)

// unit is one way to write a quantity of a dimension; factor takes it to the dimension's base, which is bytes, bytes
// per second or messages per second.
type unit struct {
	name   string
	factor float64
}

const (
	kilo = 1e3
	mega = 1e6
	giga = 1e9
	tera = 1e12

	kibi = 1 << 10
	mebi = 1 << 20
	gibi = 1 << 30
	tebi = 1 << 40

	bit = 0.125 // bytes
)

// units lists, for each dimension, what may be written. The first spelling of a factor is the one that is written.
var units = [...][]unit{
	size: {
		{"TiB", tebi}, {"TB", tera}, {"GiB", gibi}, {"GB", giga}, {"MiB", mebi}, {"MB", mega},
		{"KiB", kibi}, {"KB", kilo}, {"kB", kilo}, {"B", 1},
	},
	bandwidth: {
		{"TiB/s", tebi}, {"TB/s", tera}, {"GiB/s", gibi}, {"GB/s", giga}, {"MiB/s", mebi}, {"MB/s", mega},
		{"KiB/s", kibi}, {"KB/s", kilo}, {"kB/s", kilo}, {"B/s", 1},
		{"Tbit/s", tera * bit}, {"Gbit/s", giga * bit}, {"Mbit/s", mega * bit}, {"Kbit/s", kilo * bit},
		{"kbit/s", kilo * bit}, {"bit/s", bit},
		{"Tbit", tera * bit}, {"Gbit", giga * bit}, {"Mbit", mega * bit}, {"Kbit", kilo * bit}, {"kbit", kilo * bit},
		{"bit", bit},
		{"Tbps", tera * bit}, {"Gbps", giga * bit}, {"Mbps", mega * bit}, {"Kbps", kilo * bit}, {"kbps", kilo * bit},
	},
	messageRate: {
		{"M/s", mega}, {"k/s", kilo}, {"/s", 1}, {"K/s", kilo},
		{"Mmsg/s", mega}, {"kmsg/s", kilo}, {"Kmsg/s", kilo}, {"msg/s", 1},
	},
}

// names say what a quantity of each dimension is called in a sentence.
var names = [...]string{size: "a size", bandwidth: "a bandwidth", messageRate: "a message rate"}

// examples say what may be written for each dimension.
var examples = [...]string{
	size:        "a size such as 2GiB or 500GB",
	bandwidth:   "a rate such as 50MB/s or 10Gbit/s",
	messageRate: "messages per second such as 10k/s or 250msg/s",
}

// find returns the factor of a unit within a dimension.
func find(d dimension, name string) (float64, bool) {
	for _, u := range units[d] {
		if u.name == name {
			return u.factor, true
		}
	}
	return 0, false
}
