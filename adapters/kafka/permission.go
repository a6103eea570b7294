package kafka

import (
	"fmt"

	"github.com/IBM/sarama"
)

// DeniedError says which permission the user lacks.
type DeniedError struct {
	Permission string // for example "ALTER on the cluster"
	Code       sarama.KError
}

// Error says what to do.
func (e *DeniedError) Error() string {
	return fmt.Sprintf("the user lacks %s: grant it with an ACL", e.Permission)
}

// Unwrap returns the code that the broker answered.
func (e *DeniedError) Unwrap() error { return e.Code }

func denied(permission string, code sarama.KError) error { return &DeniedError{permission, code} }
