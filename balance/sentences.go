package balance

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Every sentence of this package is made here, so that the library, REST and MCP say the same.

func percent(fraction float64) string {
	return strconv.FormatFloat(math.Round(fraction*100), 'f', -1, 64) + "%"
}

// precise keeps a decimal where rounding would hide which side of a line a number is on.
func precise(fraction float64) string {
	return strconv.FormatFloat(math.Round(fraction*1000)/10, 'f', -1, 64) + "%"
}

func tripSentence(t *tripped) string {
	return fmt.Sprintf("Broker %d is %s %s its fair share of %s.", t.broker, percent(t.at.Distance), t.at.Side, t.load.Phrase())
}

func farthest(trips []tripped) *tripped {
	worst := &trips[0]
	for i := range trips {
		if trips[i].at.Distance > worst.at.Distance {
			worst = &trips[i]
		}
	}
	return worst
}

// shown is what a distance that is given with one decimal of a percent may be off.
const shown = 0.0005

func planMessage(threshold float64, trips []tripped, after *Report, topics *TopicSpread) string {
	if len(trips) == 0 {
		return crowdedMessage(topics)
	}
	text := tripSentence(farthest(trips))
	most, at := 0.0, tripped{}
	for i := range after.Brokers {
		for m := range after.Brokers[i].Loads {
			if d := &after.Brokers[i].Loads[m]; d.Distance > most {
				most, at = d.Distance, tripped{after.Brokers[i].Broker, Metric(m), *d}
			}
		}
	}
	if most <= threshold+shown {
		return text + " The plan brings every broker within " + precise(threshold) + "."
	}
	then := fmt.Sprintf("the farthest broker is then broker %d, %s %s its fair share of %s.", at.broker, precise(most), at.at.Side, at.load.Phrase())
	if most <= 2*threshold+shown {
		return text + " The plan brings every broker within " + precise(2*threshold) + "; " + then
	}
	return text + " The plan brings brokers closer as far as their limits allow; " + then
}

// crowdedMessage names the most concentrated topic, and what the plan does about it.
func crowdedMessage(s *TopicSpread) string {
	x := &s.Concentrated[0]
	text := fmt.Sprintf("Broker %d leads %d of the %d partitions of %s, more than %d.", x.Broker, x.Leaders, x.Partitions, x.Topic, x.Cap)
	if n := len(s.Concentrated) - 1; n == 1 {
		text += " One more topic is concentrated like that."
	} else if n > 1 {
		text += fmt.Sprintf(" %d more topics are concentrated like that.", n)
	}
	switch {
	case x.Limit == "":
		return text + fmt.Sprintf(" The plan leaves it %d.", x.After)
	case x.After < x.Leaders:
		return text + fmt.Sprintf(" The plan leaves it %d: %s.", x.After, causeSentences[x.Limit].reason)
	}
	return text + fmt.Sprintf(" It stays so: %s.", causeSentences[x.Limit].reason)
}

func noPlanMessage(trips []tripped, refusal string) string {
	return tripSentence(farthest(trips)) + " No plan improves balance enough to be worth applying: " + refusal + "."
}

func noneNeededMessage(threshold float64, r *Report) string {
	most := 0.0
	for i := range r.Brokers {
		for m := range r.Brokers[i].Loads {
			most = max(most, r.Brokers[i].Loads[m].Distance)
		}
	}
	return fmt.Sprintf("Every broker is within %s of its fair share of every load with traffic; the farthest is %s off.", precise(2*threshold), precise(most))
}

func pausedMessage(down []int32) string {
	if len(down) == 0 {
		return "Balancing is paused while no broker is active."
	}
	names, verb, them := fmt.Sprintf("broker %d", down[0]), "is", "it stays"
	if len(down) > 1 {
		parts := make([]string, len(down))
		for i, b := range down {
			parts[i] = strconv.Itoa(int(b))
		}
		names = "brokers " + strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
		verb, them = "are", "they stay"
	}
	drain := "drain it"
	if len(down) > 1 {
		drain = "drain them"
	}
	return fmt.Sprintf("Balancing is paused while %s %s down. If %s down, %s with maintenance mode.", names, verb, them, drain)
}

func allowanceNote(threshold float64) string {
	return fmt.Sprintf("To bring a broker closer that would otherwise stay beyond %s, the plan lets other brokers end up to %s from their fair share instead of %s.",
		precise(2*threshold), precise(2*threshold), precise(threshold))
}

