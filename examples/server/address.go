package main

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	mcpserver "github.com/kafka-pilot/pilot/adapters/mcp"
)

// leastToken is how short a token may be, in characters: it is all that stands between a network and the cluster.
const leastToken = 16

// readServing reads where to serve, and to whom.
func (s *settings) readServing(v variables, h host) error {
	var problems []error
	var err error
	s.listen = v.Listen
	if s.token, err = readToken(v, h); err != nil {
		problems = append(problems, err)
	}
	local, err := isLoopback(v.Listen)
	switch {
	case err != nil:
		problems = append(problems, err)
	case !local && s.token == "" && v.TokenFile == "":
		problems = append(problems, fmt.Errorf("PILOT_LISTEN is %s, which others can reach, and there is no token: set PILOT_MCP_TOKEN, or listen on 127.0.0.1", v.Listen))
	}
	switch v.MCPMode {
	case "read_only":
	case "write":
		s.mcp = mcpserver.Write
	default:
		problems = append(problems, fmt.Errorf("PILOT_MCP_MODE is %q: write read_only or write", v.MCPMode))
	}
	return errors.Join(problems...)
}

// readToken returns the token, which is never part of an error.
func readToken(v variables, h host) (string, error) {
	token, name := v.Token, "PILOT_MCP_TOKEN"
	if v.TokenFile != "" {
		if token != "" {
			return "", errors.New("PILOT_MCP_TOKEN and PILOT_MCP_TOKEN_FILE are both set: set one of them")
		}
		name = "PILOT_MCP_TOKEN_FILE"
		content, err := h.readFile(v.TokenFile)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		token = strings.TrimRight(string(content), "\r\n")
		if token == "" {
			return "", fmt.Errorf("%s: the file is empty: write the token into it", name)
		}
	}
	if token != "" && (len(token) < leastToken || strings.ContainsAny(token, " \t\r\n")) {
		return "", fmt.Errorf("%s: use at least %d characters without spaces", name, leastToken)
	}
	return token, nil
}

// isLoopback reports whether an address can be reached from this machine alone.
func isLoopback(address string) (bool, error) {
	host, port, err := net.SplitHostPort(address)
	n, notNumber := strconv.Atoi(port)
	if err != nil || notNumber != nil || n < 0 || n > 65535 {
		return false, fmt.Errorf("PILOT_LISTEN is %q: write HOST:PORT, such as 127.0.0.1:8080", address)
	}
	return isLoopbackHost(host), nil
}

func isLoopbackHost(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
