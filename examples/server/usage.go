package main

const usage = `usage: server [-sim | -bootstrap HOST:PORT]

  -sim                  serve a skewed cluster in memory
  -bootstrap HOST:PORT  serve the cluster of this broker, whatever KAFKA_BROKERS says

Environment variables. One that is set to nothing counts as not set.

  PILOT_LISTEN              address to serve on (127.0.0.1:8080); any but loopback needs a token
  PILOT_MCP_MODE            read_only or write: which tools MCP offers (read_only)
  PILOT_MCP_TOKEN           bearer token that MCP and REST then ask for; or PILOT_MCP_TOKEN_FILE, a file that holds it

  PILOT_BALANCE_THRESHOLD   percent of the fair share to even to; moves start beyond twice as much (5)
  PILOT_BALANCE_FLOOR       differences to leave alone, such as "bytes=2MB/s disk=2GiB" (off)
  PILOT_BALANCE_RACK_AWARE  true: fair shares and placements follow the racks (false)

  PILOT_MOVE_MAX_PER_BROKER moves that a broker takes part in at once (20)
  PILOT_THROTTLE_MANAGED    false: another tool manages replication throttles (true)
  PILOT_THROTTLE            replication limit of each broker during moves, such as 50MB/s (none)

  PILOT_BROKER_PROFILE      hardware of the brokers, such as "network=10Gbit/s disk=2TiB"; or PILOT_BROKER_PROFILE_FILE

  KAFKA_BROKERS             host:port of some brokers, separated by commas
  KAFKA_SASL_MECHANISM      PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512, with KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD,
                            or each of these with _FILE added: a file that holds it
  KAFKA_TLS_ENABLED         true or false, with KAFKA_TLS_CAFILEPATH, KAFKA_TLS_CERTFILEPATH, KAFKA_TLS_KEYFILEPATH
                            and KAFKA_TLS_SERVER_NAME
`
