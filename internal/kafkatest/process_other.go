//go:build !linux

package kafkatest

import "syscall"

// Other kernels have no parent-death signal; the watchdog alone ends the children there.
func childAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
