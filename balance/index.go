package balance

// brokerIndex finds the place of a broker in a reading by its ID. It is asked for every replica of a million
// partitions, so it is a table where the IDs are close together, as they nearly always are.
type brokerIndex struct {
	lowest int32
	table  []int32 // ID - lowest → place, -1 is none; nil where the IDs are far apart
	places map[int32]int32
}

// sparseIDs is how many times more IDs than brokers a table may have.
const sparseIDs = 64

func newBrokerIndex(brokers []Broker) brokerIndex {
	var x brokerIndex
	if len(brokers) == 0 {
		return x
	}
	x.lowest = brokers[0].ID
	span := int64(brokers[len(brokers)-1].ID) - int64(x.lowest) + 1
	if span > 0 && span <= int64(sparseIDs*len(brokers)) {
		x.table = make([]int32, span)
		for k := range x.table {
			x.table[k] = -1
		}
	} else {
		x.places = make(map[int32]int32, len(brokers))
	}
	for k := range brokers {
		if x.table != nil {
			x.table[brokers[k].ID-x.lowest] = int32(k)
		} else {
			x.places[brokers[k].ID] = int32(k)
		}
	}
	return x
}

// find returns the place of the broker with an ID, or -1 when there is none.
func (x *brokerIndex) find(id int32) int {
	if x.table == nil {
		if k, ok := x.places[id]; ok {
			return int(k)
		}
		return -1
	}
	if k := int64(id) - int64(x.lowest); k >= 0 && k < int64(len(x.table)) {
		return int(x.table[k])
	}
	return -1
}
