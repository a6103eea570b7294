// Package mcpserver lets programs that speak the Model Context Protocol, language models above all, look at a
// pilot.Service and, if they may, change something with it.
//
//	engine.Any("/mcp", gin.WrapH(mcpserver.Handler(service, mcpserver.Options{})))
//
// serves it over HTTP without sessions, to clients of every revision of the protocol; New returns the server itself,
// for stdio. The results are the objects of REST, to the byte: what a tool returns and what package httpapi answers
// never differ.
//
// # What a client may do
//
// Options.Mode is ReadOnly unless set. Then there are only the tools that read, get_health, get_cluster, get_balance,
// generate_proposal, get_proposal, list_reassignments and get_reassignment; the others are neither listed nor callable.
// Write adds apply_proposal, cancel_reassignment, drain_broker and exit_maintenance. The hints on the tools are advice
// to the client; the mode is what protects the cluster.
//
// # Confirmation
//
// apply_proposal, cancel_reassignment and drain_broker ask before they act. A client that can ask its user (it says so
// with the elicitation capability) is told to do so, and its answer counts only together with a signed state that
// names the tool, the exact change and a time limit, once. For any other client the first call changes nothing and
// returns the error confirmation_required with a token; the same call with that token as confirm acts. A model can
// take both steps by itself, so Options.RequireElicitation turns the second way off. A confirmation does not outlive
// its plan: when the moves of the proposal or the options differ from those in the question, it is void.
//
// # Errors
//
// What cannot be done is a result with isError and {"error": {"code", "message", "overridable", …}}, with the codes and
// sentences of REST, so that a model can read it and act on it.
//
// # Authentication
//
// Options.Token guards Handler with a bearer token. Without one, put the handler behind the host's own authentication,
// or serve it on loopback alone.
package mcpserver
