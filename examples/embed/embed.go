// Package embed adds the balancer to a program that has a gin engine already.
package embed

import (
	"context"

	"github.com/gin-gonic/gin"

	"github.com/kafka-pilot/pilot"
	httpapi "github.com/kafka-pilot/pilot/adapters/http"
)

// AddBalancer serves the balancer under /api/v1 of the engine until ctx ends.
func AddBalancer(ctx context.Context, engine *gin.Engine, o pilot.Options) error {
	service, err := pilot.New(o)
	if err != nil {
		return err
	}
	httpapi.Register(engine, service, httpapi.Options{})
	go service.Run(ctx)
	return nil
}
