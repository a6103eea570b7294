package sim

import (
	"context"

	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/reassign"
)

// Client is one program's view of a Cluster: a reassign.Executor, and Read and Health for a source of readings. It
// may be used by several goroutines. After a fault made it crash it stays dead; a restarted program is a new Client.
type Client struct {
	world  *Cluster
	faults Faults
	number int
	dead   bool // guarded by world.mu
}

var _ reassign.Executor = (*Client)(nil)

// Client connects a program to the cluster. nil faults means that every call works as long as the cluster does.
func (c *Cluster) Client(faults Faults) *Client {
	c.lock()
	defer c.mu.Unlock()
	c.clients++
	return &Client{world: c, faults: faults, number: c.clients - 1}
}

// Crashed reports whether a fault ended the client.
func (c *Client) Crashed() bool {
	c.world.lock()
	defer c.world.mu.Unlock()
	return c.dead
}

// call sends one call through the faults. act runs with the lock held and may run twice.
func (c *Client) call(ctx context.Context, call Call, act func(Effect) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	effect := c.meet(call)
	w := c.world
	w.lock()
	defer w.mu.Unlock()
	if c.dead {
		return ErrCrashed
	}
	w.advance(effect.Delay)
	err := c.arrive(effect, act)
	w.advance(effect.Linger)
	if effect.Crash {
		c.dead = true
		w.trace("client %d crashes in %s", c.number, call.Op)
		return ErrCrashed
	}
	if effect.Lose {
		return ErrLost
	}
	return err
}

// meet asks the faults about a call.
func (c *Client) meet(call Call) Effect {
	w := c.world
	w.lock()
	dead := c.dead
	call.Number, call.Client, call.At = w.calls, c.number, w.virtual()
	if !dead {
		w.calls++
	}
	w.mu.Unlock()
	if dead || c.faults == nil {
		return Effect{}
	}
	return c.faults(call)
}

func (c *Client) arrive(e Effect, act func(Effect) error) error {
	if e.Drop {
		return ErrLost
	}
	if !c.world.anyRunning() {
		return ErrNoBroker
	}
	err := act(e)
	if err == nil && e.Repeat {
		err = act(e)
	}
	c.world.settle()
	return err
}

func (c *Cluster) anyRunning() bool {
	for _, b := range c.brokers {
		if b.up() {
			return true
		}
	}
	return false
}

// each makes the outcomes of a call on n items: of those that the effect does not keep away, f says what became of
// them.
func (e Effect) each(n int, tp func(int) balance.TopicPartition, f func(int) (reassign.Code, string)) []reassign.Outcome {
	outcomes := make([]reassign.Outcome, n)
	for i := range outcomes {
		o := reassign.Outcome{TopicPartition: tp(i)}
		switch {
		case e.Deny:
			o.Code, o.Message = reassign.CodeDenied, ErrDenied.Error()
		case e.Skip != nil && e.Skip(i):
			o.Code, o.Message = reassign.CodeUnknown, unanswered
		default:
			o.Code, o.Message = f(i)
			if e.Blur != nil && e.Blur(i) {
				o.Code, o.Message = reassign.CodeUnknown, unanswered
			}
		}
		outcomes[i] = o
	}
	return outcomes
}

const unanswered = "the answer does not name it"
