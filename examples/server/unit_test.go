//go:build !kafka

package main

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(runIn(m.Run)) }
