package main

import (
	"context"
	"errors"
)

func open(ctx context.Context, o *options, t terminal) (*cluster, error) {
	if o.bootstrap == "" {
		return openMemory(o), nil
	}
	return nil, errors.New("real")
}
