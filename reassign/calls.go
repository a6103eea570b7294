package reassign

import (
	"time"

	"github.com/kafka-pilot/pilot/balance"
)

// due returns the moves that need a call, up to one request.
func (e *Execution) due(n need) []int {
	var due []int
	for i := range e.tasks {
		t := &e.tasks[i]
		unthrottled := t.phase == moving && t.holds() && !t.listed // after a restart
		if t.need == n && !unthrottled && len(due) < e.limits.MaxBatch {
			due = append(due, i)
		}
	}
	return due
}

// submit sends targets: new ones, those whose answer was lost, and those that take a step back.
func (e *Execution) submit(time.Time) (Todo, bool) {
	var todo Todo
	for _, i := range e.due(needSubmit) {
		todo.Submit = append(todo.Submit, Target{e.tasks[i].move.Name(), e.tasks[i].send})
	}
	return todo, len(todo.Submit) > 0
}

// elect asks for preferred elections.
func (e *Execution) elect(time.Time) (Todo, bool) {
	names := e.names(e.due(needElect))
	return Todo{Elect: names}, len(names) > 0
}

// cancelMoves ends reassignments that could not be submitted back.
func (e *Execution) cancelMoves(time.Time) (Todo, bool) {
	names := e.names(e.due(needCancel))
	return Todo{Cancel: names}, len(names) > 0
}

func (e *Execution) names(moves []int) []balance.TopicPartition {
	var names []balance.TopicPartition
	for _, i := range moves {
		names = append(names, e.tasks[i].move.Name())
	}
	return names
}
