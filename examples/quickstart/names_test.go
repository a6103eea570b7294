//go:build kafka

package main

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// split takes "orders-3" apart.
func split(tp string) (topic string, partition int32) {
	i := strings.LastIndex(tp, "-")
	n, _ := strconv.ParseInt(tp[i+1:], 10, 32)
	return tp[:i], int32(n)
}