func atLimitMessage(limits []Limit) string {
	var names []string
	for m := Metric(0); m < NumMetrics; m++ {
		for i := range limits {
			if limits[i].Load == m {
				names = append(names, m.Phrase())
				break
			}
		}
	}
	list := names[0]
	if n := len(names); n > 1 {
		list = strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return fmt.Sprintf("Pilot can't even out %s any further.", list)
}

var causeSentences = map[Cause]struct{ reason, help string }{
	CauseRecentMoves:       {"only partitions that moved a short while ago could change it", "Nothing: it is checked again when the moves are 30 minutes old."},
	CauseLargePartition:    {"one partition is too large a part of its share", "Add partitions to the topics holding the large partitions so their load can be split."},
	CauseTooFewPartitions:  {"fewer partitions carry this load than there are brokers", "Add partitions to the topics that carry this load."},
	CauseMessagesVsBytes:   {"messages and bytes can't both be even", "Spread topics with unusually small or large messages over more partitions."},
	CauseReplicaPlacement:  {"its replicas can't be placed otherwise", "Give the racks equal numbers of brokers, or raise the replication factor of the topics concerned."},
	CauseMinimumDifference: {"the moves would push another load past its minimum difference", "Lower the minimum difference (PILOT_BALANCE_FLOOR)."},
	CauseOtherLoads:        {"evening it would push another load away from its fair share", "Add partitions to the largest topics, so that there is more to choose from."},
}

func limitReason(l *Limit) string {
	load, verb, their := l.Load.Phrase(), "are", "their"
	if l.Load == Disk {
		verb, their = "is", "its"
	}
	return fmt.Sprintf("%s on broker %d %s %s %s %s fair share and at %s limit: %s.",
		strings.ToUpper(load[:1])+load[1:], l.Broker, verb, percent(l.Distance), l.Side, their, their, causeSentences[l.Cause].reason)
}

func limitHelp(c Cause) string { return causeSentences[c].help }

func moveReason(m *Move) string {
	if m.Kind == MoveLeader {
		return fmt.Sprintf("leadership from broker %d to %d", m.FromLeader, m.ToLeader)
	}
	gone, come := minus(m.From, m.To), minus(m.To, m.From)
	text := fmt.Sprintf("replica from broker %s to %s", ids(gone), ids(come))
	if m.FromLeader != m.ToLeader {
		text += fmt.Sprintf(", leadership from %d to %d", m.FromLeader, m.ToLeader)
	}
	return text
}

func minus(a, b []int32) []int32 {
	var out []int32
	for _, x := range a {
		found := false
		for _, y := range b {
			found = found || x == y
		}
		if !found {
			out = append(out, x)
		}
	}
	return out
}

func ids(list []int32) string {
	parts := make([]string, len(list))
	for i, b := range list {
		parts[i] = strconv.Itoa(int(b))
	}
	return strings.Join(parts, ", ")
}

func placementRefusal(m *Move, p *Partition) *Refusal {
	text := fmt.Sprintf("The plan moves partition %s, which is not there any more.", m.Name())
	if p != nil && p.Moving != nil {
		text = fmt.Sprintf("Partition %s is being moved already.", m.Name())
	} else if p != nil {
		text = fmt.Sprintf("Partition %s is on brokers %s led by %d, and the plan starts from %s led by %d.",
			m.Name(), ids(p.Replicas), p.Leader, ids(m.From), m.FromLeader)
	}
	return &Refusal{CodePlacementChanged, text}
}

func receiverRefusal(m *Move, broker int32) *Refusal {
	return &Refusal{CodeBrokerChanged, fmt.Sprintf("Broker %d is to receive partition %s, and cannot receive anything now.", broker, m.Name())}
}

func notWorthRefusal(why string) *Refusal {
	return &Refusal{CodeNotWorthApplying, "The plan is no longer worth applying: " + why + "."}
}

func worseRefusal(t *tripped, was *Distance) *Refusal {
	return &Refusal{CodeNotWorthApplying, fmt.Sprintf("The plan would leave broker %d %s %s its fair share of %s; without it the broker is %s off.",
		t.broker, precise(t.at.Distance), t.at.Side, t.load.Phrase(), precise(was.Distance))}
}

func notCoveredRefusal(t *tripped) *Refusal {
	return &Refusal{CodeNotCovered, fmt.Sprintf("The plan would leave broker %d %s %s its fair share of %s.",
		t.broker, precise(t.at.Distance), t.at.Side, t.load.Phrase())}
}

func topicRefusal(x *ConcentratedTopic) *Refusal {
	return &Refusal{CodeNotCovered, fmt.Sprintf("The plan would leave broker %d leading %d of the %d partitions of %s, more than %d.",
		x.Broker, x.Leaders, x.Partitions, x.Topic, x.Cap)}
}
