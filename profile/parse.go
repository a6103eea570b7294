package profile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kafka-pilot/pilot/internal/units"
)

const (
	inlineSetting = "PILOT_BROKER_PROFILE"
	fileSetting   = "PILOT_BROKER_PROFILE_FILE"
)

// Load reads the profile from whichever of the two settings is set: rules are the value of PILOT_BROKER_PROFILE, path
// is that of PILOT_BROKER_PROFILE_FILE and goes to read, for example os.ReadFile. Without either it returns the zero
// Profile. Errors name the setting and the rule or line.
func Load(rules, path string, read func(path string) ([]byte, error)) (Profile, error) {
	rules, path = strings.TrimSpace(rules), strings.TrimSpace(path)
	switch {
	case rules != "" && path != "":
		return Profile{}, fmt.Errorf("%s and %s are both set: keep one", inlineSetting, fileSetting)
	case path == "":
		return Parse(rules)
	}
	text, err := read(path)
	if err != nil {
		return Profile{}, fmt.Errorf("%s: %w", fileSetting, err)
	}
	return ParseFile(string(text))
}

// Parse reads the rules of PILOT_BROKER_PROFILE, which are separated by semicolons. Errors name the setting and the
// rule.
func Parse(rules string) (Profile, error) {
	texts := strings.Split(rules, ";")
	return parse(texts, func(i int) string {
		return fmt.Sprintf("%s: rule %d (%s)", inlineSetting, i+1, strings.TrimSpace(texts[i]))
	})
}

// ParseFile reads the content of the file that PILOT_BROKER_PROFILE_FILE names. Errors name the setting and the line.
func ParseFile(text string) (Profile, error) {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i], _, _ = strings.Cut(line, "#")
	}
	return parse(lines, func(i int) string { return fmt.Sprintf("%s: line %d", fileSetting, i+1) })
}

// parse reads one rule a text; place says in an error where a text stands.
func parse(texts []string, place func(i int) string) (Profile, error) {
	var p Profile
	var from []int // the text of each rule
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			continue
		}
		if err := p.add(text); err != nil {
			return Profile{}, fmt.Errorf("%s: %w", place(i), err)
		}
		from = append(from, i)
	}
	if i, err := p.missingDefault(); err != nil {
		return Profile{}, fmt.Errorf("%s: %w", place(from[i]), err)
	}
	return p, nil
}

// add reads one rule.
func (p *Profile) add(text string) error {
	selected, settings := "", text
	if i := strings.LastIndexByte(text, ':'); i >= 0 {
		selected, settings = strings.TrimSpace(text[:i]), text[i+1:]
		if selected == "" {
			return errors.New("there is no selector before the colon: write rack=, host= or broker=, or leave the colon out")
		}
	}
	s, err := parseSelector(selected)
	if err != nil {
		return err
	}
	r := rule{selector: s}
	if err := r.set(settings); err != nil {
		return err
	}
	if err := p.setTwice(&r); err != nil {
		return err
	}
	p.rules = append(p.rules, r)
	return nil
}

// set reads the settings of a rule.
func (r *rule) set(text string) error {
	words := strings.Fields(text)
	if len(words) == 0 {
		return errors.New("the rule sets nothing: add network= or disk=")
	}
	for _, word := range words {
		name, value, found := strings.Cut(word, "=")
		var err error
		switch {
		case !found:
			return fmt.Errorf("%q is not a setting: write network= or disk= with a value and no spaces around it", word)
		case name == "network" && r.network > 0 || name == "disk" && r.disk > 0:
			return fmt.Errorf("%s= is set twice: keep one", name)
		case name == "network":
			r.network, err = units.ParseBandwidth(value)
		case name == "disk":
			r.disk, err = units.ParseSize(value)
		case selectorExamples[name] != "":
			return fmt.Errorf("%s= is a selector: write it first and end it with a colon", name)
		default:
			return fmt.Errorf("%s= is not a setting: use network= or disk=", name)
		}
		if err != nil {
			return fmt.Errorf("%s=: %w", name, err)
		}
	}
	return nil
}

// setTwice refuses a rule that sets what an earlier one with the same selector has set.
func (p *Profile) setTwice(r *rule) error {
	for i := range p.rules {
		o := &p.rules[i]
		if o.selector.kind != r.selector.kind || o.selector.String() != r.selector.String() {
			continue
		}
		name := r.selector.String()
		if name == "" {
			name = "the default"
		}
		switch {
		case o.network > 0 && r.network > 0:
			return fmt.Errorf("network= is set before for %s: keep one", name)
		case o.disk > 0 && r.disk > 0:
			return fmt.Errorf("disk= is set before for %s: keep one", name)
		}
	}
	return nil
}

// missingDefault returns the first rule with a setting that has no default.
func (p *Profile) missingDefault() (int, error) {
	var network, disk bool
	for i := range p.rules {
		r := &p.rules[i]
		if r.selector.kind == everyBroker {
			network, disk = network || r.network > 0, disk || r.disk > 0
		}
	}
	for i := range p.rules {
		switch r := &p.rules[i]; {
		case r.network > 0 && !network:
			return i, errors.New("network= has no default: add a rule without a selector that sets it")
		case r.disk > 0 && !disk:
			return i, errors.New("disk= has no default: add a rule without a selector that sets it")
		}
	}
	return 0, nil
}
