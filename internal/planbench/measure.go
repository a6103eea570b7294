package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/scenario"
)

// cost is what one call took.
type cost struct{ seconds, megabytes float64 }

func plan(c *balance.Cluster) (*balance.Proposal, cost, error) {
	var p *balance.Proposal
	var err error
	n := measured(func() { p, err = balance.Propose(c, scenario.Policy()) })
	return p, n, err
}

func recheck(c *balance.Cluster, p *balance.Proposal) (*balance.Check, cost, error) {
	var check *balance.Check
	var err error
	n := measured(func() { check, err = balance.Recheck(c, scenario.Policy(), p) })
	return check, n, err
}

// sampleEvery is how often memory is looked at meanwhile.
const sampleEvery = 2 * time.Millisecond

// measured runs a call and returns how long it took and by how much the heap grew at most.
func measured(call func()) cost {
	debug.FreeOSMemory()
	before := heap()
	done, most := make(chan struct{}), make(chan uint64)
	go func() {
		peak := before
		for {
			select {
			case <-done:
				most <- max(peak, heap())
				return
			case <-time.After(sampleEvery):
				peak = max(peak, heap())
			}
		}
	}()
	start := time.Now()
	call()
	seconds := time.Since(start).Seconds()
	close(done)
	n := cost{seconds, float64(<-most-before) / 1e6}
	runtime.GC()
	return n
}

// heap is what objects take, those that nobody needs any more included.
func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
