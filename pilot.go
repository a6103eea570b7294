package pilot

import (
	"fmt"
	"sync"
	"time"

	"github.com/kafka-pilot/pilot/maintenance"
	"github.com/kafka-pilot/pilot/safety"
)

// Service keeps a cluster's balance in view and changes it on request. Make one with New and call Run; any number of
// Services can live in one process, one for each cluster. All methods may be called from several goroutines.
type Service struct {
	o Options

	reading  turn   // to read the cluster and plan
	changing turn   // to change which brokers are in maintenance
	readNow  signal // the reader shall not wait

	mu    sync.Mutex // guards what follows; never held while something is waited for
	life  lifetime
	state maintenance.State
	// eligibility counts the changes of state: a plan that was made before the latest one is thrown away.
	eligibility int
	latest      *reading // nil before the first one
	readAt      time.Time
	readError   error // why the latest try to read failed
	look        safety.Health
	history     safety.History
	proposals   proposals
	executions  executions
	audit       []AuditEvent // oldest first
}

var _ API = (*Service)(nil)

// New makes a Service. It starts nothing and changes nothing: Run does. An error says everything that is wrong with
// the options.
func New(o Options) (*Service, error) {
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("pilot: %w", err)
	}
	s := &Service{o: o.withDefaults(), reading: newTurn(), changing: newTurn(), readNow: newSignal()}
	s.executions.newID = s.o.NewID
	return s, nil
}
