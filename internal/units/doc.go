// Package units reads and writes the quantities that operators type into settings: sizes, bandwidths and message
// rates.
//
// A quantity is a number and a unit without a space between them: 2GiB, 1.5TB, 50MB/s, 10Gbit/s, 10k/s. The unit is
// required, because a bare number in a capacity or a throttle is nearly always off by a factor of a thousand or of
// eight. For the same reason Gb and Mb/s are refused: half of those who type them mean bits.
//
//	dimension      reads into          units
//	size           bytes               B, KB MB GB TB (1000), KiB MiB GiB TiB (1024)
//	bandwidth      bytes per second    a size followed by /s, or bits: bit Kbit Mbit Gbit Tbit, with or without /s,
//	                                   and Kbps Mbps Gbps Tbps
//	message rate   messages per second /s k/s M/s, or the same with msg: msg/s kmsg/s Mmsg/s
//
// Units are case-sensitive but for the k of kilo, which may be written k or K. Numbers have digits and at most one
// point. Every quantity is positive and finite. Whoever reads a setting wraps the error with the setting's name.
//
// Bytes, Rate and Messages write quantities for people, rounded to three digits: sizes in powers of 1024, rates in
// powers of 1000. SizeText, BandwidthText and MessageRateText write the exact quantity so that it can be read again.
package units
