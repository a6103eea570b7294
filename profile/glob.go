package profile

import (
	"errors"
	"slices"
)

// glob is a pattern over whole names: as package path matches them, but * and ? take slashes too, since racks have
// them, and [!a] means [^a], since shells write it so.
type glob struct {
	text   string
	tokens []token
}

// token matches one character, or with star any number of them.
type token struct {
	star   bool
	negate bool
	ranges []runeRange // the characters; none is every character
}

type runeRange struct{ first, last rune }

var (
	errOpenSet  = errors.New("the pattern has a [ without its ]: write \\[ for the character itself")
	errSet      = errors.New("the pattern has an empty or backward range in [ ]")
	errTrailing = errors.New("the pattern ends with a \\ that has nothing to follow it")
)

// parseGlob reads a pattern.
func parseGlob(text string) (glob, error) {
	g := glob{text: text}
	rest := []rune(text)
	for len(rest) > 0 {
		c := rest[0]
		rest = rest[1:]
		t := token{}
		switch c {
		case '*':
			t.star = true
		case '?':
		case '[':
			var err error
			if t, rest, err = parseSet(rest); err != nil {
				return glob{}, err
			}
		case '\\':
			if len(rest) == 0 {
				return glob{}, errTrailing
			}
			t.ranges = []runeRange{{rest[0], rest[0]}}
			rest = rest[1:]
		default:
			t.ranges = []runeRange{{c, c}}
		}
		g.tokens = append(g.tokens, t)
	}
	return g, nil
}

// parseSet reads a set after its [ and returns what follows its ].
func parseSet(rest []rune) (token, []rune, error) {
	t := token{}
	if len(rest) > 0 && (rest[0] == '^' || rest[0] == '!') {
		t.negate, rest = true, rest[1:]
	}
	for {
		if len(rest) == 0 {
			return t, nil, errOpenSet
		}
		if rest[0] == ']' {
			if len(t.ranges) == 0 {
				return t, nil, errSet
			}
			return t, rest[1:], nil
		}
		var r runeRange
		var ok bool
		if r.first, rest, ok = setRune(rest); !ok {
			return t, nil, errSet
		}
		r.last = r.first
		if len(rest) > 0 && rest[0] == '-' {
			if r.last, rest, ok = setRune(rest[1:]); !ok {
				return t, nil, errSet
			}
		}
		if r.first > r.last {
			return t, nil, errSet
		}
		t.ranges = append(t.ranges, r)
	}
}

// setRune reads one end of a range.
func setRune(rest []rune) (rune, []rune, bool) {
	if len(rest) > 0 && rest[0] == '\\' {
		rest = rest[1:]
	} else if len(rest) > 0 && (rest[0] == '-' || rest[0] == ']') {
		return 0, nil, false
	}
	if len(rest) == 0 {
		return 0, nil, false
	}
	return rest[0], rest[1:], true
}

// match reports whether the whole name fits. On a mismatch it goes back to the last star only and lets that take one
// character more, so the work is at most pattern times name.
func (g *glob) match(name string) bool {
	runes := []rune(name)
	at, star, next := 0, -1, 0
	for i := 0; i < len(runes); {
		switch {
		case at < len(g.tokens) && g.tokens[at].star:
			star, next = at, i
			at++
		case at < len(g.tokens) && g.tokens[at].takes(runes[i]):
			at++
			i++
		case star >= 0:
			next++
			at, i = star+1, next
		default:
			return false
		}
	}
	for at < len(g.tokens) && g.tokens[at].star {
		at++
	}
	return at == len(g.tokens)
}

func (t *token) takes(c rune) bool {
	if len(t.ranges) == 0 {
		return true
	}
	in := slices.ContainsFunc(t.ranges, func(r runeRange) bool { return r.first <= c && c <= r.last })
	return in != t.negate
}
