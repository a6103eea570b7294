package kafka

import (
	"cmp"
	"context"
	"net"
	"slices"
	"strconv"

	"github.com/IBM/sarama"
)

// brokerInfo is a broker as the controller has it registered.
type brokerInfo struct {
	ID     int32
	Host   string
	Port   int32
	Rack   string // "" is not set
	Fenced bool   // down or starting: it takes no part in the cluster
}

func (b brokerInfo) address() string { return net.JoinHostPort(b.Host, strconv.Itoa(int(b.Port))) }

// describeCluster returns all registered brokers, sorted by ID. Kafka before 4.0 leaves out the fenced ones. It asks
// on the measuring connection.
func (c *Client) describeCluster(ctx context.Context) ([]brokerInfo, error) {
	brokers, err := asked(c.any(ctx, measure), askCluster)
	if err != nil {
		return nil, err
	}
	c.learn(brokers)
	return brokers, nil
}

// alive returns the brokers that are not fenced, sorted.
func alive(brokers []brokerInfo) []int32 {
	var ids []int32
	for _, b := range brokers {
		if !b.Fenced {
			ids = append(ids, b.ID)
		}
	}
	return ids
}

// askCluster asks one broker for all brokers.
func askCluster(b *sarama.Broker) ([]brokerInfo, error) {
	answer, err := b.DescribeCluster(&sarama.DescribeClusterRequest{
		Version: 2, EndpointType: sarama.DescribeClusterEndpointTypeBrokers, IncludeFencedBrokers: true,
	})
	if err != nil {
		return nil, err
	}
	if answer.Err != sarama.ErrNoError {
		return nil, refused("describing the cluster", answer.Err)
	}
	brokers := make([]brokerInfo, len(answer.Brokers))
	for i, n := range answer.Brokers {
		brokers[i] = brokerInfo{ID: n.BrokerID, Host: n.Host, Port: n.Port, Fenced: n.IsFenced}
		if n.Rack != nil {
			brokers[i].Rack = *n.Rack
		}
	}
	slices.SortFunc(brokers, func(a, b brokerInfo) int { return cmp.Compare(a.ID, b.ID) })
	return brokers, nil
}

// metadata returns all topics as one live broker knows them, which may be some milliseconds, on a busy broker some
// seconds behind the controller. Errors of single topics and partitions are in the response. It asks on the
// measuring connection.
func (c *Client) metadata(ctx context.Context) (*sarama.MetadataResponse, error) {
	return asked(c.any(ctx, measure), func(b *sarama.Broker) (*sarama.MetadataResponse, error) { return askMetadata(b, nil) })
}

// askMetadata asks one broker for the topics named, or for all of them when topics is nil. Like all that is called
// ask, it is for use inside onBroker and onAny.
func askMetadata(b *sarama.Broker, topics []string) (*sarama.MetadataResponse, error) {
	return b.GetMetadata(&sarama.MetadataRequest{Version: 11, Topics: topics})
}
