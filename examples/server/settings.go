package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/caarlos0/env/v11"

	"github.com/kafka-pilot/pilot/adapters/kafka"
	mcpserver "github.com/kafka-pilot/pilot/adapters/mcp"
	"github.com/kafka-pilot/pilot/balance"
	"github.com/kafka-pilot/pilot/internal/units"
	"github.com/kafka-pilot/pilot/profile"
	"github.com/kafka-pilot/pilot/reassign"
)

// settings are what flags and environment say, checked.
type settings struct {
	sim     bool
	kafka   kafka.ClientConfig // of a real cluster
	listen  string
	token   string
	mcp     mcpserver.Mode
	policy  balance.Policy
	limits  reassign.Limits
	profile profile.Profile
}

// variables are the settings as they are written.
type variables struct {
	Listen       string `env:"PILOT_LISTEN" envDefault:"127.0.0.1:8080"`
	MCPMode      string `env:"PILOT_MCP_MODE" envDefault:"read_only"`
	Token        string `env:"PILOT_MCP_TOKEN"`
	TokenFile    string `env:"PILOT_MCP_TOKEN_FILE"`
	Threshold    string `env:"PILOT_BALANCE_THRESHOLD"`
	Floor        string `env:"PILOT_BALANCE_FLOOR"`
	RackAware    string `env:"PILOT_BALANCE_RACK_AWARE" envDefault:"false"`
	MaxPerBroker string `env:"PILOT_MOVE_MAX_PER_BROKER" envDefault:"20"`
	Managed      string `env:"PILOT_THROTTLE_MANAGED" envDefault:"true"`
	Throttle     string `env:"PILOT_THROTTLE"`
	Profile      string `env:"PILOT_BROKER_PROFILE"`
	ProfileFile  string `env:"PILOT_BROKER_PROFILE_FILE"`
}

const prefix = "PILOT_"

// platform are prefixes of variables that Kubernetes sets in the namespace of a service that is called pilot.
var platform = []string{"PILOT_SERVICE_", "PILOT_PORT"}

// readSettings reads flags and environment. The error says everything that is wrong, a line for each.
func readSettings(h host) (*settings, error) {
	sim, bootstrap, err := parseFlags(h.args)
	if err != nil {
		return nil, err
	}
	var v variables
	problems := []error{unknownVariables(h.environ)}
	if err := env.ParseWithOptions(&v, env.Options{Environment: env.ToMap(h.environ)}); err != nil {
		problems = append(problems, err)
	}
	s := &settings{sim: sim}
	problems = append(problems, s.readServing(v, h), s.readBalance(v), s.readMoves(v))
	s.profile, err = profile.Load(v.Profile, v.ProfileFile, h.readFile)
	problems = append(problems, err)
	if !sim {
		problems = append(problems, s.readKafka(bootstrap, h))
	}
	return s, errors.Join(problems...)
}

func parseFlags(args []string) (sim bool, bootstrap string, err error) {
	f := flag.NewFlagSet("server", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.BoolVar(&sim, "sim", false, "")
	f.StringVar(&bootstrap, "bootstrap", "", "")
	switch err := f.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return false, "", err
	case err != nil:
		return false, "", fmt.Errorf("%w: there are -sim, -bootstrap HOST:PORT and -h", err)
	case f.NArg() > 0:
		return false, "", fmt.Errorf("unexpected argument %q: there are only flags, -h lists them", f.Arg(0))
	case sim && bootstrap != "":
		return false, "", errors.New("-sim and -bootstrap exclude each other: give one of them")
	}
	for address := range strings.SplitSeq(bootstrap, ",") {
		if host, port, err := net.SplitHostPort(address); bootstrap != "" && (err != nil || host == "" || port == "") {
			return false, "", fmt.Errorf("-bootstrap %q: write HOST:PORT, such as localhost:9092", address)
		}
	}
	return sim, bootstrap, nil
}

// unknownVariables refuses what begins like a setting and is none, which is a slip of the pen.
func unknownVariables(environ []string) error {
	fields, err := env.GetFieldParams(&variables{})
	if err != nil {
		return err
	}
	var known []string
	for _, f := range fields {
		known = append(known, f.Key)
	}
	var problems []error
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		ours := strings.HasPrefix(name, prefix) && !slices.ContainsFunc(platform, func(p string) bool { return strings.HasPrefix(name, p) })
		if ours && !slices.Contains(known, name) {
			problems = append(problems, fmt.Errorf("%s is not known: use one of %s", name, strings.Join(known, ", ")))
		}
	}
	return errors.Join(problems...)
}

func (s *settings) readBalance(v variables) (err error) {
	var problems [3]error
	s.policy.Threshold, problems[0] = balance.ParseThreshold(v.Threshold)
	s.policy.Floor, problems[1] = balance.ParseFloor(v.Floor)
	s.policy.RackAware, problems[2] = truth("PILOT_BALANCE_RACK_AWARE", v.RackAware)
	return errors.Join(problems[:]...)
}

func (s *settings) readMoves(v variables) error {
	var problems []error
	most, err := strconv.Atoi(v.MaxPerBroker)
	if err != nil || most < 1 {
		problems = append(problems, fmt.Errorf("PILOT_MOVE_MAX_PER_BROKER is %q: write a whole number from 1", v.MaxPerBroker))
	}
	s.limits.MaxPerBroker = most
	s.limits.Managed, err = truth("PILOT_THROTTLE_MANAGED", v.Managed)
	problems = append(problems, err)
	if v.Throttle != "" {
		rate, err := units.ParseBandwidth(v.Throttle)
		if err != nil {
			problems = append(problems, fmt.Errorf("PILOT_THROTTLE: %w", err))
		} else if s.limits.Throttle = int64(rate); s.limits.Validate() != nil && most > 0 {
			problems = append(problems, fmt.Errorf("PILOT_THROTTLE: %w", s.limits.Validate()))
		}
	}
	if v.Throttle != "" && !s.limits.Managed && err == nil {
		problems = append(problems, errors.New("PILOT_THROTTLE is set, but with PILOT_THROTTLE_MANAGED=false no throttle is: remove one of them"))
	}
	return errors.Join(problems...)
}

func truth(name, value string) (bool, error) {
	switch value {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("%s is %q: write true or false", name, value)
}

func (s *settings) readKafka(bootstrap string, h host) error {
	config, err := kafka.ClientConfigFromEnv(h.environ, h.readFile)
	if err != nil {
		return err
	}
	if bootstrap != "" {
		config.Brokers = strings.Split(bootstrap, ",")
	}
	if len(config.Brokers) == 0 {
		return errors.New("no cluster is given: use -bootstrap HOST:PORT, KAFKA_BROKERS, or -sim to try things out")
	}
	s.kafka = config
	if err := config.Validate(); err != nil {
		return fmt.Errorf("the settings of Kafka: %w", err)
	}
	return nil
}
