package main

import (
	"log"
	"os"

	"github.com/kafka-pilot/pilot/balance"
)

func main() {
	cluster, err := balance.ReadSnapshot(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	plan, err := balance.Propose(cluster, balance.Policy{RackAware: true})
	log.Println(plan, err)
}
