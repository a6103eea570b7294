package search

// worklist says which brokers a pass still visits.
type worklist struct {
	stuck   []bool  // nothing helped since the broker last changed
	limit   []bool  // at its limit for this pass
	visits  []int32 // since the last mark
	mark    []int64 // the penalty at the mark
	held    bool    // a trial is under way: nobody is woken
	waiting []int32 // scratch
}

// markEvery and markGain end the visits of a broker that gains less than one part in markGain in markEvery visits:
// effort is spent where something can be done.
const (
	markEvery = 8
	markGain  = 33
)

func (w *worklist) reset(s *state) {
	n := s.Brokers
	if w.stuck == nil {
		w.stuck, w.limit, w.visits, w.mark = make([]bool, n), make([]bool, n), make([]int32, n), make([]int64, n)
	}
	clear(w.stuck)
	clear(w.limit)
	clear(w.visits)
	copy(w.mark, s.broker)
}

// touch wakes a broker whose loads changed.
func (w *worklist) touch(b int32) {
	if w.stuck != nil && !w.held {
		w.stuck[b] = false
	}
}

// next returns the open broker with the highest penalty, or -1.
func (w *worklist) next(s *state) int32 {
	worst := int32(-1)
	for b, n := range s.broker {
		if n > 0 && !w.stuck[b] && !w.limit[b] && (worst < 0 || n > s.broker[worst]) {
			worst = int32(b)
		}
	}
	return worst
}

func (w *worklist) visited(s *state, b int32, helped bool) {
	if !helped {
		w.stuck[b] = true
		return
	}
	if w.visits[b]++; w.visits[b] < markEvery {
		return
	}
	w.visits[b] = 0
	w.limit[b] = s.broker[b] > w.mark[b]-w.mark[b]/markGain
	w.mark[b] = s.broker[b]
}

// pass visits the brokers, the one with the highest penalty first, until no visit helps.
func (s *state) pass(visit func(*state, int32) bool) {
	s.work.reset(s)
	for !s.spent() {
		b := s.work.next(s)
		if b < 0 {
			return
		}
		s.work.visited(s, b, visit(s, b))
	}
}
