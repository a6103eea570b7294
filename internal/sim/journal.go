package sim

import (
	"context"
	"slices"

	"github.com/kafka-pilot/pilot/reassign"
)

// journal is what the compacted state topic of the cluster holds.
type journal struct {
	values map[string][]byte
	owner  int // number of the latest owner
}

// Journal is a reassign.Journal that outlives its client.
type Journal struct {
	client *Client
	owner  int
}

var _ reassign.Journal = (*Journal)(nil)

// Journal takes the ownership of the cluster's journal, as a transactional producer with a fixed ID does: what owned
// it before is fenced.
func (c *Client) Journal() *Journal {
	w := c.world
	w.lock()
	defer w.mu.Unlock()
	w.journal.owner++
	return &Journal{client: c, owner: w.journal.owner}
}

// Save implements reassign.Journal. A fenced owner gets reassign.ErrFenced.
func (j *Journal) Save(ctx context.Context, key string, value []byte) error {
	return j.client.call(ctx, Call{Op: OpSave, Items: 1, Key: key}, func(e Effect) error {
		stored := &j.client.world.journal
		switch {
		case e.Deny:
			return ErrDenied
		case j.owner != stored.owner:
			return reassign.ErrFenced
		case value == nil:
			delete(stored.values, key)
		default:
			stored.values[key] = slices.Clone(value)
		}
		return nil
	})
}

// Load implements reassign.Journal.
func (j *Journal) Load(ctx context.Context) (map[string][]byte, error) {
	var loaded map[string][]byte
	err := j.client.call(ctx, Call{Op: OpLoad}, func(e Effect) error {
		if e.Deny {
			return ErrDenied
		}
		loaded = map[string][]byte{}
		for key, value := range j.client.world.journal.values {
			loaded[key] = slices.Clone(value)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return loaded, nil
}
