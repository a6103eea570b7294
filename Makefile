# make test       every test, real Kafka clusters included: needs Go, a JDK 17 or newer and Maven
# make test-unit  every test that needs Go alone
# Another Kafka release: make test KAFKA=4.0.2

FUZZTIME ?= 10s
BENCHTIME ?= 1s
ifdef KAFKA
export KAFKA
endif

# Tests with a real Kafka have the build tag kafka. They run one package after the other, since each starts a cluster of its own.
kafka_dirs = $(shell grep -rl --include='*_test.go' '^//go:build kafka$$' . | xargs -n 1 dirname | sort -u)
kafka_pkgs = $(if $(kafka_dirs),$(shell go list $(kafka_dirs)))
other_pkgs = $(filter-out $(kafka_pkgs),$(shell go list ./...))

.PHONY: test test-unit test-kafka vet fmt-check race bench bench-plan fuzz need-kafka

test: need-kafka
	@go list -tags kafka ./... >/dev/null
	go test $(other_pkgs)
	go test -p 1 -tags kafka -timeout 20m $(kafka_pkgs)

test-unit:
	go test ./...

test-kafka: need-kafka
	go test -p 1 -tags kafka -timeout 20m $(kafka_pkgs)

need-kafka:
	@java="$${JAVA_HOME:+$$JAVA_HOME/bin/}java"; \
	command -v "$$java" >/dev/null || { \
	  echo "make test needs a JDK 17 or newer, and there is no $$java here: install one, or run make test-unit, which needs Go alone." >&2; exit 1; }; \
	major=$$("$$java" -version 2>&1 | sed -n 's/.*version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' | head -n 1); \
	[ "$${major:-0}" -ge 17 ] || { \
	  echo "make test needs a JDK 17 or newer, and $$java is Java $${major:-of an unknown release}: set JAVA_HOME to a newer one, or run make test-unit, which needs Go alone." >&2; exit 1; }; \
	command -v mvn >/dev/null || { \
	  echo "make test needs Maven, which fetches Kafka once, and there is no mvn here: install it, or run make test-unit, which needs Go alone." >&2; exit 1; }

vet:
	go vet ./...
	go vet -tags kafka ./...

fmt-check:
	@files=$$(gofmt -l .) && [ -z "$$files" ] || { echo "not formatted, run gofmt -w on: $$files" >&2; exit 1; }

race:
	go test -race -short ./...

# The planner: seconds, memory, evenness and distance to the bounds. make bench-plan SIZES=all SEEDS=1
SIZES ?= usual
SEEDS ?= 3
bench-plan:
	go run ./internal/planbench -sizes $(SIZES) -seeds $(SEEDS)

bench:
	go test -run '^$$' -bench . -benchmem -benchtime $(BENCHTIME) ./...

# The go command fuzzes one target at a time.
fuzz:
	@grep -rHo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' . | sort | while IFS=: read -r file target; do \
	  target=$${target#func }; echo "$$target in $$(dirname $$file)"; \
	  go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$(dirname $$file)" || exit 1; \
	done
