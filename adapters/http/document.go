package httpapi

import (
	_ "embed" // the document is part of the program
	"net/http"

	"github.com/gin-gonic/gin"
)

// The document is written by hand in YAML; the JSON is the same, made from it by
// go test ./adapters/http -run TestDocumentInJSON -update.
var (
	//go:embed openapi.yaml
	openapiYAML []byte
	//go:embed openapi.json
	openapiJSON []byte
)

func document(mediaType string, data []byte) gin.HandlerFunc {
	return func(c *gin.Context) { c.Data(http.StatusOK, mediaType, data) }
}
