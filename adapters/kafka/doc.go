// Package kafka connects the balancer to an Apache Kafka cluster.
package kafka
