package measure

import "time"

// parts is the number of pieces that a window forgets in, one at a time.
const parts = 6

// window counts things and the time that they were counted over, for a while: what it holds reaches back by at least
// five sixths of its length. Time that was not watched is not in it. Whole numbers keep it exact.
type window struct {
	piece [parts]piece
	last  int64 // number of the latest piece
}

type piece struct {
	count int64
	span  time.Duration
}

// add counts what came within a span of time that ended in the piece numbered.
func (w *window) add(number, count int64, span time.Duration) {
	w.forget(number)
	p := &w.piece[w.last%parts]
	p.count += count
	p.span += span
}

// forget drops what is too old once the piece numbered has begun. Numbers do not go back.
func (w *window) forget(number int64) {
	for n := max(w.last+1, number-parts+1); n <= number; n++ {
		w.piece[n%parts] = piece{}
	}
	w.last = max(w.last, number)
}

// sum returns what the window holds in the time of the piece numbered.
func (w *window) sum(number int64) (count int64, span time.Duration) {
	for n := max(0, number-parts+1, w.last-parts+1); n <= w.last; n++ {
		count += w.piece[n%parts].count
		span += w.piece[n%parts].span
	}
	return count, span
}

// perSecond is a count over a span of time that is not zero.
func perSecond(count int64, span time.Duration) float64 { return float64(count) / span.Seconds() }
