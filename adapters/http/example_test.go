package httpapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/gin-gonic/gin"

	"github.com/kafka-pilot/pilot"
	httpapi "github.com/kafka-pilot/pilot/adapters/http"
	"github.com/kafka-pilot/pilot/adapters/internal/apitest"
)

// Add the balancer to a gin engine that exists.
func Example() {
	gin.SetMode(gin.ReleaseMode)
	var service pilot.API = &apitest.Fake{} // a *pilot.Service in a program
	engine := gin.New()

	httpapi.Register(engine, service, httpapi.Options{})

	answer := httptest.NewRecorder()
	engine.ServeHTTP(answer, httptest.NewRequest("GET", "/api/v1/brokers/maintenance", nil))
	fmt.Println(answer.Code, answer.Body)
	// Output: 200 {"brokers":[4]}
}

// Let users read and a group of them change things, and tell the audit log who it was.
func ExampleRegister_authentication() {
	gin.SetMode(gin.ReleaseMode)
	var service pilot.API = &apitest.Fake{}
	engine := gin.New()
	authenticated := engine.Group("/kafka", gin.BasicAuth(gin.Accounts{"ann": "secret", "bob": "secret"}))

	httpapi.Register(authenticated, service, httpapi.Options{
		Principal: func(c *gin.Context) string { return c.GetString(gin.AuthUserKey) },
		Mutations: []gin.HandlerFunc{func(c *gin.Context) {
			if c.GetString(gin.AuthUserKey) != "ann" {
				c.AbortWithStatus(http.StatusForbidden)
			}
		}},
	})

	for _, user := range []string{"ann", "bob"} {
		req := httptest.NewRequest("POST", "/kafka/api/v1/reassignments/e-17/cancel", nil)
		req.SetBasicAuth(user, "secret")
		answer := httptest.NewRecorder()
		engine.ServeHTTP(answer, req)
		fmt.Println(user, answer.Code)
	}
	// Output:
	// ann 202
	// bob 403
}
