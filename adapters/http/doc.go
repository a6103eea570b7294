// Package httpapi serves a pilot.Service over REST, on the gin engine that a program already has.
//
//	httpapi.Register(engine, service, httpapi.Options{})
//
// mounts everything under /api/v1. The document that describes it is served beside it, as /api/v1/openapi.json and
// /api/v1/openapi.yaml, and the tests hold the routes, the views and every answer against that document.
//
// # Reading and changing
//
// A GET never changes anything, not even a plan: GET /proposals/current returns the plan that the service keeps
// ready, and only POST /proposals/generate with {"immediate": true} calculates anew. The usual course is
//
//	POST /api/v1/proposals/generate              what should move, and why
//	GET  /api/v1/proposals/{id}                  review it
//	POST /api/v1/proposals/{id}/apply            202 and the execution
//	GET  /api/v1/reassignments/{id}              how far it is, or …/events as a stream
//	POST /api/v1/reassignments/{id}/cancel       stop what has not moved yet
//
// POST /api/v1/brokers/{id}/maintenance drains a broker and DELETE ends its maintenance.
//
// # Errors
//
// Every error is an application/problem+json object (RFC 9457). Its code is stable and made for programs, its detail
// is a sentence for people. overridable says that the same request with force would pass, findings lists every reason
// not to move partitions now, and retryAfter (also the Retry-After header) says in how many seconds to come back. A
// request with a field that does not exist is refused, so that a misspelt "force" is not taken for its absence.
//
// # Authentication
//
// The package has none: the program that embeds it knows its users. Middleware on a group guards everything,
// Options.Mutations guards what changes something, and Options.Principal names the user for the audit log. Requests
// of web pages from other origins are refused for everything that changes something, whatever else is configured.
//
// # Streams
//
// An open stream of events holds up http.Server.Shutdown until its execution ends. A program that wants to stop at once
// cancels the context that it gave to http.Server.BaseContext.
package httpapi
