package main

import (
	"compress/gzip"
	"embed"
	"fmt"
	"io"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/scenario"
)

// The clusters on file: four of 30 brokers and 10,000 partitions, and three that other planners are compared on.
//
//go:embed testdata/*.json.gz
var clusters embed.FS

var onFile = []struct {
	name string
	read func(io.Reader) (*balance.Cluster, error)
	bar  string
}{
	{"skew", balance.ReadSnapshot, ""},
	{"new", balance.ReadSnapshot, ""},
	{"racks", balance.ReadSnapshot, ""},
	{"msgs", balance.ReadSnapshot, ""},
	{"model12", scenario.ReadModel, "the bar is 1,170 copies and 10.45 TB"},
	{"model12n3", scenario.ReadModel, "the bar is 1,380 copies and 12.2 TB"},
	{"model30", scenario.ReadModel, "the bar is 3,050 copies and 27.2 TB"},
}

// files plans the clusters on file.
func (t *table) files() error {
	for _, f := range onFile {
		c, err := open(f.name, f.read)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		p, cost, err := plan(c)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		t.row("file "+f.name, "", c, p, cost)
		if f.bar != "" {
			fmt.Fprintf(t.out, "  %.2f TB are copied; %s\n", float64(p.CopyBytes())/1e12, f.bar)
		}
	}
	return nil
}

func open(name string, read func(io.Reader) (*balance.Cluster, error)) (*balance.Cluster, error) {
	f, err := clusters.Open("testdata/" + name + ".json.gz")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return read(z)
}
